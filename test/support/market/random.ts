// Seeded random numbers: the same seed gives the same market.

export interface Random {
  /** In [0, 1). */
  next(): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Positive and skewed to the right, as trade sizes are. */
  lognormal(median: number, sigma: number): number
  /** Waiting time of a Poisson process. */
  wait(mean: number): number
}

/** Mulberry32; its 32 bits of state are enough for a market. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    // The sum of twelve uniform numbers approximates a normal distribution, and is the same on every machine.
    lognormal: (median, sigma) => {
      let sum = -6
      for (let i = 0; i < 12; i++) sum += next()
      return median * Math.exp(sigma * sum)
    },
    wait: (mean) => -mean * Math.log(1 - next()),
  }
}
