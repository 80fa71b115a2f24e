// All calls of a check about sales. Input: the target and the node's capabilities. Output: answers, which the judgement
// weighs; this file concludes nothing.
import type { Address } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { Asker } from '../node/asker.ts'
import type { Capabilities } from '../node/capabilities.ts'
import { accountOf } from '../node/chance.ts'
import type { Multiplier } from '../report.ts'
import type { TellStep } from '../step.ts'
import type { SafetyPool, SafetyTarget } from '../target.ts'
import { askBalances, balanceCalls, findPoor, type HeldBalance } from './balances.ts'
import { keeperOf, type Market, toMarket } from './market.ts'
import { askMultiplier, toRawBalances } from './multiplier.ts'
import { isFresh, pauseOf } from './pause.ts'
import { callRoll, NO_ROLL_CALL, type RollCall } from './roll-call.ts'
import { type HolderSample, type SampledHolder, sampleHolders } from './sample.ts'
import {
  confirmSends,
  endedAs,
  plansOf,
  prepareSenders,
  type SendAnswer,
  type SendSetting,
  spendPlan,
  transferPlan,
  trySends,
} from './sends.ts'
import { askTrades, NO_TRADES, type TradeAnswers } from './trial.ts'

export interface SaleAnswers extends TradeAnswers, RollCall {
  pool: SafetyPool | null
  market: Market | null
  holders: readonly SampledHolder[]
  /** Holders send to the pool. */
  sends: readonly SendAnswer[]
  /** Refused ones that have less than they were to send. */
  poor: ReadonlySet<Address>
  /** The pool sends to a stranger. */
  delivery: SendAnswer | null
  /** The refused ones again, like a careless check: without a gas price. */
  freeSends: readonly SendAnswer[]
  /** The refused ones of recent buyers, a day later. */
  restedSends: readonly SendAnswer[]
  /** The others again, 30 days later. */
  lateSends: readonly SendAnswer[]
  /** Insiders spend holders' tokens; a stranger does the same for comparison. */
  spends: readonly SendAnswer[]
  strangerSpend: SendAnswer | null
  balances: readonly HeldBalance[]
  multiplier: Multiplier | null
}

const LATER_SECONDS = 30 * DAY_SECONDS
const BALANCES = 10
const SPENDERS = 2

export async function askSale(
  asker: Asker,
  target: SafetyTarget,
  can: Capabilities,
  tell: TellStep,
): Promise<SaleAnswers> {
  const pool = target.pools.find((each) => keeperOf(each) !== null) ?? null
  const keeper = pool && keeperOf(pool)
  const sample = sampleHolders(target, pool ?? undefined, asker.block.time)
  const { holders } = sample
  tell('trials', keeper && can.execute ? holders.length : 0)
  const setting = {
    seed: target.seed,
    isFree: false,
    canOverride: can.override,
    canWait: can.later,
    laterSeconds: 0,
  }
  const owners = target.holders.filter(({ balance }) => balance > 0n).slice(0, BALANCES)
  prepareSale(asker, target, sample, keeper)
  const [multiplier, held] = await Promise.all([
    askMultiplier(asker, target.token),
    askBalances(asker, target.token, owners),
  ])
  const balances = toRawBalances(held, multiplier)
  const asked = { pool, market: pool && toMarket(pool, target), holders, balances, multiplier }
  if (!pool || !keeper || !can.execute) return { ...NOTHING, ...asked }
  const [{ first, again, roll }, trades] = await Promise.all([
    tryHolders(asker, target, sample, keeper, setting),
    asked.market ? askTrades({ asker, target, pool, market: asked.market, holders, can }) : NO_TRADES,
  ])
  return { ...NOTHING, ...asked, ...first, ...again, ...roll, ...trades }
}

async function tryHolders(
  asker: Asker,
  target: SafetyTarget,
  sample: HolderSample,
  keeper: Address,
  setting: SendSetting,
) {
  const { holders } = sample
  const sending = askSends(asker, target, holders, keeper, setting)
  const [first, again, roll] = await Promise.all([
    sending,
    sending.then(({ sends }) => sendAgain(asker, target, holders, keeper, sends, setting)),
    callRoll(
      asker,
      target,
      sample,
      keeper,
      sending.then(({ sends }) => sends),
      setting,
    ),
  ])
  return { first, again, roll }
}

const spendersOf = ({ deployer, insiders }: SafetyTarget): Address[] =>
  [...new Set([...(deployer ? [deployer] : []), ...insiders])].slice(0, SPENDERS)

/** Reads balances and codes for the trials of holders, along with the first questions. */
function prepareSale(asker: Asker, target: SafetyTarget, { holders, others }: HolderSample, keeper: Address | null) {
  const all = [...holders, ...others]
  const senders = [...all.map(({ address }) => address), ...spendersOf(target), accountOf(target.seed, 'stranger')]
  prepareSenders(asker, [...senders, ...(keeper ? [keeper] : [])])
  asker.prepare(balanceCalls(asker, target.token, all))
}

const NOTHING = {
  ...NO_TRADES,
  ...NO_ROLL_CALL,
  sends: [],
  poor: new Set<Address>(),
  delivery: null,
  freeSends: [],
  restedSends: [],
  lateSends: [],
  spends: [],
  strangerSpend: null,
} as const

/** Holders send to the pool, the pool sends to a stranger, insiders and a stranger spend a holder's tokens: in one batch. */
async function askSends(
  asker: Asker,
  target: SafetyTarget,
  holders: readonly SampledHolder[],
  keeper: Address,
  setting: SendSetting,
) {
  const { token, seed } = target
  const stranger = accountOf(seed, 'stranger')
  const spenders = spendersOf(target)
  const [victim] = holders
  const plans = [
    ...plansOf(token, keeper, holders),
    ...(victim ? [transferPlan(token, keeper, stranger, victim.amount)] : []),
    ...(victim
      ? [stranger, ...spenders].map((spender) => spendPlan(token, spender, victim.address, victim.amount))
      : []),
  ]
  const split = (sent: readonly SendAnswer[]) => {
    const [delivery = null, strangerSpend = null, ...spends] = sent.slice(holders.length)
    return { sends: sent.slice(0, holders.length), delivery, strangerSpend, spends }
  }
  const told = split(await trySends(asker, plans, setting))
  const accusing = told.spends.filter(({ outcome }) => outcome === 'sent')
  const sends = await confirmSends(asker, told.sends, accusing)
  if (sends) return { ...told, sends }
  asker.distrust()
  return split(await trySends(asker, plans, setting))
}

const AGAIN = 2

async function sendAgain(
  asker: Asker,
  { token, seed }: SafetyTarget,
  holders: readonly SampledHolder[],
  keeper: Address,
  sends: readonly SendAnswer[],
  setting: SendSetting,
) {
  const refused = endedAs('refused', holders, sends)
  const poor = await findPoor(asker, token, refused)
  const able = refused.filter(({ address }) => !poor.has(address))
  const ask = (those: readonly SampledHolder[], change: Partial<SendSetting>) =>
    trySends(asker, plansOf(token, keeper, those), { ...setting, ...change })
  const [free, sent] = [able.slice(0, AGAIN), endedAs('sent', holders, sends).slice(0, AGAIN)]
  const [freeSends, restedSends, lateSends] = await Promise.all([
    ask(free, { isFree: true }),
    setting.canWait ? ask(able.filter(isFresh), { laterSeconds: pauseOf(seed) }) : [],
    setting.canWait ? ask(sent, { laterSeconds: LATER_SECONDS }) : [],
  ])
  return { poor, freeSends, restedSends, lateSends }
}
