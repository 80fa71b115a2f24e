// Reads the arguments `page` and `limit`, and names their faults.
import { invalid } from '../../base/errors.ts'
import { MAX_LIMIT, type Page, toPage } from '../../base/page.ts'

/**
 * Reads the page that the arguments ask for. Throws INVALID_PARAMS if one is below 1. `limitName`: the name of the
 * argument with the limit.
 */
export function readPage(
  args: { page?: number | null | undefined; limit?: number | null | undefined },
  limitName: 'limit' | 'points' = 'limit',
): Page {
  const faults = (['page', 'limit'] as const)
    .filter((name) => (args[name] ?? 1) < 1)
    .map((name) => (name === 'limit' ? limitName : name))
    .map((field) => ({ location: 'argument' as const, field, message: `${field} must be an integer >= 1` }))
  if (faults.length > 0) throw invalid(faults)
  return toPage(args.page, args.limit)
}

/** Reads the length that the argument asks for. Throws INVALID_PARAMS if it is below 1. */
export function readLimit(
  limit: number | null | undefined,
  fallback: number,
  maximum = MAX_LIMIT,
  name: 'limit' | 'points' = 'limit',
): number {
  return Math.min(readPage({ limit: limit ?? fallback }, name) && (limit ?? fallback), maximum)
}
