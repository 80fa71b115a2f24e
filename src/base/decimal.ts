// Decimal arithmetic with doubles: powers of ten, and rounding to significant digits.

/** The powers of ten that a double holds exactly, by exponent; a table, because each log needs several. */
export const POWERS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** Rounded to six significant digits, as the double nearest to that decimal number. */
export function toSixDigits(value: number): number {
  const decimals = 5 - Math.floor(Math.log10(Math.abs(value)))
  const scale = POWERS[Math.abs(decimals)]
  if (scale === undefined) return Number(value.toPrecision(6))
  // The scale is an exact whole number both ways: multiplying by a power such as 0.001 would not be exact.
  return decimals < 0 ? Math.round(value / scale) * scale : Math.round(value * scale) / scale
}
