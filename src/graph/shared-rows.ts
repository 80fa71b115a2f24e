// Rows of tokens that answers of one block share: a list shows scores, checks and earlier prices beside the columns that
// the board keeps. They are valid as long as every kept answer is.
import type { HeadWatch } from '../ledger/head.ts'
import { createKept } from '../ledger/kept.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'

/** Reads one row for each key that has one. */
export type RowBatch<K, R> = (reading: Reading, keys: readonly K[]) => Promise<R[]>

/** Bytes of all rows. */
const MOST_BYTES = 16 * 1024 * 1024

/** What a row weighs in memory. */
const BYTES = { score: 600, verdict: 4_000, sellCheck: 600, pricesBefore: 300 } as const

export type SharedRows = ReturnType<typeof createSharedRows>

/** Creates an empty store of the process. */
export function createSharedRows(head: Pick<HeadWatch, 'version' | 'current'>, mostBytes = MOST_BYTES) {
  const kept = createKept<{ row: object; bytes: number }>(head, mostBytes, ({ bytes }) => bytes)
  return {
    /** The batch, which asks only for rows that no answer of the newest block had before. */
    share:
      <R extends object>(
        name: keyof typeof BYTES,
        batch: RowBatch<number, R>,
        keyOf: (row: R) => number,
      ): RowBatch<number, R> =>
      async (reading, ids) => {
        // An answer of an older block neither finds rows nor keeps any.
        if (reading.head.hash !== head.current().hash) return batch(reading, ids)
        const begunAt = kept.now()
        const found: R[] = []
        const missing: number[] = []
        for (const id of ids) {
          const known = kept.find(`${name} ${id}`)
          if (known) found.push(known.row as R)
          else missing.push(id)
        }
        if (missing.length === 0) return found
        const read = await batch(reading, missing)
        for (const row of read) kept.keep(`${name} ${keyOf(row)}`, { row, bytes: BYTES[name] }, begunAt)
        return found.concat(read)
      },
    bytes: kept.bytes,
  }
}
