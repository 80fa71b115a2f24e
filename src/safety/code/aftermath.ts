// The effect of an insider's act on holders. Input: an act, and two holders. Output: the act, then all balances. Then
// each holder sends to the pool, and a stranger spends for it, as a router does. At last the insider takes from a holder
// without an allowance. `eth_simulateV1` tries it in the next block and 30 days later. State overrides try it in one call, with the code of Actor.sol over the actor. The result is
// compared with the same trial without the act.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { PowerKind } from '../../base/vocabulary.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import { TRANSFER_TOPIC } from '../../chain/contracts/topics.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { keccakOfText } from '../../chain/keccak.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { accountOf } from '../node/chance.ts'
import { ACT_GAS, blockLike, gasPriceOf, purseOf, READ_GAS, sendGasOf } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
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
  seed: string
  /** Our contracts that an act may name. */
  code: Readonly<Record<Address, Hex>>
  /** Opens the sales that are closed; it comes before each act. */
  opening: TrialAct | null
  /** Takes from a holder where there is no act. */
  taker: Address
  /** Several blocks (`eth_simulateV1`), or one call (state overrides). */
  way: 'blocks' | 'call'
}

/** Null if the node did not run the act, or it reverted. */
export interface Aftermath {
  supply: bigint
  /** The caller's gain from the act, in raw units. */
  gained: bigint
  /** What the act made by its Transfers from nobody, in raw units; 0 also where the node gives no logs. */
  made: bigint
  /** Whether the act moved another token away from its caller; false also where the node gives no logs. */
  hasPaid: boolean
  /** Whether the act ran code of ours in the token's name; false also where the node gives no logs. */
  hasRun: boolean
  held: readonly bigint[]
  /** The balance of the pool. */
  pooled: bigint
  /** The amount that arrived at the insider per 10,000 units that it took from a holder; null: refused. */
  grabbed: number | null
  /**
   * The amount that arrived at the pool per 10,000 units sent; null: refused. Now and 30 days later; a single call has
   * no later.
   */
  arrived: readonly (number | null)[]
  lateArrived: readonly (number | null)[]
  /** The same where a stranger sends it with the holder's approval. */
  spent: readonly (number | null)[]
  lateSpent: readonly (number | null)[]
}

const BALANCE = selectorOf('balanceOf(address)')
const SUPPLY = selectorOf('totalSupply()')
const TRANSFER = selectorOf('transfer(address,uint256)')
const TRANSFER_FROM = selectorOf('transferFrom(address,address,uint256)')
const APPROVE = selectorOf('approve(address,uint256)')
const LATER_SECONDS = 30 * DAY_SECONDS
const SECONDS_BETWEEN = 12
/** What a holder has leaves it four times. */
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
  watched(setting).flatMap(({ address, amount }) => {
    const { keeper, seed } = setting
    const [spender, part] = [spenderOf(setting), partOfAmount(amount)]
    const act = (by: Address, data: Hex): Step => ({ by, data, gas: sendGasOf(seed, by) })
    return [
      readBalance(keeper),
      act(address, callData(TRANSFER, keeper, part)),
      readBalance(keeper),
      act(address, callData(APPROVE, spender, part)),
      act(spender, callData(TRANSFER_FROM, address, keeper, part)),
      readBalance(keeper),
    ]
  })

/** The place of each holder's steps, and of the stranger's transfer in them. */
const STEPS_PER_HOLDER = 6
const SPENT_AT = 4

const spenderOf = ({ seed }: TrialSetting): Address => accountOf(seed, 'spender')

const takerOf = ({ taker }: TrialSetting, act: TrialAct | null): Address => act?.from ?? taker

/** The taking comes last: by then the holder has approved somebody else. */
function takingOf({ holders: [victim], seed }: TrialSetting, taker: Address): Step[] {
  if (!victim) return []
  const data = callData(TRANSFER_FROM, victim.address, taker, partOfAmount(victim.amount))
  return [readBalance(taker), { by: taker, data, gas: sendGasOf(seed, taker) }, readBalance(taker)]
}

const stepsOf = (setting: TrialSetting, act: TrialAct | null): Step[] => [
  read(SUPPLY),
  ...watched(setting).map(({ address }) => readBalance(address)),
  ...transfersOf(setting),
  ...takingOf(setting, takerOf(setting, act)),
]

const partOfAmount = (amount: bigint): bigint => (amount < PARTS ? 1n : amount / PARTS)

