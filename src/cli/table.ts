// Formats rows as aligned columns: numbers right, text left, control characters in on-chain text replaced.

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

type Cell = string | number | null

/** The lines of a table: the heads, then the rows. */
export function formatTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '').replace(CONTROL, '\ufffd')))
  const widths = heads.map((head, i) => Math.max(head.length, ...texts.map((row) => row[i]?.length ?? 0)))
  const isNumber = heads.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number'))
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  return [format(heads), ...texts.map(format)]
}
