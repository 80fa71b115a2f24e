// Stretches of a list: 50 items by default, at most 200.

export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

/** At most `limit` items, after the first `offset` ones. */
export interface Page {
  offset: number
  limit: number
}

/** The items of a page, with the total number of items. */
export interface Paged<T> {
  items: T[]
  total: number
}
