// The rows of tokens in the columns. New rows replace the old ones and return them, so that the board can exchange them
// again. Pure.
import type { BoardRows } from '../ledger/read/board.ts'
import { type BoardColumns, bytesOf, createColumns, exchangeRows, growColumns, toColumns } from './columns.ts'
import { addRow, dropRow, type RowSet } from './row-set.ts'

/** The exchanged rows, with the replaced ones in their places. */
export interface Part {
  rows: Int32Array
  replaced: BoardColumns
}

export type Rows = ReturnType<typeof createRows>

/** The most tokens that were a unit since the board was loaded: as many as fit its column. */
const MOST_UNITS = 0xffff

/** No rows. */
export function createRows() {
  let columns = createColumns(0)
  /** Rows from here on were never used. */
  let end = 0
  let size = 0
  let rowOf = new Int32Array(0)
  /** Rows that have a token. */
  let present: RowSet = new Uint32Array(0)
  const free: number[] = []
  const launchpads: string[] = []
  const launchpadPlaces = new Map<string, number>()
  const units: number[] = [0]
  const unitPlaces = new Map<number, number>([[0, 0]])

  const launchpadOf = (name: string): number => {
    const known = launchpadPlaces.get(name)
    if (known !== undefined) return known
    // A chain's preset names few; should there ever be too many for the column, the rest share the last index.
    const place = Math.min(launchpads.length, 255)
    launchpads[place] = name
    launchpadPlaces.set(name, place)
    return place
  }

  const unitOf = (id: number): number => {
    const known = unitPlaces.get(id)
    if (known !== undefined) return known
    // Few tokens are units at a time; the list of former ones ends with the process.
    if (units.length > MOST_UNITS) throw new Error(`more than ${MOST_UNITS} tokens have been units`)
    unitPlaces.set(id, units.length)
    return units.push(id) - 1
  }

  const makeRoom = (rows: number, lastId: number): void => {
    if (rows > columns.id.length) {
      columns = growColumns(columns, rows + (rows >>> 5))
      const grown = new Uint32Array(Math.ceil(columns.id.length / 32))
      grown.set(present)
      present = grown
    }
    if (lastId < rowOf.length) return
    const grown = new Int32Array(lastId + 1 + (lastId >>> 5)).fill(-1)
    grown.set(rowOf)
    rowOf = grown
  }

  const place = (incoming: BoardColumns): Int32Array => {
    const fresh = incoming.id.filter((id) => (rowOf[id] ?? -1) < 0).length
    makeRoom(
      end + Math.max(0, fresh - free.length),
      incoming.id.reduce((most, id) => Math.max(most, id), 0),
    )
    return Int32Array.from(incoming.id, (id) => {
      const known = rowOf[id] as number
      return known >= 0 ? known : (free.pop() ?? end++)
    })
  }

  /** Exchanges the rows of the board with those of the part. */
  const swap = ({ rows, replaced }: Part): void => {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number
      const before = columns.id[row] as number
      exchangeRows(columns, row, replaced, at)
      const after = columns.id[row] as number
      if (before === after) continue
      if (before !== 0) rowOf[before] = -1
      if (after !== 0) rowOf[after] = row
      if (after === 0) dropRow(present, row)
      else addRow(present, row)
      size += Number(after !== 0) - Number(before !== 0)
    }
  }

  return {
    /** These are new arrays once rows were added. */
    columns: () => columns,
    /** Rows from here on have no token. */
    end: () => end,
    /** Tokens. */
    size: () => size,
    present: () => present,
    launchpads,
    /** The tokens that are units, at their indexes; index 0 stands for dollars. */
    units,
    /** The row of a token; -1: it has none. */
    rowOf: (id: number): number => rowOf[id] ?? -1,
    /** New rows replace the rows of their tokens. */
    take(read: BoardRows): Part {
      const incoming = toColumns(read, launchpadOf, unitOf)
      const part = { rows: place(incoming), replaced: incoming }
      swap(part)
      return part
    },
    swap,
    /** Rows, each once; some have no token any more, and others may take them. */
    setFree(rows: Iterable<number>): void {
      for (const row of rows) if (columns.id[row] === 0) free.push(row)
    },
    bytes: () => bytesOf(columns) + rowOf.byteLength,
  }
}
