// Reads the arguments `page` and `limit`, and says what is wrong with them.
import { invalid } from '../base/errors.ts'
import { MAX_LIMIT, type Page, toPage } from '../base/page.ts'

/** Reads the page that the arguments ask for. Throws INVALID_PARAMS if one is below 1. */
export function readPage(args: { page?: number | null | undefined; limit?: number | null | undefined }): Page {
  const faults = (['page', 'limit'] as const)
    .filter((field) => (args[field] ?? 1) < 1)
    .map((field) => ({ location: 'argument' as const, field, message: `${field} must be an integer >= 1` }))
  if (faults.length > 0) throw invalid(faults)
  return toPage(args.page, args.limit)
}

/** Reads the length that the argument asks for. Throws INVALID_PARAMS if it is below 1. */
export function readLimit(limit: number | null | undefined, fallback: number, maximum = MAX_LIMIT): number {
  return Math.min(readPage({ limit: limit ?? fallback }) && (limit ?? fallback), maximum)
}
