// Puts many `eth_call`s into one, through the contract Multicall3. Input: calls at one block. Output: one answer per
// call. The last call of each batch needs much gas: it fails after a contract that burned the others' gas. Such a
// batch, like one that fails as a whole, is split in two, down to single calls.
import { type Address, toAddress } from '../../base/address.ts'
import { isHex } from '../columns/hex.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError, type RpcErrorKind } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createConfirmedAsk } from './unknown-refusal.ts'

/** The same address on every chain that has the contract. */
const MULTICALL: Address = toAddress('0xca11bde05977b3631167028862be2a173976ca11')
/** aggregate3((address target, bool allowFailure, bytes callData)[]) */
const AGGREGATE = '0x82ad56cb'
/** Calls in one batch: each of them has 200,000 gas on average, several times the need of an honest view function. */
export const MOST_CALLS = 150
/** 30,000,000 gas for a batch: less than nodes allow, and a bound on a contract that loops forever. */
const BATCH_GAS = '0x1c9c380'
/** 5,000,000 gas for a single call: enough for any honest view function. */
const GAS = '0x4c4b40'
/** Where a block had no Multicall3, the next blocks are not asked. */
const ASK_AGAIN_BLOCKS = 1_000
/** A contract with a longer answer is asked alone from then on. */
const LONG_ANSWER_CHARS = 2 * 16_384
/** The most contracts that are remembered as ones to ask alone. */
const MOST_LONERS = 1_000

/**
 * The precompiled contract for powers, with 768 bytes for the modulus: 783,000 gas, and 4,700,000 since Osaka. A
 * contract that takes all it gets leaves a 64th of the batch's gas, which is less.
 */
const WITNESS = { to: toAddress(`0x${'5'.padStart(40, '0')}`), data: toHex(0n, 32n, 768n, 2n ** 256n - 1n) }
const WITNESS_ANSWER = `0x${'0'.repeat(2 * 768)}`

export interface PlainCall {
  to: Address
  data: `0x${string}`
}

/** `block` is the number of the block that the tag names, or of an older one. */
interface At {
  tag: string
  block: number
}

/** Answers in the order of the calls. */
export type AskCalls = (calls: readonly PlainCall[], at: At) => Promise<RpcAnswer[]>

/** Asks through Multicall3 where a block has it, else call by call. */
export function createMulticall(rpc: Rpc): AskCalls {
  const loners = createLoners()
  const findAbility = createAbility(rpc)
  const ask = createConfirmedAsk(rpc, 'eth_call')

  const askSingly = (calls: readonly PlainCall[], tag: string): Promise<RpcAnswer[]> =>
    ask(
      calls.map(({ to, data }) => ({ method: 'eth_call', params: [{ to, data, gas: GAS }, tag] })),
      tag,
    )

  /** Sends one request with a batch for each group, and splits the groups whose batch fails. */
  async function askTogether(groups: readonly (readonly PlainCall[])[], tag: string): Promise<RpcAnswer[][]> {
    const answers = await rpc.batch(groups.map((group) => toCall(group, tag)))
    return Promise.all(
      groups.map(async (group, at) => {
        const read = readAnswers(answers[at] ?? NO_ANSWER, group.length)
        if (read === null) return split(group, tag)
        group.forEach(({ to }, i) => {
          if (isLong(read[i])) loners.add(to)
        })
        return read
      }),
    )
  }

  async function split(group: readonly PlainCall[], tag: string): Promise<RpcAnswer[]> {
    const [only] = group
    if (only && group.length === 1) {
      loners.add(only.to)
      return askSingly(group, tag)
    }
    const middle = Math.ceil(group.length / 2)
    const halves = [group.slice(0, middle), group.slice(middle)]
    return (await askTogether(halves, tag)).flat()
  }

  return async (calls, { tag, block }) => {
    const isTogether = calls.map(({ to }) => !loners.has(to))
    const together = calls.filter((_, i) => isTogether[i])
    if (together.length < 2) return askSingly(calls, tag)
    const ability = await findAbility(tag, block)
    if (ability instanceof RpcError) return calls.map(() => ({ error: ability }))
    if (!ability) return askSingly(calls, tag)
    const [told, alone] = await Promise.all([
      askTogether(toGroups(together), tag),
      askSingly(
        calls.filter((_, i) => !isTogether[i]),
        tag,
      ),
    ])
    const [first, second] = [told.flat().values(), alone.values()]
    return isTogether.map((is) => (is ? first : second).next().value as RpcAnswer)
  }
}

/**
 * Finds out whether a block has the contract, by an empty batch. An error is the node's, such as a block without state:
 * every call would get it.
 */
