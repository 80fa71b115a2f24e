// Decimal numbers in doubles: powers of ten, and rounding to significant digits.

/** Powers of ten that a double holds exactly, by exponent: looked up, since they are wanted several times a log. */
export const POWERS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** Rounded to six significant digits: the double nearest to that decimal. */
export function toSixDigits(value: number): number {
  const decimals = 5 - Math.floor(Math.log10(Math.abs(value)))
  const scale = POWERS[Math.abs(decimals)]
  if (scale === undefined) return Number(value.toPrecision(6))
  // Only whole numbers that are exact are multiplied and divided.
  return decimals < 0 ? Math.round(value / scale) * scale : Math.round(value * scale) / scale
}
