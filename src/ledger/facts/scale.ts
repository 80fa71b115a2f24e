// Converts raw amounts of a token to whole tokens and shares of the supply.

export interface Scale {
  /** Raw units of one whole token. */
  unit: number
  /** Supply in whole tokens, without burned ones. */
  circulating: number
}

/** Of a token that does not say its decimals a raw unit is a whole token, as in what the book keeps: shares are the same. */
export function toScale(decimals: number | null, supply: number, burned: number): Scale {
  const unit = 10 ** (decimals ?? 0)
  return { unit, circulating: Math.max(0, supply - burned) / unit }
}
