// Rows of tokens for lists, cached in memory, bounded by bytes. A row is dropped when the board gets a change of its
// token.
import { LRUCache } from 'lru-cache'
import type { TokenRow } from '../ledger/read/token.ts'

/** Bytes of all rows. */
const MOST_BYTES = 8 * 1024 * 1024
/** The weight of a row besides its texts. */
const ROW_BYTES = 700

export type KeptRows = ReturnType<typeof createKeptRows>

/** A store without rows. */
export function createKeptRows(mostBytes = MOST_BYTES) {
  const kept = new LRUCache<number, Readonly<TokenRow>>({
    maxSize: mostBytes,
    sizeCalculation: ({ name, symbol, aiSummary }) => ROW_BYTES + 2 * (name.length + symbol.length + aiSummary.length),
  })
  let revision = 0
  return {
    get: (id: number): Readonly<TokenRow> | undefined => kept.get(id),
    /** Stores a row that was read at this revision, unless rows have changed since then. */
    set: (id: number, row: Readonly<TokenRow>, readAt: number): void => {
      if (readAt === revision) kept.set(id, row)
    },
    /** Grows whenever rows change. */
    revision: () => revision,
    /** These tokens have changed. */
    letGo: (ids: Iterable<number>): void => {
      revision += 1
      for (const id of ids) kept.delete(id)
    },
    /** The chain was rolled back, so any token may have an earlier state. */
    clear: (): void => {
      revision += 1
      kept.clear()
    },
    bytes: () => kept.calculatedSize,
  }
}
