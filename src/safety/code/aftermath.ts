// What holders can still do after an act of somebody. Input: an act, and two holders. Output: one `eth_simulateV1`: the act, then in the next
// block what everybody holds and a transfer of each holder to the pool, then the same 30 days later. Compared with the same without the act.
import type { Address } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { readUint } from '../../chain/contracts/abi.ts'
import type { Asker, Reply } from '../node/asker.ts'
import { callData, type Hex, hexQuantity, selectorOf } from '../node/words.ts'
import type { PowerKind, RpcCall } from '../report.ts'
import { ACT_GAS, blockLike, gasPriceOf, purseOf, READ_GAS, sendGasOf } from '../sale/gas.ts'
import type { SampledHolder } from '../sale/sample.ts'

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
  /** Contracts of ours that an act may name. */
  code: Readonly<Record<Address, Hex>>
}

/** Null where the node did not do the act, or it reverted. */
export interface Aftermath {
  supply: bigint
  callerHeld: bigint
  held: readonly bigint[]
  /** What arrived at the pool of each 10,000 units that were sent; null: refused. Now and 30 days later. */
  arrived: readonly (number | null)[]
  lateArrived: readonly (number | null)[]
}

const BALANCE = selectorOf('balanceOf(address)')
const SUPPLY = selectorOf('totalSupply()')
const TRANSFER = selectorOf('transfer(address,uint256)')
const LATER_SECONDS = 30 * 86_400
const SECONDS_BETWEEN = 12
/** Holders send twice, so each time less than half of what they hold. */
const PARTS = 4n

/** The holders that a trial watches. */
const WATCHED = 2

export function aftermathCall(asker: Asker, setting: TrialSetting, act: TrialAct | null): RpcCall {
  const { token, keeper, gasPrice, seed, code } = setting
  const holders = setting.holders.slice(0, WATCHED)
  const price = hexQuantity(gasPriceOf(asker.block, gasPrice))
  const read = (data: Hex) => ({ to: token, data, gas: READ_GAS })
  const balance = (of: Address) => read(callData(BALANCE, of))
  const transfers = holders.flatMap(({ address, amount }) => [
    balance(keeper),
    {
      from: address,
      to: token,
      data: callData(TRANSFER, keeper, partOfAmount(amount)),
      gas: sendGasOf(seed, address),
      gasPrice: price,
    },
    balance(keeper),
  ])
  const purses = Object.fromEntries(
    [...holders.map(({ address }) => address), ...(act ? [act.from] : [])].map((who) => [
      who,
      { balance: hexQuantity(purseOf(seed, who)) },
    ]),
  )
  const codes = Object.fromEntries(Object.entries(code).map(([address, hex]) => [address, { code: hex }]))
  const like = blockLike(asker.block, seed)
  const time = (seconds: number) => ({ blockOverrides: { ...like, time: hexQuantity(asker.block.time + seconds) } })
  const blocks = [
    {
      blockOverrides: like,
      stateOverrides: { ...purses, ...codes },
      calls: act ? [{ ...act, gas: ACT_GAS, gasPrice: price }] : [],
    },
    {
      ...time(2 * SECONDS_BETWEEN),
      calls: [
        read(SUPPLY),
        balance(act?.from ?? keeper),
        ...holders.map(({ address }) => balance(address)),
        ...transfers,
      ],
    },
    { ...time(LATER_SECONDS), calls: transfers },
  ]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: blocks, validation: false }, asker.block.tag] }
}

const partOfAmount = (amount: bigint): bigint => (amount < PARTS ? 1n : amount / PARTS)

interface CallResult {
  status?: unknown
  returnData?: unknown
}

/** Null: the act reverted, or the node did not answer. */
export function readTrial(reply: Reply, setting: TrialSetting, hasAct: boolean): Aftermath | null {
  if (reply.kind !== 'result' || !Array.isArray(reply.result)) return null
  const [acts, now, later] = reply.result.map(({ calls }: { calls?: CallResult[] }) => calls ?? [])
  if (!acts || !now || !later || (hasAct && acts[0]?.status !== '0x1')) return null
  const holders = setting.holders.slice(0, WATCHED)
  const valueAt = (at: number) => readUint(isHex(now[at]?.returnData) ? now[at].returnData : '0x') ?? 0n
  const first = 2 + holders.length
  return {
    supply: valueAt(0),
    callerHeld: valueAt(1),
    held: holders.map((_, at) => valueAt(2 + at)),
    arrived: holders.map(({ amount }, at) => readArrived(now.slice(first + 3 * at), amount)),
    lateArrived: holders.map(({ amount }, at) => readArrived(later.slice(3 * at), amount)),
  }
}

/** Of a balance, a transfer and the balance again. */
function readArrived([before, transfer, after]: readonly CallResult[], amount: bigint): number | null {
  const isRefused = transfer?.status !== '0x1' || /^0x0{64}$/.test(String(transfer.returnData))
  if (isRefused) return null
  const [had, has] = [before, after].map((each) => readUint(isHex(each?.returnData) ? each.returnData : '0x') ?? 0n)
  const gain = (has ?? 0n) - (had ?? 0n)
  return gain <= 0n ? 0 : Number((gain * 10_000n) / partOfAmount(amount))
}

/** What an act did to others. */
export interface Harm {
  effect: 'stopped' | 'stopped_one' | 'taxed' | 'minted' | 'taken' | 'destroyed'
  /** Only 30 days later. */
  isLate: boolean
}

/** A fee that an act adds to: of 10,000 units. */
const TAXED = 2_000
/** Less than this arrives: nothing does. */
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
  if (grown * MINTED_PARTS > before.supply && before.supply > 0n) return { effect: 'minted', isLate: false }
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
