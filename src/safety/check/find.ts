// Named findings, each with the least risk that it implies. Input: the results of the trials, the code and the logs.
// Output: findings, the strongest first. Pure. The strengths were set on a zoo of 25 tokens: each trap has one of at
// least 50, no honest token has one above 30.
import { DAY_SECONDS } from '../../base/time.ts'
import type { ContractFinding } from '../../base/vocabulary.ts'
import type { LogFacts } from '../log-facts.ts'
import type { Power, RpcCall, SafetyFinding } from '../report.ts'
import { areGone, type HeldBalance, isGone, MIN_GONE } from '../sale/balances.ts'
import type { SaleAnswers } from '../sale/sale.ts'
import type { TakenTransfer } from './find-robbed.ts'
import type { RealTaxes } from './measure-taxes.ts'
import { isOnlyWaiting, type SaleWeight } from './weigh-sale.ts'

const STRENGTH: Readonly<Record<ContractFinding, number>> = {
  cannot_sell: 95,
  balances_gone: 95,
  extreme_tax: 95,
  taken_without_approval: 90,
  nobody_can_buy: 85,
  late_mint: 70,
  time_bomb: 70,
  spends_without_allowance: 70,
  hides_from_simulation: 70,
  answers_differ: 55,
  hidden_power: 55,
  confiscating_power: 55,
  high_tax: 50,
  open_power: 30,
  few_buyers_sold: 0,
  // Just below critical: it hardly moves with the rest of the score.
  new_buyers_refused: 64,
  run_of_buys: 0,
}

/** A block counts as deliberate from this number of the sampled holders on, while others sell. */
const SOME_BLOCKED = { least: 2, strength: 50 } as const
/** The same from this share on. */
const MANY_BLOCKED = { part: 1 / 3, strength: 75 } as const
const EXTREME_TAX_PCT = 50
const HIGH_TAX_PCT = 20
const LATE_MINT_PCT = 50
/** With this many old buyers, a share of sellers below this one is rare. */
const OLD_BUYERS = 40
const FEW_SOLD = 0.12
const RARE = 1e-6
/** This number is enough if others have their balance: recent buyers have the tokens that they bought. */
const SOME_GONE_STRENGTH = 75

type Detail = Partial<Pick<SafetyFinding, 'numbers' | 'power' | 'call'>>

const finding = (name: ContractFinding, { numbers = {}, power = null, call = null }: Detail = {}): SafetyFinding => ({
  name,
  strength: STRENGTH[name],
  numbers,
  power,
  call,
})

export interface Evidence {
  answers: SaleAnswers
  weight: SaleWeight
  /** Whether the sale counts as checked. */
  isChecked: boolean
  powers: readonly Power[] | null
  taken: readonly TakenTransfer[]
  logs: LogFacts | null
  taxes: RealTaxes
  /** A call with two different answers at the same block. */
  differing: RpcCall | null
  /** The logs of its mints since the launch. */
  mints: RpcCall | null
}

export function findAll({
  answers,
  weight,
  isChecked,
  powers,
  taken,
  logs,
  taxes,
  differing,
  mints,
}: Evidence): SafetyFinding[] {
  // Of two findings of equal strength the cause comes first: a holder without tokens cannot sell either.
  const found = [
    ...balanceFindings(answers.balances),
    ...(isChecked ? saleFindings(answers, weight) : []),
    ...waitingFindings(answers, weight),
    ...taxFindings(weight, taxes),
    ...spendFindings(answers),
    ...takenFindings(taken),
    ...(logs ? logFindings(logs, mints) : []),
    ...(powers ?? []).flatMap(powerFinding),
    ...(differing ? [finding('answers_differ', { call: differing })] : []),
  ]
  return found.toSorted((a, b) => b.strength - a.strength)
}

function saleFindings({ freeSends, lateSends }: SaleAnswers, weight: SaleWeight): SafetyFinding[] {
  const { sellable, buyable, tried, blocked, refusal, refusedBuy } = weight
  const free = freeSends.find(({ outcome }) => outcome === 'sent')
  const late = lateSends.filter(({ outcome }) => outcome !== 'unknown')
  const refusedLate = late.filter(({ outcome }) => outcome === 'refused')
  const isBomb = sellable === true && refusedLate.length > 0 && refusedLate.length === late.length
  const { strength } = blocked >= MANY_BLOCKED.part * tried ? MANY_BLOCKED : SOME_BLOCKED
  const areSomeBlocked = blocked >= SOME_BLOCKED.least
  // Where balances are gone nobody was refused, and their own finding tells it.
  const isRefused = sellable === false && refusal !== null
  const stuck = finding('cannot_sell', { numbers: { tried, blocked }, call: refusal?.call ?? null })
  return [
    ...(isRefused ? [stuck] : areSomeBlocked ? [{ ...stuck, strength }] : []),
    ...(buyable === false ? [finding('nobody_can_buy', { call: refusedBuy })] : []),
    ...(free ? [finding('hides_from_simulation', { call: free.call })] : []),
    ...(isBomb ? [finding('time_bomb', { numbers: { days: 30 }, call: refusedLate[0]?.call ?? null })] : []),
  ]
}

