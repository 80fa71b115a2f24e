// Finds where a time begins in a table without an index of times, whose numbers grow with time. It is a binary search,
// with one look-up a step.
import type { Reader } from '../database/column-query.ts'

/** Above every running number that the database counts. */
const MOST = 2 ** 48

/**
 * The least number whose row is not before the time; above all rows if there is none. `text` selects `key` and `time` of
 * the first row from the number `$1` on.
 */
export async function findFirst(reader: Reader, text: string, time: Date): Promise<number> {
  let [low, high] = [0, MOST]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { rows } = await reader.query<{ key: number; time: Date }>(text, [middle])
    const [row] = rows
    if (!row || row.time >= time) high = middle
    else low = row.key + 1
  }
  return low
}
