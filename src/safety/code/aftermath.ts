// The effect of an insider's act on holders. Input: an act, and two holders. Output: the act, then all balances, and a
// transfer of each holder to the pool. `eth_simulateV1` tries it in the next block and 30 days later. State overrides
// try it in one call, with the code of Actor.sol over the actor. The result is compared with the same trial without the
// act.
import type { Address } from '../../base/address.ts'
import type { PowerKind } from '../../base/vocabulary.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import type { Asker, Reply } from '../node/asker.ts'
import { callData, type Hex, hexQuantity, selectorOf } from '../node/words.ts'
import type { RpcCall } from '../report.ts'
import { accountOf } from '../sale/chance.ts'
import { ACT_GAS, blockLike, gasPriceOf, purseOf, READ_GAS, sendGasOf } from '../sale/gas.ts'
import type { SampledHolder } from '../sale/sample.ts'
import actor from './actor.json' with { type: 'json' }

export interface TrialAct {
  from: Address
  to: Address
  data: Hex
}

export interface TrialSetting {
  token: Address
  keeper: Address
  holders: readonly SampledHolder[]
  gasPrice: bigint | null
  seed: string
  /** Our contracts that an act may name. */
  code: Readonly<Record<Address, Hex>>
  /** Several blocks (`eth_simulateV1`), or one call (state overrides). */
  way: 'blocks' | 'call'
}

/** Null if the node did not run the act, or it reverted. */
export interface Aftermath {
  supply: bigint
  /** The caller's gain from the act, in raw units. */
  gained: bigint
  held: readonly bigint[]
  /**
   * The amount that arrived at the pool per 10,000 units sent; null: refused. Now and 30 days later; a single call has
   * no later.
   */
  arrived: readonly (number | null)[]
  lateArrived: readonly (number | null)[]
}

const BALANCE = selectorOf('balanceOf(address)')
const SUPPLY = selectorOf('totalSupply()')
const TRANSFER = selectorOf('transfer(address,uint256)')
const LATER_SECONDS = 30 * 86_400
const SECONDS_BETWEEN = 12
/** Holders send twice, so each time less than half of their balance. */
const PARTS = 4n

/** The holders that a trial watches. */
const WATCHED = 2

/** A question, or a transfer of a holder. */
interface Step {
  by: Address | null
  data: Hex
  gas: Hex
}

const read = (data: Hex): Step => ({ by: null, data, gas: READ_GAS })
const readBalance = (of: Address): Step => read(callData(BALANCE, of))
const watched = ({ holders }: TrialSetting) => holders.slice(0, WATCHED)

/** The pool's balance before and after each transfer, because a token may tax it. */
const transfersOf = (setting: TrialSetting): Step[] =>
  watched(setting).flatMap(({ address, amount }) => [
    readBalance(setting.keeper),
    {
      by: address,
      data: callData(TRANSFER, setting.keeper, partOfAmount(amount)),
      gas: sendGasOf(setting.seed, address),
    },
    readBalance(setting.keeper),
  ])

const stepsOf = (setting: TrialSetting): Step[] => [
  read(SUPPLY),
  ...watched(setting).map(({ address }) => readBalance(address)),
  ...transfersOf(setting),
]

const partOfAmount = (amount: bigint): bigint => (amount < PARTS ? 1n : amount / PARTS)

export const aftermathCall = (asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall =>
  setting.way === 'blocks' ? callOfBlocks(asker, setting, act) : callOfActors(asker, setting, act)

/** The funded account and, in one call, the account under the code. */
const peopleOf = (setting: TrialSetting, act: TrialAct | null): Address[] => [
  ...watched(setting).map(({ address }) => address),
  ...(act ? [act.from] : []),
]

function callOfBlocks(asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall {
  const { token, gasPrice, seed } = setting
  const price = hexQuantity(gasPriceOf(asker.block, gasPrice, seed))
  const toCall = ({ by, data, gas }: Step) =>
    by === null ? { to: token, data, gas } : { from: by, to: token, data, gas, gasPrice: price }
  const purses = Object.fromEntries(
    peopleOf(setting, act).map((who) => [who, { balance: hexQuantity(purseOf(seed, who)) }]),
  )
  const codes = Object.fromEntries(Object.entries(setting.code).map(([address, hex]) => [address, { code: hex }]))
  const like = blockLike(asker.block, seed)
  const time = (seconds: number) => ({ blockOverrides: { ...like, time: hexQuantity(asker.block.time + seconds) } })
  const blocks = [
    {
      blockOverrides: like,
      stateOverrides: { ...purses, ...codes },
      calls: act
        ? [toCall(readBalance(act.from)), { ...act, gas: ACT_GAS, gasPrice: price }, toCall(readBalance(act.from))]
        : [],
    },
    { ...time(2 * SECONDS_BETWEEN), calls: stepsOf(setting).map(toCall) },
    { ...time(LATER_SECONDS), calls: transfersOf(setting).map(toCall) },
  ]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: blocks, validation: false }, asker.block.tag] }
}

