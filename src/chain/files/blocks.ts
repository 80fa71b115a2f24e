// Rows of the dataset `blocks`: each block once, each the parent of the next.
import { float64At, itemAt } from '../../base/item-at.ts'
import type { Link } from '../raw.ts'
import { badColumn } from './fault.ts'
import { toHex } from './hex.ts'
import type { VisitRows } from './rows.ts'
import type { FileColumn } from './table.ts'

export const BLOCK_COLUMNS: readonly FileColumn[] = [
  { name: 'block_hash', type: 32 },
  { name: 'parent_hash', type: 32 },
  { name: 'timestamp', type: 'number' },
  { name: 'logs_bloom', type: 256 },
]

/** The fields of a block's header that a file has. */
export interface Header extends Link {
  time: number
  bloom: Uint8Array
}

/** Reads from block `from` on. `before`: the block before it, if known. */
export function createBlockVisit(from: number, before: Link | null) {
  const headers: Header[] = []
  let last = before

  const visit: VisitRows = (piece, start, end) => {
    const numbers = piece.numbers('block_number')
    const times = piece.numbers('timestamp')
    const hashes = piece.bytes('block_hash')
    const parents = piece.bytes('parent_hash')
    const blooms = piece.bytes('logs_bloom')
    for (let row = start; row < end; row++) {
      const number = float64At(numbers, row)
      const expected = from + headers.length
      if (number !== expected)
        throw badColumn(
          piece.path,
          'block_number',
          `row ${piece.first + row} is of block ${number} where block ${expected} follows`,
        )
      const header: Header = {
        number,
        hash: toHex(itemAt(hashes, row)),
        parentHash: toHex(itemAt(parents, row)),
        time: float64At(times, row),
        bloom: itemAt(blooms, row),
      }
      if (last && header.parentHash !== last.hash)
        throw badColumn(
          piece.path,
          'parent_hash',
          `block ${number} names ${header.parentHash} as its parent, but block ${last.number} is ${last.hash}`,
        )
      headers.push(header)
      last = header
    }
  }

  return { visit, headers }
}
