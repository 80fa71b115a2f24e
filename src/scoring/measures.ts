// A token's facts -> every number that its score, flags and trending read, by name. Null: not known.
import type { SwapFacts, TokenFacts } from '../ledger/facts.ts'
import { type HolderMeasures, measureHolders } from './holders.ts'
import { type LiquidityMeasures, measureLiquidity } from './liquidity.ts'
import { measureSignals, type TokenSignals } from './signals.ts'
import { measureSmartMoney, type SmartMoneyMeasures } from './smart-money.ts'
import { clusterToken, measureSybil, type SybilMeasures } from './sybil.ts'
import { measureTrades, type TradeMeasures } from './trades.ts'
import { measureWash, type WashMeasures } from './wash.ts'

export type TokenMeasures = LiquidityMeasures &
  HolderMeasures &
  WashMeasures &
  SmartMoneyMeasures &
  SybilMeasures &
  TradeMeasures &
  TokenSignals

/** All measures of a token as of its block, and the swaps that count as wash. */
export function measureToken(facts: TokenFacts): { measures: TokenMeasures; washSwaps: ReadonlySet<SwapFacts> } {
  const clusters = clusterToken(facts)
  const wash = measureWash(facts, clusters)
  const measures = {
    ...measureLiquidity(facts),
    ...measureHolders(facts, clusters),
    ...wash.measures,
    ...measureSmartMoney(facts),
    ...measureSybil(facts, clusters),
    ...measureTrades(facts, wash.matched),
    ...measureSignals(facts),
  }
  return { measures, washSwaps: wash.matched }
}
