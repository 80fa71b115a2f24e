// Amounts: raw integers of a token, whole tokens and dollars as doubles, and micro-dollars as bigints for exact sums.
import { POWERS } from './decimal.ts'

/** Whole tokens for a raw amount, exact to the 15 digits of a double, for any number of decimals. */
export function toQuantity(raw: bigint, decimals: number): number {
  const unit = POWERS[decimals]
  return unit === undefined ? Number(`${raw}e-${decimals}`) : Number(raw) / unit
}

/** Dollars rounded to whole micro-dollars; 0 when the value is not finite. */
export const toMicroUsd = (usd: number): bigint => (Number.isFinite(usd) ? BigInt(Math.round(usd * 1e6)) : 0n)

/** The number, or 0 when it is not finite: neither the database nor JSON may get NaN or Infinity. */
export const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
