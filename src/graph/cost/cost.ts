// The cost of a query, which every answer of /graphql has in `extensions.cost`.
import type { Remaining } from '../../access/guard.ts'
import type { Budget } from './budget.ts'

/** A number is null if the query could not be read, or if the account has no such limit. */
export interface Cost {
  /** How many requests the query counts as. */
  requests: number | null
  /** How many requests were charged: 0 if the query exceeded the limits, or failed because of the server. */
  charged: number
  items: number | null
  fields: number | null
  selections: number | null
  minuteRemaining: number | null
  dayRemaining: number | null
}

/** The cost of a query, and the rest of the account's limits. */
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