function createAbility(rpc: Rpc) {
  let presentFrom = Number.POSITIVE_INFINITY
  let absentTo = Number.NEGATIVE_INFINITY

  return async (tag: string, block: number): Promise<boolean | RpcError> => {
    if (block >= presentFrom) return true
    if (block < absentTo + ASK_AGAIN_BLOCKS) return false
    const [answer = NO_ANSWER] = await rpc.batch([emptyBatch(tag)])
    if (answer.error && !SPLIT.has(answer.error.kind)) return answer.error
    const isPresent = isEmptyBatch(answer)
    if (isPresent) presentFrom = Math.min(presentFrom, block)
    else absentTo = Math.max(absentTo, block)
    return isPresent
  }
}

/** A batch of no calls, which shows whether a block has the contract. */
export const emptyBatch = (tag: string): Call => toCall([], tag)

/** Whether the answer to an empty batch is the contract's. */
export const isEmptyBatch = (answer: RpcAnswer): boolean => isAnswered(answer) && readAnswers(answer, 0) !== null

/** Contracts that are asked alone: the last thousand that spoiled a batch. */
function createLoners() {
  const known = new Set<Address>()
  return {
    has: (address: Address): boolean => known.has(address),
    add(address: Address): void {
      known.delete(address)
      known.add(address)
      const [oldest] = known
      if (known.size > MOST_LONERS && oldest) known.delete(oldest)
    },
  }
}

const isLong = (answer: RpcAnswer | undefined): boolean =>
  answer !== undefined && isAnswered(answer) && String(answer.result).length > LONG_ANSWER_CHARS

function toGroups(calls: readonly PlainCall[]): PlainCall[][] {
  const count = Math.ceil(calls.length / MOST_CALLS)
  const size = Math.ceil(calls.length / count)
  return Array.from({ length: count }, (_, at) => calls.slice(at * size, (at + 1) * size))
}

function toCall(group: readonly PlainCall[], tag: string) {
  const data = encodeAggregate([...group, WITNESS])
  return { method: 'eth_call', params: [{ to: MULTICALL, data, gas: BATCH_GAS }, tag] }
}

function toHex(...words: bigint[]): `0x${string}` {
  return `0x${words.map(toWord).join('')}`
}

function toWord(value: bigint | number): string {
  return value.toString(16).padStart(64, '0')
}

function encodeAggregate(calls: readonly PlainCall[]): `0x${string}` {
  let offset = 32 * calls.length
  const heads: string[] = []
  const tails = calls.map(({ to, data }) => {
    const bytes = data.slice(2)
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
    heads.push(toWord(offset))
    offset += 4 * 32 + padded.length / 2
    return `${to.slice(2).padStart(64, '0')}${toWord(1)}${toWord(96)}${toWord(bytes.length / 2)}${padded}`
  })
  return `${AGGREGATE}${toWord(32)}${toWord(calls.length)}${heads.join('')}${tails.join('')}`
}

/** Faults of a batch that its halves may not have. */
const SPLIT: ReadonlySet<RpcErrorKind> = new Set(['execution', 'rejected', 'size', 'range', 'unsupported'])

/** The answers of a batch; null unless all of it can be believed. */
function readAnswers(answer: RpcAnswer, count: number): RpcAnswer[] | null {
  if (!isAnswered(answer)) return SPLIT.has(answer.error.kind) ? null : Array.from({ length: count }, () => answer)
  const results = readResults(answer.result, count + 1)
  const witness = results?.pop()
  if (!results || !witness?.isDone || witness.data !== WITNESS_ANSWER) return null
  return results.map(({ isDone, data }) =>
    isDone ? { result: data } : { error: new RpcError('execution', 'the contract reverted') },
  )
}

interface Result {
  isDone: boolean
  data: `0x${string}`
}

/** Decodes (bool success, bytes returnData)[]; null for anything else. */
function readResults(answer: unknown, count: number): Result[] | null {
  if (!isHex(answer) || numberAt(answer, 1) !== count) return null
  const results: Result[] = []
  for (let at = 0; at < count; at++) {
    const start = 2 + numberAt(answer, 2 + at) / 32
    const from = 2 + 64 * (start + 3)
    const to = from + 2 * numberAt(answer, start + 2)
    if (!(to <= answer.length)) return null
    results.push({ isDone: numberAt(answer, start) === 1, data: `0x${answer.slice(from, to)}` })
  }
  return results
}

/** The word as a number; NaN for one that is missing or too large for an offset. */
function numberAt(data: string, word: number): number {
  const digits = Number.isInteger(word) ? data.slice(2 + 64 * word, 66 + 64 * word) : ''
  return /^0{56}[0-9a-f]{8}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
}