const fixed = (value: Hex | number, bytes: number): string =>
  (typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(2 * bytes, '0')

/** In the form of Actor.sol. */
const packStep = (by: Address, to: Address, gas: Hex, data: Hex): string =>
  `${by.slice(2)}${to.slice(2)}${fixed(gas, 3)}${fixed((data.length - 2) / 2, 2)}${data.slice(2)}`

function callOfActors(asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall {
  const { token, gasPrice, seed } = setting
  const teller = act?.from ?? accountOf(seed, 'teller')
  const pack = ({ by, data, gas }: Step) => packStep(by ?? teller, token, gas, data)
  const steps = [
    ...(act
      ? [pack(readBalance(act.from)), packStep(act.from, act.to, ACT_GAS, act.data), pack(readBalance(act.from))]
      : []),
    ...stepsOf(setting).map(pack),
  ]
  const transaction = {
    from: teller,
    to: teller,
    data: `0x${steps.join('')}`,
    gas: hexQuantity(14_000_000),
    gasPrice: hexQuantity(gasPriceOf(asker.block, gasPrice, seed)),
  }
  const laid = Object.fromEntries(
    [teller, ...peopleOf(setting, act)].map((who) => [
      who,
      { balance: hexQuantity(purseOf(seed, who)), code: actor.actor },
    ]),
  )
  const codes = Object.fromEntries(Object.entries(setting.code).map(([address, hex]) => [address, { code: hex }]))
  return { method: 'eth_call', params: [transaction, asker.block.tag, { ...codes, ...laid }] }
}

interface CallResult {
  status?: unknown
  returnData?: unknown
}

interface Results {
  acts: readonly CallResult[]
  now: readonly CallResult[]
  later: readonly CallResult[]
}

function readBlocks(result: unknown): Results | null {
  if (!Array.isArray(result)) return null
  const [acts, now, later] = result.map(({ calls }: { calls?: CallResult[] }) => calls ?? [])
  return acts && now && later ? { acts, now, later } : null
}

/** Of the 64 bytes for each step. */
function readSteps(result: unknown, hasAct: boolean): Results | null {
  if (!isHex(result) || result.length < 130) return null
  // A fallback returns raw bytes.
  const results = Array.from({ length: Math.floor((result.length - 2) / 128) }, (_, at): CallResult => {
    const [status, word] = [readUint(result, 2 * at), result.slice(2 + 128 * at + 64, 2 + 128 * at + 128)]
    return { status: status === 0n ? '0x0' : '0x1', returnData: status === 1n ? `0x${word}` : '0x' }
  })
  const first = hasAct ? 3 : 0
  return { acts: results.slice(0, first), now: results.slice(first), later: [] }
}

/** Null: the act reverted, or the node did not answer. */
export function readTrial(reply: Reply, setting: TrialSetting, hasAct: boolean): Aftermath | null {
  if (reply.kind !== 'result') return null
  const results = setting.way === 'blocks' ? readBlocks(reply.result) : readSteps(reply.result, hasAct)
  if (!results || (hasAct && results.acts[1]?.status !== '0x1')) return null
  const { acts, now, later } = results
  const holders = watched(setting)
  const first = 1 + holders.length
  return {
    supply: readValue(now[0]),
    gained: hasAct ? readValue(acts[2]) - readValue(acts[0]) : 0n,
    held: holders.map((_, at) => readValue(now[1 + at])),
    arrived: holders.map(({ amount }, at) => readArrived(now.slice(first + 3 * at), amount)),
    lateArrived: holders.map(({ amount }, at) => readArrived(later.slice(3 * at), amount)),
  }
}

const readValue = (result: CallResult | undefined): bigint =>
  readUint(isHex(result?.returnData) ? result.returnData : '0x') ?? 0n

/** Of a balance, a transfer and the balance again. */
function readArrived([before, transfer, after]: readonly CallResult[], amount: bigint): number | null {
  const isRefused = transfer?.status !== '0x1' || /^0x0{64}$/.test(String(transfer.returnData))
  if (isRefused) return null
  const gain = readValue(after) - readValue(before)
  return gain <= 0n ? 0 : Number((gain * 10_000n) / partOfAmount(amount))
}

/** The effect of an act on others. */
export interface Harm {
  effect: 'stopped' | 'stopped_one' | 'taxed' | 'minted' | 'taken' | 'destroyed'
  /** Only 30 days later. */
  isLate: boolean
}

/** A fee that an act raises: of 10,000 units. */
const TAXED = 2_000
/** If less than this arrives, it counts as nothing. */
const NOTHING = 100
/** More than a tenth of the supply. */
const MINTED_PARTS = 10n
const TAKEN_PARTS = 2n

/** The gravest harm; null for none. */
export function compare(before: Aftermath, after: Aftermath): Harm | null {
  const lost = after.held.filter((held, at) => held * TAKEN_PARTS < (before.held[at] ?? 0n))
  if (lost.length > 0) return { effect: after.supply < before.supply ? 'destroyed' : 'taken', isLate: false }
  const stops = (list: readonly (number | null)[], baseline: readonly (number | null)[]) =>
    list.filter((each, at) => (each ?? 0) < NOTHING && (baseline[at] ?? 0) >= NOTHING).length
  const possible = before.arrived.filter((each) => (each ?? 0) >= NOTHING).length
  const stopped = stops(after.arrived, before.arrived)
  if (stopped > 0) return { effect: stopped < possible ? 'stopped_one' : 'stopped', isLate: false }
  const isTaxed = after.arrived.some((each, at) => (each ?? 0) + TAXED < (before.arrived[at] ?? 0))
  if (isTaxed) return { effect: 'taxed', isLate: false }
  const grown = after.supply - before.supply
  // Nobody can be given more than there is, unless it is made, whatever the supply says.
  const isMade = grown * MINTED_PARTS > before.supply || after.gained > before.supply
  if (isMade && before.supply > 0n) return { effect: 'minted', isLate: false }
  const late = stops(after.lateArrived, before.lateArrived)
  return late > 0 ? { effect: 'stopped', isLate: true } : null
}

const KIND_BY_EFFECT: Readonly<Record<Harm['effect'], PowerKind>> = {
  stopped: 'stop_sales',
  stopped_one: 'blacklist',
  taxed: 'fee',
  minted: 'mint',
  taken: 'take',
  destroyed: 'destroy',
}

export const kindOf = ({ effect }: Harm): PowerKind => KIND_BY_EFFECT[effect]
