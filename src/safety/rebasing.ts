// Whether a token changes balances without Transfers. Input: sampled balances. Output: yes or no; null: not sampled.
// Pure.
import type { BalancesDiffer } from './report.ts'

/** Most sampled holders have more or less than the sum of their Transfers. */
export const isRebasing = (balances: BalancesDiffer | null): boolean | null =>
  balances && balances.asked > 0 ? 2 * balances.moved > balances.asked : null
