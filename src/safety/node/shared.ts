// Many questions in one request, by the code of Shared.sol. Input: questions at one block. Output: the request, and the
// answer to each question; null where it has to be asked alone. `eth_simulateV1` takes all kinds; `eth_call` with state
// overrides takes reads. No question sees what another one did, and none takes the gas of another.
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { abiWord, type Hex } from '../../chain/contracts/words.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { RpcCall } from '../report.ts'
import { accountOf } from './chance.ts'
import { blockLike } from './gas.ts'
import type { Question, ReadQuestion, TryQuestion } from './questions.ts'
import { readRefusal } from './refusal.ts'
import type { BlockFacts, Reply } from './reply.ts'
import code from './shared.json' with { type: 'json' }

/** `blocks`: by `eth_simulateV1`; `call`: by `eth_call` with state overrides. */
export type ShareWay = 'blocks' | 'call' | 'none'

export interface OpenQuestion<Asked extends Question = Question> {
  call: RpcCall
  question: Asked
}

type SlotQuestion = Extract<ReadQuestion, { kind: 'slot' }>
type PlainRead = Exclude<ReadQuestion, SlotQuestion>

const isTry = (one: OpenQuestion): one is OpenQuestion<TryQuestion> => one.question.kind === 'try'
const isSlot = (one: OpenQuestion): one is OpenQuestion<SlotQuestion> => one.question.kind === 'slot'
const isPlainRead = (one: OpenQuestion): one is OpenQuestion<PlainRead> => !isTry(one) && !isSlot(one)

export interface ShareSetting {
  token: Address
  /** The codes of contracts that accounts call. */
  codes: ReadonlyMap<Address, Hex>
  seed: string
  block: Pick<BlockFacts, 'time' | 'baseFee' | 'proposer'> & { tag: string }
}

/** A request, and whose answers it has. */
export interface SharedRequest {
  call: RpcCall
  /** Undefined: the node did not run it. Null: that question has to be asked alone. */
  read(result: unknown): Map<OpenQuestion, Reply | null> | undefined
}

const [ORIGINAL, TRIER] = ['a1', 'b2'].map((byte) => new RegExp(byte.repeat(20), 'g')) as [RegExp, RegExp]
/** A block takes calls whose gas is this much together: less than any chain's limit of a block. */
const BLOCK_GAS = 24_000_000
/** A transaction has no more gas since EIP-7825. */
const READER_GAS = 12_000_000
const READ_MARGIN = 80_000
const TRY_PARTS = 21_000 + 3_000

interface Part {
  /** State that is laid over the chain from this part on. */
  state: Record<Address, Record<string, string>>
  calls: object[]
  read(results: readonly (Hex | null)[]): [OpenQuestion, Reply | null][]
}

export function shareQuestions(asked: readonly OpenQuestion[], setting: ShareSetting, way: ShareWay): SharedRequest[] {
  if (way === 'none') return []
  const reads = asked.filter(isPlainRead)
  const slots = asked.filter(isSlot).filter(({ question }) => question.at === setting.token)
  const tries = way === 'blocks' ? withoutQuarrel(asked.filter(isTry)) : []
  const parts = [...readPart(reads, setting), ...slotPart(slots, setting), ...tryParts(tries, setting)]
  if (way === 'call') return parts.map((part) => toCall(part, setting))
  return parts.length > 0 ? [toBlocks(parts, setting)] : []
}

/** A sender has one balance in a request: whoever is tried with another one is asked alone. */
function withoutQuarrel(tries: readonly OpenQuestion<TryQuestion>[]): OpenQuestion<TryQuestion>[] {
  const purses = new Map<Address, Hex | null>()
  return tries.filter(({ question: { from, purse } }) => {
    if (!purses.has(from)) purses.set(from, purse)
    return purses.get(from) === purse
  })
}

function toCall({ state, calls, read }: Part, { block }: ShareSetting): SharedRequest {
  return {
    call: { method: 'eth_call', params: [calls[0], block.tag, state] },
    read: (result) => (isHex(result) ? new Map(read([result])) : undefined),
  }
}