export const aftermathCall = (asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall =>
  setting.way === 'blocks' ? callOfBlocks(asker, setting, act) : callOfActors(asker, setting, act)

/** The funded account and, in one call, the account under the code. */
const peopleOf = (setting: TrialSetting, act: TrialAct | null): Address[] => [
  ...watched(setting).map(({ address }) => address),
  spenderOf(setting),
  ...(setting.opening ? [setting.opening.from] : []),
  takerOf(setting, act),
]

const openingOf = ({ opening }: TrialSetting): TrialAct[] => (opening ? [opening] : [])

function callOfBlocks(asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall {
  const { token, seed } = setting
  const price = hexQuantity(gasPriceOf(asker.block, seed))
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
      calls: [
        ...openingOf(setting).map((opening) => ({ ...opening, gas: ACT_GAS, gasPrice: price })),
        ...(act
          ? [toCall(readBalance(act.from)), { ...act, gas: ACT_GAS, gasPrice: price }, toCall(readBalance(act.from))]
          : []),
      ],
    },
    { ...time(2 * SECONDS_BETWEEN), calls: stepsOf(setting, act).map(toCall) },
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
  const { token, seed } = setting
  const teller = act?.from ?? accountOf(seed, 'teller')
  const pack = ({ by, data, gas }: Step) => packStep(by ?? teller, token, gas, data)
  const steps = [
    ...openingOf(setting).map(({ from, to, data }) => packStep(from, to, ACT_GAS, data)),
    ...(act
      ? [pack(readBalance(act.from)), packStep(act.from, act.to, ACT_GAS, act.data), pack(readBalance(act.from))]
      : []),
    ...stepsOf(setting, act).map(pack),
  ]
  const transaction = {
    from: teller,
    to: teller,
    data: `0x${steps.join('')}`,
    gas: hexQuantity(14_000_000),
    gasPrice: hexQuantity(gasPriceOf(asker.block, seed)),
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
  logs?: unknown
}

interface Results {
  acts: readonly CallResult[]
  now: readonly CallResult[]
  later: readonly CallResult[]
}

function readBlocks(result: unknown, hasOpening: boolean): Results | null {
  if (!Array.isArray(result)) return null
  const [acts, now, later] = result.map(({ calls }: { calls?: CallResult[] }) => calls ?? [])
  return acts && now && later ? { acts: acts.slice(hasOpening ? 1 : 0), now, later } : null
}

/** Of the 64 bytes for each step. */
function readSteps(result: unknown, hasOpening: boolean, hasAct: boolean): Results | null {
  if (!isHex(result) || result.length < 130) return null
  // A fallback returns raw bytes.
  const results = Array.from({ length: Math.floor((result.length - 2) / 128) }, (_, at): CallResult => {
    const [status, word] = [readUint(result, 2 * at), result.slice(2 + 128 * at + 64, 2 + 128 * at + 128)]
    return { status: status === 0n ? '0x0' : '0x1', returnData: status === 1n ? `0x${word}` : '0x' }
  })
  const opened = hasOpening ? 1 : 0
  const first = opened + (hasAct ? 3 : 0)
  return { acts: results.slice(opened, first), now: results.slice(first), later: [] }
}

/** Null: the act reverted, or the node did not answer. */
export function readTrial(reply: Reply, setting: TrialSetting, act: TrialAct | null): Aftermath | null {
  if (reply.kind !== 'result') return null
  const [hasOpening, hasAct] = [setting.opening !== null, act !== null]
  const results =
    setting.way === 'blocks' ? readBlocks(reply.result, hasOpening) : readSteps(reply.result, hasOpening, hasAct)
  if (!results || (hasAct && results.acts[1]?.status !== '0x1')) return null
  const { acts, now, later } = results
  const holders = watched(setting)
  const transfers = now.slice(1 + holders.length)
  return {
    supply: readValue(now[0]),
    gained: hasAct ? readValue(acts[2]) - readValue(acts[0]) : 0n,
    made: hasAct ? readMade(transfersIn(acts[1]), setting.token) : 0n,
    hasPaid: transfersIn(acts[1]).some(
      ({ of, from, amount }) => of !== setting.token && from === act?.from && amount > 0n,
    ),
    hasRun: hasRun(acts[1], setting.token),
    held: holders.map((_, at) => readValue(now[1 + at])),
    pooled: readValue(transfers[0]),
    grabbed: readArrived(transfers.slice(STEPS_PER_HOLDER * holders.length), holders[0]?.amount ?? 0n),
    ...readTransfers(transfers, holders),
    ...toLate(readTransfers(later, holders)),
  }
}

const toLate = ({ arrived, spent }: Pick<Aftermath, 'arrived' | 'spent'>) => ({
  lateArrived: arrived,
  lateSpent: spent,
})

function readTransfers(results: readonly CallResult[], holders: readonly SampledHolder[]) {
  const read = (middle: number, before: number) =>
    holders.map(({ amount }, at) => {
      const first = at * STEPS_PER_HOLDER
      return readArrived([results[first + before], results[first + middle], results[first + middle + 1]], amount)
    })
  return { arrived: read(1, 0), spent: read(SPENT_AT, SPENT_AT - 2) }
}

const readValue = (result: CallResult | undefined): bigint =>
  readUint(isHex(result?.returnData) ? result.returnData : '0x') ?? 0n

const MAX_LOGS = 64
/** The log of our module. */
export const RUN_TOPIC = keccakOfText('a module runs')

/** Code that is delegated to logs in the name of its caller. */
const hasRun = (result: CallResult | undefined, token: Address): boolean =>
  logsIn(result).some((log) => {
    const { address, topics } = propertiesOf(log)
    return String(address).toLowerCase() === token && Array.isArray(topics) && topics[0] === RUN_TOPIC
  })

const logsIn = (result: CallResult | undefined): unknown[] =>
  Array.isArray(result?.logs) ? result.logs.slice(0, MAX_LOGS) : []

interface LoggedTransfer {
  of: string
  from: string
  amount: bigint
}

function transfersIn(result: CallResult | undefined): LoggedTransfer[] {
  return logsIn(result).flatMap((log) => {
    const { address, topics, data } = propertiesOf(log)
    if (!Array.isArray(topics) || topics[0] !== TRANSFER_TOPIC || !isHex(data)) return []
    const from = `0x${String(topics[1]).slice(-40).toLowerCase()}`
    return [{ of: String(address).toLowerCase(), from, amount: readUint(data) ?? 0n }]
  })
}

/** The sum of the token's Transfers from nobody. */
const readMade = (transfers: readonly LoggedTransfer[], token: Address): bigint =>
  transfers.reduce((sum, { of, from, amount }) => (of === token && from === ZERO_ADDRESS ? sum + amount : sum), 0n)

/** Of a balance, a transfer and the balance again. */
function readArrived([before, transfer, after]: readonly (CallResult | undefined)[], amount: bigint): number | null {
  const isRefused = transfer?.status !== '0x1' || /^0x0{64}$/.test(String(transfer.returnData))
  if (isRefused) return null
  const gain = readValue(after) - readValue(before)
  return gain <= 0n ? 0 : Number((gain * 10_000n) / partOfAmount(amount))
}

/** The effect of an act on others. */
export interface Harm {
  /**
   * `bought`: minted by a caller that paid in another token, as a deposit into a vault does. `ran`: it ran any code in
   * the token's name.
   */
  effect: 'ran' | 'stopped' | 'stopped_one' | 'taxed' | 'bought' | 'minted' | 'taken' | 'destroyed'
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

/** Whether any watched holder can send. */
export const canSend = ({ arrived }: Aftermath): boolean => arrived.some((each) => each !== null)

/** Whether the insider could take what a holder has. */
export const canTake = ({ grabbed }: Aftermath): boolean => (grabbed ?? 0) >= NOTHING

/**
 * The gravest harm; null for none. A function that is named for minting mints also where a cap lets it make less than
 * others need for it.
 */
export function compare(before: Aftermath, after: Aftermath, isNamedMint = false): Harm | null {
  const isLost = after.held.some((held, at) => held * TAKEN_PARTS < (before.held[at] ?? 0n))
  if (isLost || after.pooled * TAKEN_PARTS < before.pooled)
    return { effect: after.supply < before.supply ? 'destroyed' : 'taken', isLate: false }
  if (canTake(after) && !canTake(before)) return { effect: 'taken', isLate: false }
  const grown = after.supply - before.supply
  // Nobody can be given more than there is, unless it is made, whatever the supply says.
  const isTold = after.made * MINTED_PARTS > before.supply && after.gained * MINTED_PARTS > before.supply
  const isMade =
    grown * MINTED_PARTS > before.supply || after.gained > before.supply || isTold || (isNamedMint && grown > 0n)
  if (isMade && before.supply > 0n) return { effect: after.hasPaid ? 'bought' : 'minted', isLate: false }
  if (after.hasRun) return { effect: 'ran', isLate: false }
  return (
    compareWay(before.arrived, after.arrived) ??
    compareWay(before.spent, after.spent) ??
    (countStops(before.lateArrived, after.lateArrived) + countStops(before.lateSpent, after.lateSpent) > 0
      ? { effect: 'stopped', isLate: true }
      : null)
  )
}

type Arrivals = readonly (number | null)[]

/** The harm to one way of a sale: by the holder, or by a stranger that it approved. */
function compareWay(before: Arrivals, after: Arrivals): Harm | null {
  const possible = before.filter((each) => (each ?? 0) >= NOTHING).length
  const stopped = countStops(before, after)
  if (stopped > 0) return { effect: stopped < possible ? 'stopped_one' : 'stopped', isLate: false }
  const isTaxed = after.some((each, at) => (each ?? 0) + TAXED < (before[at] ?? 0))
  return isTaxed ? { effect: 'taxed', isLate: false } : null
}

const countStops = (before: Arrivals, after: Arrivals): number =>
  after.filter((each, at) => (each ?? 0) < NOTHING && (before[at] ?? 0) >= NOTHING).length

const KIND_BY_EFFECT: Readonly<Record<Harm['effect'], PowerKind>> = {
  ran: 'upgrade',
  stopped: 'stop_sales',
  stopped_one: 'blacklist',
  taxed: 'fee',
  bought: 'mint',
  minted: 'mint',
  taken: 'take',
  destroyed: 'destroy',
}

export const kindOf = ({ effect }: Harm): PowerKind => KIND_BY_EFFECT[effect]
