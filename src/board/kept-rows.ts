// Tokens as lists show them, kept in memory, bounded by bytes: as text that is ready to be sent, or as rows for queries. What is kept of a
// token is let go when the board hears that it changed.
import { LRUCache } from 'lru-cache'
import type { TokenRow } from '../ledger/read/token.ts'

/** Bytes of all texts together, and of all rows. */
const MOST_TEXT_BYTES = 16 * 1024 * 1024
const MOST_ROW_BYTES = 8 * 1024 * 1024
/** What a text weighs besides its characters, and a row besides its own. */
const TEXT_BYTES = 300
const ROW_BYTES = 700

/** A token as text, cut where values stand that change with every block. */
export type RowText = readonly string[]

/** Texts of no tokens. */
export const createRowTexts = (mostBytes = MOST_TEXT_BYTES) =>
  createKeptRows<RowText>(mostBytes, (parts) => parts.reduce((sum, part) => sum + 2 * part.length, TEXT_BYTES))

/** No rows. */
export const createRowObjects = (mostBytes = MOST_ROW_BYTES) =>
  createKeptRows<Readonly<TokenRow>>(
    mostBytes,
    ({ name, symbol, aiSummary }) => ROW_BYTES + 2 * (name.length + symbol.length + aiSummary.length),
  )

function createKeptRows<Kept extends object>(mostBytes: number, sizeOf: (kept: Kept) => number) {
  const kept = new LRUCache<number, Kept>({ maxSize: mostBytes, sizeCalculation: sizeOf })
  let revision = 0
  return {
    get: (id: number): Kept | undefined => kept.get(id),
    /** Keeps what was made of a row that was read when this was the revision; nothing where rows have changed since then. */
    set: (id: number, value: Kept, readAt: number): void => {
      if (readAt === revision) kept.set(id, value)
    },
    /** Grows whenever rows change. */
    revision: () => revision,
    /** These tokens have changed. */
    letGo: (ids: Iterable<number>): void => {
      revision += 1
      for (const id of ids) kept.delete(id)
    },
    /** The chain went back: what was said of any token after its last block may have been undone. */
    clear: (): void => {
      revision += 1
      kept.clear()
    },
    bytes: () => kept.calculatedSize,
  }
}
