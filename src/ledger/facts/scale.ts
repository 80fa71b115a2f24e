// Converts raw amounts of a token to whole tokens and shares of the supply.

export interface Scale {
  /** Raw units of one whole token. */
  unit: number
  /** Supply in whole tokens, without burned ones. */
  circulating: number
}

/** For a token without decimals a raw unit counts as a whole token, as in the book: shares are the same. */
export function toScale(decimals: number | null, supply: number, burned: number): Scale {
  const unit = 10 ** (decimals ?? 0)
  return { unit, circulating: Math.max(0, supply - burned) / unit }
}
