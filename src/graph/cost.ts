// What every answer of /graphql says of its price, in `extensions.cost`.
import type { Remaining } from '../access/guard.ts'
import type { Budget } from './budget.ts'

/** Null: not known, as the query could not be read, or not limited. */
export interface Cost {
  /** Requests that the query counts as. */
  requests: number | null
  /** Requests that it consumed: none when it was refused for the limits, or failed for a reason of ours. */
  charged: number
  items: number | null
  fields: number | null
  selections: number | null
  minuteRemaining: number | null
  dayRemaining: number | null
}

/** The price of a query, and what its account has left after it. */
export const toCost = (
  budget: Budget | null | undefined,
  { requests: charged, remaining }: { requests: number; remaining: Remaining },
): Cost => ({
  requests: budget?.requests ?? null,
  charged,
  items: budget?.items ?? null,
  fields: budget?.fields ?? null,
  selections: budget?.selections ?? null,
  minuteRemaining: remaining.minute,
  dayRemaining: remaining.day,
})
