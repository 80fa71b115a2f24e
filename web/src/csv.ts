// Pure. The rows of a list as CSV, by the same rules as REST: an object becomes a column for each of its fields.
import { toCell } from '../../src/base/csv-cell.ts'

export type Row = Readonly<Record<string, unknown>>

/** Rows of a page of a list: the API gives no more at once. */
export const PAGE_ROWS = 200
/** Rows of a file: each page costs a request. */
export const MOST_ROWS = 1_000
/** Pages of a file: a page of a list with a filter may be short. */
const MOST_PAGES = 20

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function* cellsOf(row: Row, before = ''): Generator<[column: string, value: unknown]> {
  for (const [name, value] of Object.entries(row)) {
    if (isObject(value)) yield* cellsOf(value, `${before}${name}.`)
    else yield [before + name, value]
  }
}

/** The columns are those of all rows, in the order in which they appear. */
export function toCsv(rows: readonly Row[]): string {
  const cells = rows.map((row) => new Map(cellsOf(row)))
  const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))]
  // An object that one row lacks is a column of that row alone.
  const real = columns.filter((name) => !columns.some((other) => other.startsWith(`${name}.`)))
  const lines = cells.map((row) => real.map((name) => toCell(row.get(name))).join(','))
  return `${[real.map(toCell).join(','), ...lines].join('\r\n')}\r\n`
}

export interface RowPage {
  nodes: readonly Row[]
  /** Left out for a list in one piece. */
  pageInfo?: { hasNextPage: boolean; endCursor: string | null }
}

/** All rows of a list, from cursor to cursor, up to `MOST_ROWS`; `isCut`: the list goes on. */
export async function readRows(
  readPage: (after: string | null) => Promise<RowPage>,
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = []
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES && rows.length < MOST_ROWS; page += 1) {
    const { nodes, pageInfo }: RowPage = await readPage(after)
    rows.push(...nodes)
    if (!pageInfo?.hasNextPage) return { rows: rows.slice(0, MOST_ROWS), isCut: rows.length > MOST_ROWS }
    after = pageInfo.endCursor
  }
  return { rows: rows.slice(0, MOST_ROWS), isCut: true }
}
