// Facts of a token's first pool -> how its trading was opened, and what became of the others that the same wallet opened.
import type { PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'

export interface OpeningMeasures {
  /** The largest of 10, 5, 1, .5, .1 and .01 quote tokens that the first addition is a multiple of; 0: of none. */
  openingStep: number | null
  /** Pools of other tokens that the same wallet opened: emptied by now, less those that are not; at least 0. */
  openerEmptiedExcess: number | null
}

const STEPS = [10, 5, 1, 0.5, 0.1, 0.01] as const

/** Measures as of the block; of a token whose first pool is not known they are null. */
export function measureOpening({ pools, partial }: TokenFacts): OpeningMeasures {
  const first = partial ? null : findFirst(pools)
  return {
    openingStep: first?.openingQuote ? findStep(first.openingQuote) : null,
    openerEmptiedExcess: first?.opener ? Math.max(0, 2 * first.opener.emptiedCount - first.opener.poolCount) : null,
  }
}

const findFirst = (pools: readonly PoolFacts[]): PoolFacts | null =>
  pools.reduce<PoolFacts | null>((first, pool) => (first === null || pool.id < first.id ? pool : first), null)

/** Tolerant of the last digit of doubles, and of files that keep seven. */
const findStep = (amount: number): number =>
  STEPS.find((step) => amount >= step / 2 && Math.abs(amount / step - Math.round(amount / step)) < 1e-6) ?? 0
