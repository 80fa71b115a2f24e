// Reads the arguments that say how many items a list answers, and names their faults.
import { type Fault, invalid } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'

type Counts = { [Name in 'first' | 'last' | 'limit' | 'offset' | 'points']?: number | null | undefined }

/** The least value of each argument. */
const LEAST: Required<Record<keyof Counts, number>> = { first: 1, last: 1, limit: 1, offset: 0, points: 1 }

/** The faults of arguments below their least value. */
export const countFaults = (counts: Counts): Fault[] =>
  (Object.entries(LEAST) as [keyof Counts, number][])
    .filter(([name, least]) => (counts[name] ?? least) < least)
    .map(([field, least]) => ({ location: 'argument', field, message: `${field} must be an integer >= ${least}` }))

/** Reads the length that the argument asks for. Throws INVALID_PARAMS if it is below 1. */
export function readLimit(
  limit: number | null | undefined,
  fallback: number,
  maximum = MAX_LIMIT,
  name: 'limit' | 'points' = 'limit',
): number {
  const faults = countFaults({ [name]: limit })
  if (faults.length > 0) throw invalid(faults)
  return Math.min(limit ?? fallback, maximum)
}
