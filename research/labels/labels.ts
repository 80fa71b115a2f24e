// Reads `labels.csv`: one row per token, the first of each. Its label is 1 for a rug and 0 for others.
import { readCells } from './csv.ts'
import type { LeftOut } from './left-out.ts'

const FILE = 'labels.csv'

/** Reads rows as `readCells` does. `token_id` and `label#` must come first among the columns. */
export function readLabels<const Columns extends readonly ['token_id', 'label#', ...string[]]>(
  folder: string,
  columns: Columns,
  leftOut: LeftOut,
): { [Key in keyof Columns]: string }[] {
  const seen = new Set<string>()
  return readCells(folder, FILE, columns, leftOut).filter((row) => {
    const [id = '', label] = row as readonly string[]
    if (seen.has(id)) leftOut.note(FILE, 'the same token again', row.join())
    else if (Number(label) !== 0 && Number(label) !== 1) leftOut.note(FILE, 'the label is neither 0 nor 1', row.join())
    else return seen.add(id)
    return false
  })
}

/** Whether a label says that the token is a rug. */
export const isRug = (label: string): boolean => Number(label) === 1
