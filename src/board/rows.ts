// The rows of tokens in the columns. Writing new rows returns the replaced ones, so that the board can undo it. Pure.
import { int32At } from '../base/item-at.ts'
import type { BoardRows } from '../ledger/read/board.ts'
import { type BoardColumns, bytesOf, createColumns, exchangeRows, growColumns, toColumns } from './columns.ts'
import { addRow, dropRow, type RowSet } from './row-set.ts'

/** The exchanged rows, with the replaced ones in their places. */
export interface Part {
  rows: Int32Array
  replaced: BoardColumns
}

export type Rows = ReturnType<typeof createRows>

/** The most tokens that can be units of prices while the board is loaded: the column has 16 bits. */
const MOST_UNITS = 0xffff

interface RowsState {
  columns: BoardColumns
  /** Rows from here on were never used. */
  end: number
  size: number
  rowOf: Int32Array
  /** Rows that have a token. */
  present: RowSet
  free: number[]
  launchpads: string[]
  launchpadPlaces: Map<string, number>
  units: number[]
  unitPlaces: Map<number, number>
}

function launchpadOf(store: RowsState, name: string): number {
  const known = store.launchpadPlaces.get(name)
  if (known !== undefined) return known
  // A chain's preset names few; should there ever be too many for the column, the rest share the last index.
  const place = Math.min(store.launchpads.length, 255)
  store.launchpads[place] = name
  store.launchpadPlaces.set(name, place)
  return place
}

function unitOf(store: RowsState, id: number): number {
  const known = store.unitPlaces.get(id)
  if (known !== undefined) return known
  // Few tokens are units at a time; the list of former ones ends with the process.
  if (store.units.length > MOST_UNITS) throw new Error(`more than ${MOST_UNITS} tokens have been units`)
  store.unitPlaces.set(id, store.units.length)
  return store.units.push(id) - 1
}

function makeRoom(store: RowsState, rows: number, lastId: number): void {
  if (rows > store.columns.id.length) {
    store.columns = growColumns(store.columns, rows + (rows >>> 5))
    const grown = new Uint32Array(Math.ceil(store.columns.id.length / 32))
    grown.set(store.present)
    store.present = grown
  }
  if (lastId < store.rowOf.length) return
  const grown = new Int32Array(lastId + 1 + (lastId >>> 5)).fill(-1)
  grown.set(store.rowOf)
  store.rowOf = grown
}

function place(store: RowsState, incoming: BoardColumns): Int32Array {
  const fresh = incoming.id.filter((id) => (store.rowOf[id] ?? -1) < 0).length
  makeRoom(
    store,
    store.end + Math.max(0, fresh - store.free.length),
    incoming.id.reduce((most, id) => Math.max(most, id), 0),
  )
  return Int32Array.from(incoming.id, (id) => {
    const known = int32At(store.rowOf, id)
    return known >= 0 ? known : (store.free.pop() ?? store.end++)
  })
}

/** Exchanges the rows of the board with those of the part. */
function swapRows(store: RowsState, { rows, replaced }: Part): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = int32At(rows, at)
    const before = int32At(store.columns.id, row)
    exchangeRows(store.columns, row, replaced, at)
    const after = int32At(store.columns.id, row)
    if (before === after) continue
    if (before !== 0) store.rowOf[before] = -1
    if (after !== 0) store.rowOf[after] = row
    if (after === 0) dropRow(store.present, row)
    else addRow(store.present, row)
    store.size += Number(after !== 0) - Number(before !== 0)
  }
}

function takeRows(store: RowsState, read: BoardRows): Part {
  const incoming = toColumns(
    read,
    (name) => launchpadOf(store, name),
    (id) => unitOf(store, id),
  )
  const part = { rows: place(store, incoming), replaced: incoming }
  swapRows(store, part)
  return part
}

/** No rows. */
export function createRows() {
  const store: RowsState = {
    columns: createColumns(0),
    end: 0,
    size: 0,
    rowOf: new Int32Array(0),
    present: new Uint32Array(0),
    free: [],
    launchpads: [],
    launchpadPlaces: new Map<string, number>(),
    units: [0],
    unitPlaces: new Map<number, number>([[0, 0]]),
  }
  return {
    /** These are new arrays once rows were added. */
    columns: () => store.columns,
    /** Rows from here on have no token. */
    end: () => store.end,
    /** Tokens. */
    size: () => store.size,
    present: () => store.present,
    launchpads: store.launchpads,
    /** The tokens that are units, at their indexes; index 0 stands for dollars. */
    units: store.units,
    /** The row of a token; -1: it has none. */
    rowOf: (id: number): number => store.rowOf[id] ?? -1,
    /** New rows replace the rows of their tokens. */
    take: (read: BoardRows): Part => takeRows(store, read),
    swap: (part: Part) => swapRows(store, part),
    /** Rows, each once; some have no token any more, and others may take them. */
    setFree(rows: Iterable<number>): void {
      for (const row of rows) if (store.columns.id[row] === 0) store.free.push(row)
    },
    bytes: () => bytesOf(store.columns) + store.rowOf.byteLength,
  }
}
