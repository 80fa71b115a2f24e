// The intervals of time series, and the windows of recent activity.

/** Names of the intervals, the shortest first. */
export const INTERVALS = ['m1', 'm5', 'm15', 'h1', 'h4', 'd1'] as const
export type Interval = (typeof INTERVALS)[number]

/** Their lengths in seconds. Each begins at a multiple of its length since 1970, so a d1 is a day in UTC. */
export const INTERVAL_SECONDS: Readonly<Record<Interval, number>> = {
  m1: 60,
  m5: 300,
  m15: 900,
  h1: 3_600,
  h4: 14_400,
  d1: 86_400,
}

/** Names of the windows, the shortest first. All end at the block of the answer. */
export const WINDOWS = ['m5', 'h1', 'h6', 'h24', 'd7'] as const
export type TrailingWindow = (typeof WINDOWS)[number]

/** Their lengths in seconds. */
export const WINDOW_SECONDS: Readonly<Record<TrailingWindow, number>> = {
  m5: 300,
  h1: 3_600,
  h6: 21_600,
  h24: 86_400,
  d7: 604_800,
}
