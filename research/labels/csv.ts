// Reads columns of comma-separated files without quotes, plain or gzipped. An error names a missing file or column. A row that
// cannot be used is left out and counted.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { StartupError } from '../../src/base/errors.ts'
import type { LeftOut } from './left-out.ts'

/** Whether the folder has the file. */
export const hasFile = (folder: string, file: string): boolean => existsSync(join(folder, file))

/**
 * Reads the cells of `columns` of each row, in that order. A name that ends in `?` is an optional column, whose cells are
 * empty if the file lacks it. In a column whose name ends in `#`, each cell must be a number, or the row is left out.
 */
export function readCells<Columns extends readonly string[]>(
  folder: string,
  file: string,
  columns: Columns,
  leftOut: LeftOut,
): { [Key in keyof Columns]: string }[] {
  const [head = '', ...lines] = readLines(folder, file)
  const names = head.split(',')
  const places = columns.map((column) => {
    const at = names.indexOf(column.replace(/[?#]$/, ''))
    if (at < 0 && !column.endsWith('?'))
      throw new StartupError(`${file} has no column ${column.replace('#', '')}; it has ${head}.`)
    return at
  })
  const numbers = places.filter((_, at) => columns[at]?.endsWith('#'))
  const rows: string[][] = []
  for (const line of lines) {
    const cells = line.split(',')
    if (numbers.some((at) => !isNumber(cells[at]))) leftOut.note(file, 'a cell is not a number', line)
    else rows.push(places.map((at) => cells[at] ?? ''))
  }
  return rows as { [Key in keyof Columns]: string }[]
}

/** Drops rows that repeat an earlier row in every cell. Use it only for files in which two different events never look the same. */
export function dropRepeated<Row extends readonly string[]>(
  rows: readonly Row[],
  file: string,
  leftOut: LeftOut,
): Row[] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const key = row.join()
    if (seen.has(key)) leftOut.note(file, 'the same row again', key)
    else return seen.add(key)
    return false
  })
}

const isNumber = (cell: string | undefined): boolean =>
  cell !== undefined && cell.trim() !== '' && Number.isFinite(Number(cell))

/** Reads the names of a file's columns. */
export const readHeader = (folder: string, file: string): string[] => (readLines(folder, file)[0] ?? '').split(',')

const BYTE_ORDER_MARK = '\ufeff'

function readLines(folder: string, file: string): string[] {
  const path = join(folder, file)
  if (!existsSync(path)) throw new StartupError(`${path} does not exist.`)
  const text = unpack(readFileSync(path), path).replace(BYTE_ORDER_MARK, '')
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}

function unpack(bytes: Buffer, path: string): string {
  if (!path.endsWith('.gz')) return bytes.toString('utf8')
  try {
    return gunzipSync(bytes).toString('utf8')
  } catch (error) {
    throw new StartupError(
      `${path} is no complete gzip file: ${error instanceof Error ? error.message : error}.`,
      1,
      error,
    )
  }
}
