// Compares written files with their source: the events of a segment, rows, and the values at their places. Each check
// throws if something differs.
import { join } from 'node:path'
import { quote } from '../../base/sql-text.ts'
import type { Segment } from '../history.ts'
import { numbersIn, whole } from '../numbers.ts'
import type { RunSql } from './engine.ts'
import { HASHES, partPaths, type SegmentManifest } from './manifest.ts'
import { readHashesAt, readValuesAt } from './places.ts'
import { readParquet } from './relation.ts'

export type NumberRange = Pick<Segment, 'firstN' | 'lastN'>

/** Whether the table `staged` has each event of the range once. */
export async function requireCount(run: RunSql, { firstN, lastN }: NumberRange): Promise<void> {
  const [row] = await run(
    'SELECT count(DISTINCT n)::DOUBLE AS n, count(*)::DOUBLE AS rows, min(n)::DOUBLE AS least, max(n)::DOUBLE AS most FROM staged',
  )
  const wanted = lastN - firstN + 1
  if (row?.n !== wanted || row.rows !== wanted || row.least !== firstN || row.most !== lastN)
    throw new Error(`the events ${firstN} to ${lastN} are not all there`)
}

/** Compares the number of rows, a sum, and the sum of the hashes of all rows. */
export async function requireSameRows(run: RunSql, select: string, path: string): Promise<void> {
  const sums = (source: string) =>
    run(
      `SELECT count(*)::VARCHAR AS rows, sum(n)::VARCHAR AS numbers, sum(hash(r)::HUGEINT)::VARCHAR AS hashes FROM (${source}) r`,
    )
  const [[wanted], [written]] = [await sums(select), await sums(`SELECT * FROM ${readParquet([path])}`)]
  for (const key of ['rows', 'numbers', 'hashes'])
    if (wanted?.[key] !== written?.[key]) throw new Error(`${path} differs from the events that were written`)
}

/** Reads the last values of each row group by their places, and by DuckDB. */
export async function requirePlaces(
  run: RunSql,
  at: string,
  { firstN, lastN }: NumberRange,
  manifest: SegmentManifest,
): Promise<void> {
  const paths = partPaths(at, 'events', manifest.parts.events)
  let next = firstN
  for (const path of paths) {
    const [row] =
      await run(`SELECT count(*)::DOUBLE AS rows, (count(*) FILTER (n - file_row_number <> ${whole(next)}))::DOUBLE AS misplaced
      FROM read_parquet(${quote(path)}, hive_partitioning = false, file_row_number = true)`)
    if (row?.misplaced !== 0) throw new Error(`the events of ${path} are not in order`)
    next += Number(row.rows)
  }
  const { places } = manifest
  if (!places || next !== lastN + 1) throw new Error(`the events ${firstN} to ${lastN} are not all in their places`)
  const ends = [...endsOf(places.events, firstN), ...(await readHashEnds(run, join(at, HASHES), manifest))]
  const ns = [...new Set([firstN, lastN, ...ends])].sort((a, b) => a - b)
  const opened = { at, firstN, manifest }
  const [values, hashes] = [await readValuesAt(opened, places, ns), await readHashesAt(opened, ns)]
  const rows = await run(`SELECT e.n::DOUBLE AS n, quantity, amount_usd, block_number, epoch_us(time)::DOUBLE AS time,
      lower(hex(h.tx_hash)) AS hash
    FROM ${readParquet(paths)} e JOIN ${readParquet([join(at, HASHES)])} h ON h.n = e.tx_n WHERE e.n IN (${numbersIn(ns)})`)
  const areThere = rows.every(({ n, hash, ...row }) => {
    const found = values.get(Number(n))
    const isSame = (['quantity', 'amount_usd', 'block_number', 'time'] as const).every(
      (key) => found?.[key] === row[key],
    )
    return isSame && hashes.get(Number(n)) === hash
  })
  if (rows.length !== ns.length || !areThere) throw new Error('the segment does not have its values in their places')
}

/** The running number of the last event of each row group. */
function endsOf(groups: readonly { rows: number }[], firstN: number): number[] {
  let next = firstN
  return groups.map(({ rows }) => {
    next += rows
    return next - 1
  })
}

/** The first event of the last transaction of each row group of hashes. */
async function readHashEnds(run: RunSql, path: string, { hashes }: SegmentManifest): Promise<number[]> {
  const found =
    await run(`SELECT n::DOUBLE AS n FROM read_parquet(${quote(path)}, hive_partitioning = false, file_row_number = true)
    WHERE file_row_number IN (${numbersIn(endsOf(hashes, 0))})`)
  return found.map(({ n }) => Number(n))
}
