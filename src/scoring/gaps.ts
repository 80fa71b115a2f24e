// Times of trades -> how long it was from one to the next: bots, day traders and tokens are told by it.

/** Seconds from each to the next, in the given order. */
export const gapsOf = (timed: readonly { time: number }[]): number[] =>
  timed.slice(1).map(({ time }, at) => time - (timed[at]?.time ?? time))

/** The upper one of two in the middle; null: there is none. */
export const medianOf = (values: readonly number[]): number | null =>
  new Float64Array(values).sort()[Math.floor(values.length / 2)] ?? null
