// Pages of a list: numbered from 1, 50 items unless asked otherwise, 200 at most.

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

export interface Page {
  page: number
  limit: number
}

/** The page with its defaults; a limit above 200 is clamped. */
export function toPage(page: number | null | undefined, limit: number | null | undefined): Page {
  return { page: page ?? 1, limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT) }
}

/** How many items stand before the page. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** A page's items with how many there are in all. */
export interface Paged<T> extends Page {
  items: T[]
  total: number
}
