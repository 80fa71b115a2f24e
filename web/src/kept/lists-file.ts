// The reader's lists as a JSON file, to carry them to another browser.
import { MOST_STORED, parse } from './keep.ts'
import { readScreens, type Screen } from './screens.ts'
import { readWatchlist } from './watchlist.ts'

export interface Lists {
  watchlist: readonly string[]
  screens: readonly Screen[]
}

/** Bytes of a file. */
export const MOST_BYTES = MOST_STORED

export const toFile = ({ watchlist, screens }: Lists): string => `${JSON.stringify({ watchlist, screens }, null, 2)}\n`

/** The lists with those of a file behind them; null: the file has none. */
export function withFile(lists: Lists, text: string): Lists | null {
  const told = parse(text) as Partial<Record<keyof Lists, unknown>> | null | undefined
  const added = { watchlist: readWatchlist(told?.watchlist), screens: readScreens(told?.screens) }
  if (added.watchlist.length + added.screens.length === 0) return null
  return {
    watchlist: readWatchlist([...lists.watchlist, ...added.watchlist]),
    screens: readScreens([...lists.screens, ...added.screens]),
  }
}
