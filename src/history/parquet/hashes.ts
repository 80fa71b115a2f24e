// Reads the hashes of transactions by their places in the file. A page has events of many row groups, and DuckDB would
// unpack each of them.
import { type FileHandle, open } from 'node:fs/promises'
import type { HashGroup } from './manifest.ts'

const HASH_BYTES = 32
/** Rows that one read takes, and rows between two wanted ones that it takes too. */
const [MOST_ROWS, GAP_ROWS] = [32_768, 128]

/** Wanted rows of one group that lie together. Rows count from the first of the file on. */
interface Stretch {
  /** The place of the first one. */
  at: number
  rows: number[]
}

/** The hashes of rows, as hex digits. `rows` ascend. Throws if the file is shorter than its groups say. */
export async function readHashRows(
  path: string,
  groups: readonly HashGroup[],
  rows: readonly number[],
): Promise<Map<number, string>> {
  const hashes = new Map<number, string>()
  const file = await open(path)
  try {
    for (const { at, rows: wanted } of stretchesOf(groups, rows)) {
      const [first = 0, last = 0] = [wanted[0], wanted.at(-1)]
      const bytes = await readBytes(file, at, (last - first + 1) * HASH_BYTES)
      for (const row of wanted) {
        const from = (row - first) * HASH_BYTES
        hashes.set(row, bytes.toString('hex', from, from + HASH_BYTES))
      }
    }
  } finally {
    await file.close()
  }
  return hashes
}

function stretchesOf(groups: readonly HashGroup[], rows: readonly number[]): Stretch[] {
  const stretches: Stretch[] = []
  let [index, firstRow] = [0, 0]
  let open: Stretch | null = null
  for (const row of rows) {
    for (let group = groups[index]; group && row >= firstRow + group.rows; group = groups[index]) {
      firstRow += group.rows
      index += 1
      open = null
    }
    const group = groups[index]
    if (!group) throw new Error(`the file has no row ${row}`)
    const [first = row, last = row] = [open?.rows[0], open?.rows.at(-1)]
    if (!open || row - last > GAP_ROWS || row - first >= MOST_ROWS) {
      open = { at: group.end - (firstRow + group.rows - row) * HASH_BYTES, rows: [] }
      stretches.push(open)
    }
    open.rows.push(row)
  }
  return stretches
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) throw new Error('the file is shorter than it was')
    filled += bytesRead
  }
  return bytes
}
