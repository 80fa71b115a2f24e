// Comma-separated files without quotes, plain or gzipped -> rows of the columns that are asked for. A missing file or
// column is said by name; an empty cell stays an empty string.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { StartupError } from '../../base/errors.ts'

/** Whether the folder holds the file. */
export const hasFile = (folder: string, file: string): boolean => existsSync(join(folder, file))

/** Rows as the cells of `columns`, in their order; columns that end in `?` may be missing and then are empty. */
export function readCells<Columns extends readonly string[]>(
  folder: string,
  file: string,
  columns: Columns,
): { [Key in keyof Columns]: string }[] {
  const [head = '', ...lines] = readLines(folder, file)
  const names = head.split(',')
  const places = columns.map((column) => {
    const at = names.indexOf(column.replace('?', ''))
    if (at < 0 && !column.endsWith('?')) throw new StartupError(`${file} has no column ${column}; it has ${head}.`)
    return at
  })
  return lines.map((line) => {
    const cells = line.split(',')
    return places.map((at) => cells[at] ?? '') as { [Key in keyof Columns]: string }
  })
}

/** The first line of a file. */
export const readHead = (folder: string, file: string): string[] => (readLines(folder, file)[0] ?? '').split(',')

function readLines(folder: string, file: string): string[] {
  const path = join(folder, file)
  if (!existsSync(path)) throw new StartupError(`${path} does not exist.`)
  const bytes = readFileSync(path)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.split(/\r?\n/).filter((line) => line !== '')
}
