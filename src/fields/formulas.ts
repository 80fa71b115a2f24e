// Numbers of a token that follow from others. The statements of src/ledger compute exactly the same.

/**
 * Growth of the number of holders with a dollar in the past hour, in percent; with 0 before, each new one counts as 100
 * %. Rounded to four decimals, as it is printed, so that a token passes a bound equal to its printed growth.
 */
export const holderGrowthPct = (now: number, hourAgo: number): number =>
  Math.floor((1e6 * (now - hourAgo)) / Math.max(hourAgo, 1) + 0.5) / 1e4

/** The age in hours with four decimals, as it is printed: each second has its own number. */
export const ageHours = (createdAtMs: number, nowMs: number): number =>
  Math.floor((nowMs - createdAtMs) / 360 + 0.5) / 1e4
