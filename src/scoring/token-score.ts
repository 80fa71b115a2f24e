// A token's score in stored form: the risk, and the other values of lists and profiles.
import { DAY_SECONDS } from '../base/time.ts'
import type { TokenScore } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { LAUNCH_AGE_SECONDS } from '../ledger/facts/launch.ts'
import { summariseHolders } from './early-movers.ts'
import { heldUntil } from './hysteresis.ts'
import { measureShares } from './launch-groups.ts'
import { measureStability, nextLiquidityChange } from './liquidity.ts'
import { organicVolume24h } from './organic.ts'
import { round } from './ramp.ts'
import { nextQuietStep } from './reference-time.ts'
import { writeSummary } from './summary.ts'
import { scoreToken } from './token-risk.ts'
import { scoreTrending } from './trending.ts'
import { SETTLED_HOURS } from './weights.ts'

/** A trade within this time makes the score change every hour. */
const WINDOW_SECONDS = 7 * DAY_SECONDS
/** Windows that end at the block itself. */
const LEFT_SECONDS = [3_600, DAY_SECONDS] as const
/** The facts contain this many days of each pool. */
const MONTH_DAYS = 31
const SETTLED_SECONDS = SETTLED_HOURS * 3_600

/** Everything stored about a token's score, with the summary from facts. */
export function toTokenScore(facts: TokenFacts): TokenScore {
  const risk = scoreToken(facts)
  const stability = measureStability(risk.measures)
  return Object.assign(summariseHolders(facts), {
    tokenId: facts.id,
    block: facts.block.number,
    riskScore: risk.riskScore,
    riskLevel: risk.level,
    flags: risk.flags,
    confidence: risk.confidence,
    shares: facts.launch && measureShares(facts.launch),
    trendingScore: scoreTrending(facts, risk.measures, risk.riskScore),
    // An unknown dimension has neutral points, which are no measurement.
    holderConcentrationScore: risk.measures.topTenShare === null ? null : round(risk.dimensions.holders.value),
    liquidityStabilityScore: stability === null ? null : round(stability),
    washTradeScore:
      facts.swaps.length === 0 || risk.measures.matchedShare === null ? null : round(risk.dimensions.wash.value),
    smartMoneyFlowScore: risk.measures.smartFlow === null ? null : round(100 - risk.dimensions.smart_money.value),
    summary: writeSummary(facts, risk),
    summarySource: 'facts' as const,
    sellable: facts.contract?.sellCheck.sellable ?? null,
    heldUntil: heldUntil(risk.explanation.floors, facts),
    withdrawerId: risk.measures.withdrawer?.id ?? null,
    organicVolume24hUsd: organicVolume24h(facts, risk.washSwaps),
    clusterWalletIds: risk.clusterWalletIds,
    clusterMap: risk.clusterMap,
    // Trading the money of the chain back and forth makes no volume of a launch.
    washerIds: facts.isQuote ? [] : risk.washerIds,
    explanation: risk.explanation,
  })
}

/** When the score changes by time alone, in seconds since 1970: a held level's end, a due launch, or `nextChange`. Null: never. */
export function nextTokenChange(facts: TokenFacts, score: Pick<TokenScore, 'heldUntil'>): number | null {
  const next = Math.min(
    score.heldUntil ?? Number.POSITIVE_INFINITY,
    nextChange(facts) ?? Number.POSITIVE_INFINITY,
    facts.launch === null ? facts.block.time + LAUNCH_AGE_SECONDS : Number.POSITIVE_INFINITY,
  )
  return Number.isFinite(next) ? next : null
}

/**
 * The earliest of several times. Trading in seven days gives the next hour, a step of quiet, and a trade that leaves
 * the hour or the day. The token's age gives the next day while it is young. The end of a lock, the decay of a flag and
 * a pool's day that leaves the month are the others.
 */
function nextChange(facts: TokenFacts): number | null {
  const now = facts.block.hourTime
  if ((facts.swaps.at(-1)?.time ?? Number.NEGATIVE_INFINITY) > now - WINDOW_SECONDS)
    return Math.min(
      now + 3_600,
      nextQuietStep(facts) ?? Number.POSITIVE_INFINITY,
      ...LEFT_SECONDS.map((seconds) => nextLeave(facts, seconds)),
    )
  const leaving = facts.pools.flatMap(({ days }) => days.slice(0, 1).map(({ day }) => (day + MONTH_DAYS) * DAY_SECONDS))
  const changes = [nextLiquidityChange(facts) ?? Number.POSITIVE_INFINITY, ...leaving.filter((time) => time > now)]
  if (now - newestChange(facts) <= SETTLED_SECONDS) changes.push((Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS)
  const next = Math.min(...changes)
  return Number.isFinite(next) ? next : null
}

/** The time when the oldest trade of a window that ends at the block leaves it. */
function nextLeave({ swaps, block }: TokenFacts, seconds: number): number {
  const oldest = swaps.find((swap) => swap.time > block.time - seconds)
  return oldest ? oldest.time + seconds : Number.POSITIVE_INFINITY
}

/** The time of the first liquidity or of its last change of hands. */
const newestChange = ({ firstLiquidityAt, createdAt, pools }: TokenFacts): number =>
  Math.max(
    firstLiquidityAt ?? createdAt,
    ...pools.flatMap((pool) => (pool.providers ?? []).map((provider) => provider.since)),
  )
