// The tokens that the reader watches, the newest first.
import { keptName } from '../chain.ts'
import { isAddress } from '../is-address.ts'
import { keep } from './keep.ts'

/** As many as the API lists by their addresses. */
export const MOST_WATCHED = 100

/** Leaves out every value that is no address. */
export function readWatchlist(stored: unknown): string[] {
  if (!Array.isArray(stored)) return []
  const addresses = stored.filter((one): one is string => typeof one === 'string' && isAddress(one))
  return [...new Set(addresses.map((address) => address.toLowerCase()))].slice(0, MOST_WATCHED)
}

/** With the token if it lacks it and has room, else without it. */
export const toggled = (list: readonly string[], address: string): string[] =>
  list.includes(address)
    ? list.filter((one) => one !== address)
    : list.length < MOST_WATCHED
      ? [address, ...list]
      : [...list]

export const watchlist = keep(keptName('assay-watchlist'), readWatchlist)
