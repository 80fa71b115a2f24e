// What a token's raw amounts are measured in.

export interface Scale {
  /** Raw units of one whole token. */
  unit: number
  /** Whole tokens in being, burned ones left out. */
  circulating: number
}

/** Null where the token does not say its decimals. */
export function toScale(decimals: number | null, supply: number, burned: number): Scale | null {
  if (decimals === null) return null
  const unit = 10 ** decimals
  return { unit, circulating: Math.max(0, supply - burned) / unit }
}
