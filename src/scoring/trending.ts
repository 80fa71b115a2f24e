// The current activity of a token: its last hour compared with its last day, zero below a minimum liquidity, and
// reduced by risk.

import { holderGrowthPct } from '../fields/formulas.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import type { TokenMeasures } from './measures.ts'
import { ramp, round } from './ramp.ts'
import { TRENDING } from './weights.ts'

/**
 * 0-100: (100 - risk) x (.35 traders + .35 volume + .2 growth + .1 volume of the day). Traders and volume are ramps of
 * the last hour times (1 + surge) / 2. The surge is hour / (hour + mean hour of the day). It is 0 below $1,000 of
 * liquidity.
 */
export function scoreTrending(facts: TokenFacts, measures: TokenMeasures, riskScore: number): number {
  if (facts.liquidityUsd < TRENDING.minLiquidityUsd) return 0
  const { weights } = TRENDING
  const traders = measures.traderCount1h ?? 0
  const volumeUsd = measures.cleanVolume1hUsd
  const holders = facts.fundedHolderCount ?? 0
  const growth = holderGrowthPct(holders, facts.fundedHolderCount1hAgo ?? holders)
  const heat =
    weights.traders * ramp(Math.log10(1 + traders), TRENDING.traders) * damp(traders, measures.traderCount24h ?? 0) +
    weights.volume * ramp(Math.log10(1 + volumeUsd), TRENDING.volume) * damp(volumeUsd, measures.cleanVolume24hUsd) +
    weights.growth * ramp(growth, TRENDING.growthPct) * ramp(holders, TRENDING.holders) +
    // Without it most tokens would be equal at 0 in an hour without trades.
    weights.day * ramp(Math.log10(1 + measures.cleanVolume24hUsd), TRENDING.volume)
  return round((100 - riskScore) * heat, 4)
}

const damp = (hour: number, day: number): number => (hour > 0 ? (1 + hour / (hour + day / 24)) / 2 : 0)
