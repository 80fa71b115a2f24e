// The trades that a node supports, best first. Input: a market and holders. Output: the results of purchases and sales.
import type { Asker } from '../node/asker.ts'
import type { Capabilities } from '../node/capabilities.ts'
import { partOf } from '../node/chance.ts'
import type { SafetyPool, SafetyTarget } from '../target.ts'
import type { Market } from './market.ts'
import { pauseOf } from './pause.ts'
import type { SampledHolder } from './sample.ts'
import { canBuy, type Trade, type TradeSetting, tryLaunch, tryPurchase, tryRound, trySales } from './trades.ts'

export interface TradeAnswers {
  /** Strangers bought, and sold in a later block. */
  buys: readonly Trade[]
  laterSales: readonly Trade[]
  /** Real holders sell through a contract that they approve, else by code at their address. */
  holderSales: readonly Trade[]
  /** A purchase and a sale in one call: a refusal means little, because it may be an honest cooldown between trades. */
  sameCall: { buy: Trade; sale: Trade } | null
}

export const NO_TRADES: TradeAnswers = { buys: [], laterSales: [], holderSales: [], sameCall: null }

/** The price of a trial purchase: this part of the pool's side, or little. */
const BUY_PARTS = 1_000n
const LITTLE = 10n ** 15n
/** The time between purchase and sale: a block; after a refusal, longer than an honest cooldown. */
const NEXT_BLOCK_SECONDS = 24

export interface TradeQuestion {
  asker: Asker
  target: SafetyTarget
  pool: SafetyPool
  market: Market
  holders: readonly SampledHolder[]
  can: Capabilities
}

export async function askTrades({ asker, target, pool, market, holders, can }: TradeQuestion): Promise<TradeAnswers> {
  const reserve = pool.token0 === target.token ? pool.reserve1 : pool.reserve0
  const amount = partOf(reserve > BUY_PARTS ? reserve / BUY_PARTS : LITTLE, target.seed, 'purchase', 0.5, 1.5)
  const payer = (target.payers.get(market.quote) ?? []).find((each) => each !== market.pool) ?? null
  const setting: TradeSetting = { seed: target.seed, market, amount, payer }
  const round = can.simulate && canBuy(setting) ? await tryRounds(asker, setting, holders) : null
  if (round) return { ...NO_TRADES, buys: round.buys, laterSales: round.sales, holderSales: round.holderSales }
  const holderSales = can.override ? await trySales(asker, setting, holders) : []
  if (can.override) {
    const buy = canBuy(setting) ? await tryPurchase(asker, setting) : null
    return { ...NO_TRADES, buys: buy ? [buy] : [], holderSales }
  }
  return { ...NO_TRADES, sameCall: can.construct ? await tryLaunch(asker, setting) : null }
}

const isRefused = ({ outcome }: Trade): boolean => outcome?.stage === 'token' || outcome?.stage === 'pool'

/** The sale a block later, and after a refusal a day later. */
async function tryRounds(asker: Asker, setting: TradeSetting, holders: readonly SampledHolder[]) {
  const round = await tryRound(asker, setting, holders, NEXT_BLOCK_SECONDS)
  if (!round?.sales.every(isRefused)) return round
  return (await tryRound(asker, setting, holders, pauseOf(setting.seed))) ?? round
}
