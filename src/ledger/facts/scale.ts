// Converts raw amounts of a token to whole tokens and shares of the supply.

export interface Scale {
  /** Raw units of one whole token. */
  unit: number
  /** Supply in whole tokens, without burned ones. */
  circulating: number
}

/** Null if the token does not say its decimals. */
export function toScale(decimals: number | null, supply: number, burned: number): Scale | null {
  if (decimals === null) return null
  const unit = 10 ** decimals
  return { unit, circulating: Math.max(0, supply - burned) / unit }
}
