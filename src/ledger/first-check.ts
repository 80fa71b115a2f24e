// When a token's contract is worth its first check, the reason in SQL why it was not checked yet, and how many wait.

const FIRST_CHECK = { liquidityUsd: 1_000, buyers: 10, holders: 10 } as const

/** Whether a row of `token` is worth the calls. */
export const isWorthChecking = (token: string): string =>
  `${token}.liquidity_usd >= ${FIRST_CHECK.liquidityUsd} AND (${token}.buyer_count >= ${FIRST_CHECK.buyers} OR ${token}.holder_count >= ${FIRST_CHECK.holders})`

/** Reasons of tokens without a check. */
export const UNCHECKED_REASONS = [
  'checks_off',
  'vouched_by_preset',
  'low_liquidity',
  'few_buyers',
  'waits_for_check',
] as const
export type UncheckedReason = (typeof UNCHECKED_REASONS)[number]

/** Why the contract checks of a chain do not run. Null: they run. */
export interface CheckSetting {
  off: Extract<UncheckedReason, 'checks_off'> | null
  /** Trusted addresses of the preset, which are never checked. */
  exempt: readonly string[]
}

/** One of `UNCHECKED_REASONS`, of rows of `token` and `chain`. */
export const whyUnchecked = (token: string, chain: string): string => `CASE
  WHEN ${chain}.checks_off IS NOT NULL THEN ${chain}.checks_off
  WHEN ${token}.address = ANY(${chain}.checks_exempt) THEN 'vouched_by_preset'
  WHEN ${token}.liquidity_usd < ${FIRST_CHECK.liquidityUsd} THEN 'low_liquidity'
  WHEN NOT (${isWorthChecking(token)}) THEN 'few_buyers'
  ELSE 'waits_for_check' END`

/** Counting stops here. */
const COUNTED = 100_000

/**
 * How many tokens wait for their first check, as an expression over one row of `chain`. Null: checks are off, or no token
 * was looked for yet.
 */
export const countUnchecked = (chain: string): string => `CASE
  WHEN ${chain}.checks_off IS NULL AND (EXISTS (SELECT FROM safety_due) OR EXISTS (SELECT FROM token_safety)) THEN (
    SELECT count(*)::int FROM (SELECT FROM safety_due d
      WHERE NOT EXISTS (SELECT FROM token_safety s WHERE s.token_id = d.token_id) LIMIT ${COUNTED}) w) END`
