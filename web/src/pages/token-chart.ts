// Selects the candles of a token's page: the reader's choice, else those that suit the token.
import type { ResultOf } from 'gql.tada'
import { secondsBetween } from '../format.ts'
import { type Interval, isOfMinutes } from '../parts/intervals.tsx'
import type { TOKEN } from './token-query.ts'

export type TokenData = NonNullable<ResultOf<typeof TOKEN>['token']>
export type ChartToken = Pick<
  TokenData,
  | 'candles'
  | 'riskSeries'
  | 'added'
  | 'removed'
  | 'history'
  | 'verdict'
  | 'pools'
  | 'newest'
  | 'lastPriceUsd'
  | 'decimals'
>

/** Below this age a token has few hours to show. */
const YOUNG_HOURS = 12
/** The hours in a chart of hours. */
const SHOWN_HOURS = 168

/** Scores have no points of minutes. */
export const toVariables = (address: string, chosen: Interval | null) => {
  const interval = chosen ?? 'h1'
  const riskInterval = isOfMinutes(interval) ? ('h1' as const) : interval
  return { address, interval, riskInterval, isChosen: chosen !== null }
}

/**
 * A young token has no hours to show yet, and an abandoned one has none in sight. `now`: the time of the newest block.
 */
export function suitingInterval({ ageHours, events }: TokenData, now: string | null): Interval {
  if (ageHours < YOUNG_HOURS) return 'm5'
  const quietSeconds = secondsBetween(events.nodes[0]?.timestamp, now)
  return quietSeconds !== null && quietSeconds > SHOWN_HOURS * 3_600 ? 'd1' : 'h1'
}

/** The chart of the interval, from an answer that has several. */
export function chartOf(token: TokenData, interval: Interval): ChartToken {
  const { m5, d1, d1Risk } = token
  if (interval === 'm5' && m5) return { ...token, candles: m5 }
  if (interval === 'd1' && d1 && d1Risk) return { ...token, candles: d1, riskSeries: d1Risk }
  return token
}