function toBlocks(parts: readonly Part[], { block, seed }: ShareSetting): SharedRequest {
  const like = blockLike(block, seed)
  const blockStateCalls = parts.map(({ state, calls }, at) => ({
    blockOverrides: { ...like, time: hexQuantity(block.time + 1 + at) },
    stateOverrides: state,
    calls,
  }))
  return {
    call: { method: 'eth_simulateV1', params: [{ blockStateCalls, validation: false }, block.tag] },
    read(result) {
      if (!Array.isArray(result) || result.length !== parts.length) return undefined
      return new Map(parts.flatMap((part, at) => part.read(returnsOf(result[at]))))
    },
  }
}

/** What each call of a block returned; null: it failed. */
function returnsOf(block: unknown): (Hex | null)[] {
  const { calls } = propertiesOf(block)
  return (Array.isArray(calls) ? calls : []).map((each) => {
    const { status, returnData } = propertiesOf(each)
    return status === '0x1' && isHex(returnData) ? returnData : null
  })
}

function readPart(asked: readonly OpenQuestion<PlainRead>[], { seed }: ShareSetting): Part[] {
  if (asked.length === 0) return []
  const reader = accountOf(seed, 'reader')
  const data = asked.map(({ question }) => packRead(question)).join('')
  return [
    {
      state: { [reader]: { code: code.reader } },
      calls: [{ from: accountOf(seed, 'asker'), to: reader, data: `0x${data}`, gas: hexQuantity(READER_GAS) }],
      read([answer]) {
        const answers = readAnswers(answer ?? null, asked.length)
        return asked.map((one, at) => [one, toReply(one, answers[at])])
      },
    },
  ]
}

const KINDS = { call: '00', code: '01', balance: '02' } as const

function packRead(question: PlainRead): string {
  const [data, gas] = question.kind === 'call' ? [question.data.slice(2), question.gas] : ['', 0]
  const sizes = `${gas.toString(16).padStart(6, '0')}${(data.length / 2).toString(16).padStart(4, '0')}`
  return `${KINDS[question.kind]}${question.at.slice(2)}${sizes}${data}`
}

/** A status as Shared.sol has it, and the answer. */
interface Told {
  status: number
  data: Hex
}

function readAnswers(answer: Hex | null, count: number): (Told | undefined)[] {
  const told: Told[] = []
  let at = 2
  while (answer !== null && told.length < count) {
    const [status, size] = [numberAt(answer, at), numberAt(answer, at + 64)]
    const end = at + 128 + 2 * size
    if (!(end <= answer.length)) return []
    told.push({ status, data: `0x${answer.slice(at + 128, end)}` })
    at += 128 + 64 * Math.ceil(size / 32)
  }
  return told
}

/** NaN for a word that is missing or large. */
const numberAt = (hex: string, at: number): number => {
  const word = hex.slice(at, at + 64)
  return /^0{56}[0-9a-f]{8}$/i.test(word) ? Number.parseInt(word, 16) : Number.NaN
}

function toReply({ call }: OpenQuestion, told: Told | undefined): Reply | null {
  if (told?.status === 1) return { kind: 'result', result: told.data, call }
  if (told?.status === 0) {
    return { kind: 'refused', text: readRefusal('execution reverted', told.data === '0x' ? null : told.data), call }
  }
  return told?.status === 3 ? { kind: 'refused', text: 'out of gas', call } : null
}

function slotPart(asked: readonly OpenQuestion<SlotQuestion>[], { token, seed }: ShareSetting): Part[] {
  if (asked.length === 0) return []
  const words = asked.map(({ question }) => abiWord(BigInt(question.slot)))
  const data = `0x${words.join('')}`
  return [
    {
      state: { [token]: { code: code.slots } },
      calls: [
        { from: accountOf(seed, 'asker'), to: token, data, gas: hexQuantity(READ_MARGIN + 3_000 * asked.length) },
      ],
      read: ([answer = null]) =>
        asked.map((one, at) => {
          const isWhole = answer?.length === 2 + 64 * asked.length
          const word = answer?.slice(2 + 64 * at, 66 + 64 * at)
          return [one, isWhole ? { kind: 'result', result: `0x${word}`, call: one.call } : null]
        }),
    },
  ]
}

