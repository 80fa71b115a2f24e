// Amounts: raw integers of a token, whole tokens and dollars as doubles, and micro-dollars as bigints for exact sums.
import { POWERS } from './decimal.ts'

/** The maximum of uint256. A contract that reports more, or logs that add up to more, are capped here. */
const MAX_AMOUNT = 2n ** 256n - 1n

/** A raw amount in stored form: never below zero, and never above uint256. */
export const toRaw = (amount: bigint): bigint => (amount < 0n ? 0n : atMost(amount))

/** The amount, and never above uint256. */
export const atMost = (amount: bigint): bigint => (amount > MAX_AMOUNT ? MAX_AMOUNT : amount)

/** Whole tokens for a raw amount, exact to the 15 digits of a double, for any number of decimals. */
export function toQuantity(raw: bigint, decimals: number): number {
  const unit = POWERS[decimals]
  return unit === undefined ? Number(`${raw}e-${decimals}`) : Number(raw) / unit
}

/** Dollars rounded to whole micro-dollars; 0 when the value is not finite. */
export const toMicroUsd = (usd: number): bigint => (Number.isFinite(usd) ? BigInt(Math.round(usd * 1e6)) : 0n)

/** Cap for dollar amounts: no honest amount is larger, and it keeps sums finite. */
const MAX_USD = 1e15

/** Dollars in stored and published form: whole micro-dollars, from 0 to 10^15. Less than half a micro-dollar is 0. */
export const toUsd = (usd: number): number => Math.round(Math.min(Math.max(finite(usd), 0), MAX_USD) * 1e6) / 1e6

/** A profit or loss in whole micro-dollars. */
export const toGain = (usd: number): number => Math.round(finite(usd) * 1e6) / 1e6

/** A measurement with nine of a double's seventeen digits, the significant ones. */
export const toMeaning = (value: number): number => Number(value.toPrecision(9))

/** Whole tokens with fifteen digits, which a double keeps exactly. */
export const toTokens = (value: number): number => Number(value.toPrecision(15))

/** Up to this bound, dollars times a million have a bit to spare, so rounding a rounded number changes nothing. */
const FAST_USD = 2e9

/** Dollars in printed form: whole micro-dollars. A number that was rounded before stays the same. */
export const toPrintedUsd = (usd: number): number =>
  Math.abs(usd) < FAST_USD ? Math.round(usd * 1e6) / 1e6 : Number(usd.toFixed(6))

/** The number, or 0 when it is not finite: neither the database nor JSON may get NaN or Infinity. */
export const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