/** A single one may be in an honest pause. Where others can sell, it is only a hint. */
const ONE_WAITING_STRENGTH = 30

/** Refused buyers of the last hour, where no later trial could be made. A launch venue may forbid transfers. */
function waitingFindings({ pool }: SaleAnswers, weight: SaleWeight): SafetyFinding[] {
  const { waiting, blocked } = weight
  if (waiting.count === 0 || blocked > 0 || pool?.kind === 'curve') return []
  const numbers = { tried: waiting.count, blocked: waiting.count }
  const found = finding('new_buyers_refused', { numbers, call: waiting.refusal?.call ?? null })
  if (!isOnlyWaiting(weight)) return [{ ...found, strength: 0 }]
  return [waiting.count < SOME_BLOCKED.least ? { ...found, strength: ONE_WAITING_STRENGTH } : found]
}

/** The higher of the trial's loss and that of real trades. */
function taxFindings({ buyTaxPct, sellTaxPct, taxCall }: SaleWeight, real: RealTaxes): SafetyFinding[] {
  const [buy, sell] = [Math.max(buyTaxPct ?? 0, real.buyTaxPct ?? 0), Math.max(sellTaxPct ?? 0, real.sellTaxPct ?? 0)]
  const pct = Math.max(buy, sell)
  if (pct < HIGH_TAX_PCT) return []
  const isTried = Math.max(buyTaxPct ?? 0, sellTaxPct ?? 0) >= pct
  const call = isTried ? taxCall : real.call
  const name = pct >= EXTREME_TAX_PCT ? 'extreme_tax' : 'high_tax'
  return [finding(name, { numbers: { pct, buyPct: buy, sellPct: sell }, call })]
}

function balanceFindings(balances: readonly HeldBalance[]): SafetyFinding[] {
  const gone = balances.filter(isGone)
  if (gone.length < MIN_GONE) return []
  const numbers = { asked: balances.length, differ: gone.length }
  const found = finding('balances_gone', { numbers, call: gone[0]?.call ?? null })
  return [areGone(balances) ? found : { ...found, strength: SOME_GONE_STRENGTH }]
}

/** If a stranger can spend it as well, the allowance is open to everybody, or the answer is meaningless. */
function spendFindings({ spends, strangerSpend }: SaleAnswers): SafetyFinding[] {
  const spend = spends.find(({ outcome }) => outcome === 'sent')
  if (!spend || strangerSpend?.outcome !== 'refused') return []
  return [finding('spends_without_allowance', { call: spend.call })]
}

function takenFindings(taken: readonly TakenTransfer[]): SafetyFinding[] {
  const [newest] = taken
  return newest ? [finding('taken_without_approval', { numbers: { times: taken.length }, call: newest.call })] : []
}

function logFindings(logs: LogFacts, mints: RpcCall | null): SafetyFinding[] {
  const { lateMintedPct, oldBuyers, oldBuyersThatSold, buyRun, buyRunChance } = logs
  const few = oldBuyers >= OLD_BUYERS && oldBuyersThatSold < FEW_SOLD * oldBuyers
  return [
    ...(lateMintedPct >= LATE_MINT_PCT ? [finding('late_mint', { numbers: { pct: lateMintedPct }, call: mints })] : []),
    ...(few ? [finding('few_buyers_sold', { numbers: { buyers: oldBuyers, sold: oldBuyersThatSold } })] : []),
    ...(buyRunChance < RARE ? [finding('run_of_buys', { numbers: { buys: buyRun } })] : []),
  ]
}

/** Another account than the known ones may have it. */
const NOBODY_KNOWN_STRENGTH = 15

/** A power without a holder, or with a day's notice, is listed and costs nothing. */
function powerFinding(power: Power): SafetyFinding[] {
  if (power.renounced || power.delaySeconds >= DAY_SECONDS) return []
  if (power.holderKind === 'nobody_known')
    return [{ ...finding('open_power', { power, call: power.call }), strength: NOBODY_KNOWN_STRENGTH }]
  if (power.hidden) return [finding('hidden_power', { power, call: power.call })]
  if (power.kind === 'take' || power.kind === 'destroy')
    return [finding('confiscating_power', { power, call: power.call })]
  return [finding('open_power', { power, call: power.call })]
}
