// Pages of a list: numbered from 1, 50 items by default, at most 200.

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

export interface Page {
  page: number
  limit: number
}

/** Fills in the defaults, and lowers a limit above 200 to 200. */
export function toPage(page: number | null | undefined, limit: number | null | undefined): Page {
  return { page: page ?? 1, limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT) }
}

/** The number of items before the page. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** The items of a page, with the total number of items. */
export interface Paged<T> extends Page {
  items: T[]
  total: number
}
