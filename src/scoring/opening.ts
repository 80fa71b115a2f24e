// Measures the opening of a token's first pool, and the outcome of other pools of the same opener.
import type { PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'

export interface OpeningMeasures {
  /** The largest of 10, 5, 1, .5, .1 and .01 quote tokens that divides the first addition; 0 if none does. */
  openingStep: number | null
  /** Pools of other tokens that the same wallet opened: those emptied by now minus the others, at least 0. */
  openerEmptiedExcess: number | null
  /** How many such pools there are, and how many of them are emptied; 0 for an unknown opener. */
  openerPoolCount: number
  openerEmptiedCount: number
}

const STEPS = [10, 5, 1, 0.5, 0.1, 0.01] as const

/** The measures at the block; null if the token's first pool is unknown. */
export function measureOpening({ pools, partial }: TokenFacts): OpeningMeasures {
  const first = partial ? null : findFirst(pools)
  return {
    openingStep: first?.openingQuote ? findStep(first.openingQuote) : null,
    openerEmptiedExcess: first?.opener ? Math.max(0, 2 * first.opener.emptiedCount - first.opener.poolCount) : null,
    openerPoolCount: first?.opener?.poolCount ?? 0,
    openerEmptiedCount: first?.opener?.emptiedCount ?? 0,
  }
}

const findFirst = (pools: readonly PoolFacts[]): PoolFacts | null =>
  pools.reduce<PoolFacts | null>((first, pool) => (first === null || pool.id < first.id ? pool : first), null)

/** Tolerates rounding errors of doubles and data files with seven digits. */
const findStep = (amount: number): number =>
  STEPS.find((step) => amount >= step / 2 && Math.abs(amount / step - Math.round(amount / step)) < 1e-6) ?? 0
