// Amounts: raw integers of a token, whole tokens as doubles, dollars as doubles, and whole micro-dollars for exact sums.
import { POWERS } from './decimal.ts'

/** Whole tokens of a raw amount; exact to a double's 15 digits, whatever the decimals. */
export function toQuantity(raw: bigint, decimals: number): number {
  const unit = POWERS[decimals]
  return unit === undefined ? Number(`${raw}e-${decimals}`) : Number(raw) / unit
}

/** Dollars rounded to whole micro-dollars; 0 for what is no finite number. */
export const toMicroUsd = (usd: number): bigint => (Number.isFinite(usd) ? BigInt(Math.round(usd * 1e6)) : 0n)

/** A finite number, or 0: nothing else reaches the database or JSON. */
export const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