/** Accounts call contracts, whose own code is put to another address. A block has calls for so much gas. */
function tryParts(asked: readonly OpenQuestion<TryQuestion>[], { codes, seed }: ShareSetting): Part[] {
  const groups: OpenQuestion<TryQuestion>[][] = []
  let gas = Number.POSITIVE_INFINITY
  for (const one of asked) {
    const { gas: most } = one.question
    if (gas + most > BLOCK_GAS) {
      groups.push([])
      gas = 0
    }
    groups.at(-1)?.push(one)
    gas += most
  }
  const called = new Set(asked.map(({ question }) => question.to))
  const laid = Object.fromEntries([...called].flatMap((to) => gatesOf(to, codes.get(to) ?? '0x', seed)))
  return groups.map((group, at): Part => {
    const questions = group.map(({ question }) => question)
    const purses = questions.flatMap(({ from, purse }) => (purse ? [[from, { balance: purse }]] : []))
    return {
      state: { ...(at === 0 ? laid : {}), ...Object.fromEntries(purses) },
      calls: questions.map(({ from, to, data, gas: most, gasPrice }) => ({
        ...{ from, to, data, gas: hexQuantity(most), gasPrice: hexQuantity(gasPrice) },
      })),
      read: (results) => group.map((one, place) => [one, readTry(one, results[place] ?? null)]),
    }
  })
}

/** The gate has the length of the code that it lies over, which contracts may ask for. */
function gatesOf(to: Address, own: Hex, seed: string): [Address, { code: string }][] {
  const [original, trier] = [accountOf(seed, `code of ${to}`), accountOf(seed, `trier of ${to}`)]
  const fill = (text: string) => text.replace(ORIGINAL, original.slice(2)).replace(TRIER, trier.slice(2))
  return [
    [original, { code: own }],
    [trier, { code: fill(code.trier) }],
    [to, { code: fill(code.gate).padEnd(own.length, '0') }],
  ]
}

/** Only a call that had all of its gas tells something. */
function readTry(one: OpenQuestion<TryQuestion>, answer: Hex | null): Reply | null {
  const { data, gas } = one.question
  const had = numberAt(answer ?? '', 2)
  if (!(had >= gas - TRY_PARTS - 8 * data.length)) return null
  const [told] = readAnswers(`0x${answer?.slice(66) ?? ''}`, 1)
  return toReply(one, told)
}

/** Code that a gate can stand for: neither a delegation (EIP-7702) nor code of the node. */
export const isGateable = (own: Hex | undefined): boolean => own !== undefined && /^0x(?!ef)../.test(own)

/** An account of nobody, under code whose answer is known. */
const PROBE = toAddress('0x5afe000000000000000000000000000000000002')
const FAR_TIME = 0xf0_00_00_00

/** The request that shows whether a node runs such requests, and whether its answer does. */
export function probeShare(probeCode: Hex, wanted: Hex): { call: RpcCall; isRight(result: unknown): boolean } {
  const block = { tag: 'latest', time: FAR_TIME, baseFee: 0n, proposer: ZERO_ADDRESS }
  const setting = { token: PROBE, codes: new Map([[PROBE, probeCode]]), seed: 'probe', block }
  const call = { method: 'eth_call', params: [] }
  const parts = { data: '0x' as const, gas: 100_000 }
  const asked: OpenQuestion[] = [
    {
      call,
      question: { kind: 'try', from: accountOf('probe', 'sender'), to: PROBE, ...parts, gasPrice: 0n, purse: null },
    },
    { call, question: { kind: 'call', at: PROBE, ...parts } },
    { call, question: { kind: 'slot', at: PROBE, slot: '0x0' } },
  ]
  const [request] = shareQuestions(asked, setting, 'blocks')
  const answers = [wanted, '0x', `0x${abiWord(0)}`]
  return {
    call: request?.call ?? call,
    isRight(result) {
      const replies = request?.read(result)
      return asked.every((one, at) => {
        const reply = replies?.get(one)
        return reply?.kind === 'result' && reply.result === answers[at]
      })
    },
  }
}
