// Rows of tokens as lists show them, kept in memory, bounded by bytes. A row is let go when the board hears that its token changed.
import { LRUCache } from 'lru-cache'
import type { TokenRow } from '../ledger/read/token.ts'

/** Bytes of all rows. */
const MOST_BYTES = 8 * 1024 * 1024
/** What a row weighs besides its texts. */
const ROW_BYTES = 700

/** A store without rows. */
export function createKeptRows(mostBytes = MOST_BYTES) {
  const kept = new LRUCache<number, Readonly<TokenRow>>({
    maxSize: mostBytes,
    sizeCalculation: ({ name, symbol, aiSummary }) => ROW_BYTES + 2 * (name.length + symbol.length + aiSummary.length),
  })
  let revision = 0
  return {
    get: (id: number): Readonly<TokenRow> | undefined => kept.get(id),
    /** Keeps a row that was read when this was the revision; nothing where rows have changed since then. */
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
    /** The chain went back: any token may be as it was before. */
    clear: (): void => {
      revision += 1
      kept.clear()
    },
    bytes: () => kept.calculatedSize,
  }
}
