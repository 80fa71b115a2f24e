// All calls of a check about sales. Input: the target and the node's capabilities. Output: answers, which the judgement
// weighs; this file concludes nothing.
import type { Address } from '../../base/address.ts'
import { encodeCall, readUint, SELECTORS } from '../../chain/contracts/abi.ts'
import type { Asker } from '../node/asker.ts'
import type { Capabilities } from '../node/capabilities.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyPool, SafetyTarget } from '../target.ts'
import { accountOf } from './chance.ts'
import { READ_GAS } from './gas.ts'
import { keeperOf, type Market, toMarket } from './market.ts'
import { DAY_SECONDS, isFresh, pauseOf } from './pause.ts'
import { type SampledHolder, sampleHolders } from './sample.ts'
import { type SendAnswer, type SendSetting, spendPlan, transferPlan, trySends } from './sends.ts'
import { askTrades, NO_TRADES, type TradeAnswers } from './trial.ts'

export interface HeldBalance {
  holder: Address
  /** Raw units, by the ledger. */
  expected: bigint
  /** By the contract; null if it does not answer. */
  found: bigint | null
  call: RpcCall
}

export interface SaleAnswers extends TradeAnswers {
  pool: SafetyPool | null
  market: Market | null
  holders: readonly SampledHolder[]
  /** Holders send to the pool. */
  sends: readonly SendAnswer[]
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
}

const LATER_SECONDS = 30 * DAY_SECONDS
const BALANCES = 10
const SPENDERS = 2

export async function askSale(asker: Asker, target: SafetyTarget, can: Capabilities): Promise<SaleAnswers> {
  const pool = target.pools.find((each) => keeperOf(each) !== null) ?? null
  const keeper = pool && keeperOf(pool)
  const holders = sampleHolders(target, pool ?? undefined, asker.block.time)
  const setting = {
    seed: target.seed,
    gasPrice: target.gasPrice,
    canOverride: can.override,
    canWait: can.later,
    laterSeconds: 0,
  }
  const balances = await askBalances(asker, target)
  const asked = { pool, market: pool && toMarket(pool, target), holders, balances }
  if (!pool || !keeper || !can.execute) return { ...NOTHING, ...asked }
  const first = await askSends(asker, target, holders, keeper, setting)
  const again = await sendAgain(asker, target, holders, keeper, first.sends, setting)
  const trades = asked.market ? await askTrades({ asker, target, pool, market: asked.market, holders, can }) : NO_TRADES
  return { ...NOTHING, ...asked, ...first, ...again, ...trades }
}

const NOTHING = {
  ...NO_TRADES,
  sends: [],
  delivery: null,
  freeSends: [],
  restedSends: [],
  lateSends: [],
  spends: [],
  strangerSpend: null,
} as const

async function askBalances(asker: Asker, { token, holders }: SafetyTarget): Promise<HeldBalance[]> {
  const sampled = holders.filter(({ balance }) => balance > 0n).slice(0, BALANCES)
  const replies = await asker.ask(
    sampled.map(({ address }) => ({
      method: 'eth_call',
      params: [{ to: token, data: encodeCall(SELECTORS.balanceOf, address), gas: READ_GAS }, asker.block.tag],
    })),
  )
  return sampled.flatMap(({ address, balance }, at) => {
    const reply = replies[at]
    if (!reply || reply.kind === 'failed') return []
    const found = reply.kind === 'result' ? readUint(reply.result) : null
    return [{ holder: address, expected: balance, found, call: reply.call }]
  })
}

/** Holders send to the pool, the pool sends to a stranger, insiders and a stranger spend a holder's tokens: in one batch. */
async function askSends(
  asker: Asker,
  target: SafetyTarget,
  holders: readonly SampledHolder[],
  keeper: Address,
  setting: SendSetting,
) {
  const { token, seed, deployer, insiders } = target
  const stranger = accountOf(seed, 'stranger')
  const spenders = [...new Set([...(deployer ? [deployer] : []), ...insiders])].slice(0, SPENDERS)
  const [victim] = holders
  const plans = [
    ...holders.map(({ address, amount }) => transferPlan(token, address, keeper, amount)),
    ...(victim ? [transferPlan(token, keeper, stranger, victim.amount)] : []),
    ...(victim
      ? [stranger, ...spenders].map((spender) => spendPlan(token, spender, victim.address, victim.amount))
      : []),
  ]
  const sent = await trySends(asker, plans, setting)
  const [delivery = null, strangerSpend = null, ...spends] = sent.slice(holders.length)
  return { sends: sent.slice(0, holders.length), delivery, strangerSpend, spends }
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
  const plansOf = (those: readonly SampledHolder[]) =>
    those.map(({ address, amount }) => transferPlan(token, address, keeper, amount))
  const having = (outcome: SendAnswer['outcome']) =>
    holders.filter(({ address }) => sends.some((send) => send.from === address && send.outcome === outcome))
  const refused = having('refused')
  const freeSends = await trySends(asker, plansOf(refused.slice(0, AGAIN)), { ...setting, gasPrice: 0n })
  if (!setting.canWait) return { freeSends, restedSends: [], lateSends: [] }
  const ask = (those: readonly SampledHolder[], laterSeconds: number) =>
    trySends(asker, plansOf(those), { ...setting, laterSeconds })
  return {
    freeSends,
    restedSends: await ask(refused.filter(isFresh), pauseOf(seed)),
    lateSends: await ask(having('sent').slice(0, AGAIN), LATER_SECONDS),
  }
}
