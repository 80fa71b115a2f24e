// How long the limited histories are kept.

/** Days before the newest final block for which candles of a minute are kept. */
export const MINUTES_KEPT_DAYS = 2

/** Days before the newest final block for which candles of five minutes are kept. */
export const FIVE_MINUTES_KEPT_DAYS = 14
