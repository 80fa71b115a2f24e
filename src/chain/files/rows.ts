// The rows of one dataset, block after block, over all its files. Input: files and columns. Output: pieces of rows of
// the requested blocks; one piece is in memory. Blocks that do not follow the last ones cost a search in their file.

import { float64At, itemAt } from '../../base/item-at.ts'
import { badColumn } from './fault.ts'
import type { HistoryFile } from './folder.ts'
import { type FileColumn, type FileTable, openTable, type Piece } from './table.ts'

/** Sees the rows from `start` to before `end` of a piece. */
export type VisitRows = (piece: Piece, start: number, end: number) => void

export interface FileRows {
  /** Visits the rows of blocks from..to in order. The files must cover them. */
  read(from: number, to: number, visit: VisitRows): Promise<void>
  /** The file that covers the block. */
  fileOf(block: number): HistoryFile
}

export interface RowsOptions {
  files: readonly HistoryFile[]
  /** Required columns, besides `block_number`. */
  columns: readonly FileColumn[]
  /** Columns that may be missing. */
  ifThere?: readonly FileColumn[]
  /** Called once for each file, before its rows. */
  onOpen(table: FileTable, file: HistoryFile): Promise<void>
}

const BLOCK: FileColumn = { name: 'block_number', type: 'number' }

interface Place {
  file: HistoryFile
  table: FileTable
  columns: readonly FileColumn[]
  /** The next piece. */
  next: number
  piece: Piece | null
  /** The first row of the piece that was not visited. */
  at: number
  /** The block of the last row read. */
  last: number
}

export function createFileRows({ files, columns, ifThere = [], onOpen }: RowsOptions): FileRows {
  let place: Place | null = null
  /** The block after the last one read. */
  let expected = -1

  const fileOf = (block: number): HistoryFile => {
    const holding = files.filter(({ from, to }) => from <= block && block <= to)
    const widest = holding.reduce((a, b) => (b.to > a.to ? b : a), itemAt(holding, 0))
    if (!widest) throw new RangeError(`no file covers block ${block}`)
    return widest
  }

  async function openAt(block: number): Promise<Place> {
    const file = fileOf(block)
    const table = await openTable(file.path, [BLOCK, ...columns])
    await onOpen(table, file)
    const next = block === file.from ? 0 : await seek(table, block)
    const there = ifThere.filter(({ name }) => table.has(name))
    return { file, table, columns: [BLOCK, ...columns, ...there], next, piece: null, at: 0, last: file.from }
  }

  return {
    fileOf,
    async read(from, to, visit) {
      if (from !== expected) place = null
      expected = -1
      for (let block = from; block <= to; ) {
        if (!place || block > place.file.to) place = await openAt(block)
        const end = Math.min(to, place.file.to)
        await readOf(place, block, end, visit)
        block = end + 1
      }
      expected = to + 1
    },
  }
}

/** The first piece that reaches the block. */
async function seek({ pieces, read }: FileTable, block: number): Promise<number> {
  for (const [index, { end }] of pieces.entries())
    if (((await read([BLOCK], end - 1, end)).numbers(BLOCK.name)[0] ?? 0) >= block) return index
  return pieces.length
}

/** Visits the file's rows of blocks from..to. */
async function readOf(place: Place, from: number, to: number, visit: VisitRows): Promise<void> {
  for (;;) {
    const piece = place.piece && place.at < place.piece.count ? place.piece : await loadNext(place)
    if (!piece) return
    const numbers = piece.numbers(BLOCK.name)
    const start = firstAbove(numbers, place.at, from - 1)
    const end = firstAbove(numbers, start, to)
    if (end > start) visit(piece, start, end)
    place.at = end
    if (end < piece.count) return
  }
}

async function loadNext(place: Place): Promise<Piece | null> {
  const range = place.table.pieces[place.next]
  // The previous piece is freed first.
  place.piece = null
  if (!range) return null
  const piece = await place.table.read(place.columns, range.start, range.end)
  const numbers = piece.numbers(BLOCK.name)
  const { path, from, to } = place.file
  for (let row = 0; row < piece.count; row++) {
    const number = float64At(numbers, row)
    if (number < place.last)
      throw badColumn(
        path,
        BLOCK.name,
        `row ${piece.first + row} is of block ${number}, after block ${place.last}: rows must be in order`,
      )
    if (number > to || number < from)
      throw badColumn(
        path,
        BLOCK.name,
        `row ${piece.first + row} is of block ${number}, which the file's name does not cover`,
      )
    place.last = number
  }
  place.next += 1
  place.piece = piece
  place.at = 0
  return piece
}

/** The first row from `start` on whose block is above this one; blocks are in order. */
function firstAbove(numbers: Float64Array, start: number, block: number): number {
  let [low, high] = [start, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (float64At(numbers, middle) > block) high = middle
    else low = middle + 1
  }
  return low
}
