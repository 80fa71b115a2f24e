// What the folder of a segment has: the parts of each order with the bounds of their keys, and the places of values. It is
// written with the segment, and read once, so a question opens the few parts that it needs.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { quote } from '../../base/sql-text.ts'
import type { EngineRow, RunSql } from './engine.ts'
import { KEYS, ORDERS, type Order, type OrderPart } from './orders.ts'

export const MANIFEST = 'manifest.json'
export const HASHES = 'hashes.parquet'
export const BLOCKS = 'blocks.parquet'

const pair = z.tuple([z.number(), z.number()])
const count = z.int().nonnegative()
const size = z.int().positive()

/** The Parquet files of an order, in ascending order. */
const partsOf = (order: Order) =>
  z.array(
    z.object({
      // A name as DuckDB gives it: none leads out of the folder.
      file: z.string().regex(/^data_\d+\.parquet$/),
      bounds: z.record(z.string(), pair).refine((bounds) => KEYS[order].every((key) => key in bounds)),
    }),
  )

/** The row groups of values that are read by their places: each column's are its last bytes, up to the named one. */
const PLACES = z.object({
  /** Of `events`. `part` counts its files; `txs` and `blocks` count what begins before the group. */
  events: z.array(
    z.object({
      ...{ part: count, rows: size, quantity: size, amount_usd: size, opens_tx: size, opens_block: size },
      ...{ txs: count, blocks: count },
    }),
  ),
  blocks: z.array(z.object({ rows: size, number: size, time: size })),
})

const MANIFEST_FORM = z.object({
  parts: z.object({ events: partsOf('events'), tokens: partsOf('tokens'), wallets: partsOf('wallets') }),
  /** The row groups of hashes. They are not compressed, and are the last bytes of each: `end` is the first byte after it. */
  hashes: z.array(z.object({ rows: size, end: size })),
  /** Missing in an outdated segment: there every order has all columns, and every event has a hash of its own. */
  places: PLACES.optional(),
})

export type SegmentManifest = z.infer<typeof MANIFEST_FORM>
export type Places = z.infer<typeof PLACES>

/** The files of a segment, by their names in its folder. */
export const filesOf = ({ parts, places }: SegmentManifest): string[] => [
  MANIFEST,
  HASHES,
  ...(places ? [BLOCKS] : []),
  ...ORDERS.flatMap((order) => parts[order].map(({ file }) => join(order, file))),
]

/** The paths of parts of an order, in the segment's folder `at`. */
export const partPaths = (at: string, order: Order, parts: readonly OrderPart[]): string[] =>
  parts.map(({ file }) => join(at, order, file))

/** Throws if the manifest is missing or damaged. */
export async function readManifest(folder: string): Promise<SegmentManifest> {
  const { success, data } = MANIFEST_FORM.safeParse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  if (!success) throw new Error(`${MANIFEST} is damaged`)
  return data
}

/** Describes the written files of a segment, and returns what it wrote. Throws if their rows are not in order. */
export async function writeManifest(run: RunSql, folder: string): Promise<SegmentManifest> {
  const [events, tokens, wallets] = [
    await describe(run, folder, 'events'),
    await describe(run, folder, 'tokens'),
    await describe(run, folder, 'wallets'),
  ]
  const hashes = await readEnds(run, join(folder, HASHES), { end: 'tx_hash' })
  const places = {
    events: await describePlaces(run, folder, events),
    blocks: await readEnds(run, join(folder, BLOCKS), { number: 'number', time: 'time' }),
  }
  const { data: manifest } = MANIFEST_FORM.safeParse({ parts: { events, tokens, wallets }, hashes, places })
  if (!manifest) throw new Error('the files of a segment are not as they should be')
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`)
  return manifest
}

/** The rows of each row group of a file, and the end of each column in it. */
const readEnds = (run: RunSql, path: string, columns: Readonly<Record<string, string>>): Promise<EngineRow[]> => {
  const ends = Object.entries(columns).map(
    ([
      name,
      column,
    ]) => `(max(data_page_offset + total_compressed_size) FILTER (path_in_schema = ${quote(column)}))::DOUBLE
      AS ${quote(name)}`,
  )
  return run(`SELECT max(row_group_num_rows)::DOUBLE AS rows, ${ends.join(', ')}
    FROM parquet_metadata(${quote(path)}) GROUP BY row_group_id ORDER BY row_group_id`)
}

/** The columns of `events` that are read by their places. None is ever null. */
export const PLACED = ['quantity', 'amount_usd', 'opens_tx', 'opens_block'] as const

async function describePlaces(run: RunSql, folder: string, parts: readonly OrderPart[]): Promise<EngineRow[]> {
  const columns = Object.fromEntries(PLACED.map((name) => [name, name]))
  const groups: EngineRow[] = []
  let [txs, blocks] = [0, 0]
  for (const [part, path] of partPaths(folder, 'events', parts).entries()) {
    const ends = await readEnds(run, path, columns)
    const rows = Number(ends[0]?.rows)
    const counts = await run(`SELECT count(*)::DOUBLE AS rows, (count(*) FILTER (opens_tx))::DOUBLE AS txs,
        (count(*) FILTER (opens_block))::DOUBLE AS blocks
      FROM read_parquet(${quote(path)}, hive_partitioning = false, file_row_number = true)
      GROUP BY file_row_number // ${rows} ORDER BY min(file_row_number)`)
    for (const [index, found] of counts.entries()) {
      if (found.rows !== ends[index]?.rows) throw new Error(`the row groups of ${path} have other rows`)
      groups.push({ part, ...ends[index], txs, blocks })
      txs += Number(found.txs)
      blocks += Number(found.blocks)
    }
  }
  return groups
}

async function describe(run: RunSql, folder: string, order: Order): Promise<OrderPart[]> {
  const rows = await run(`SELECT parse_filename(file_name) AS file, path_in_schema AS key,
      min(stats_min_value::BIGINT)::DOUBLE AS least, max(stats_max_value::BIGINT)::DOUBLE AS most
    FROM parquet_metadata(${quote(join(folder, order, '*.parquet'))})
    WHERE path_in_schema IN (${KEYS[order].map(quote).join(', ')}) GROUP BY ALL`)
  const parts = new Map<string, OrderPart>()
  for (const { file, key, least, most } of rows) {
    const part = parts.get(String(file)) ?? { file: String(file), bounds: {} }
    part.bounds[String(key)] = [Number(least), Number(most)]
    parts.set(part.file, part)
  }
  const ordered = [...parts.values()].sort((a, b) => numberOf(a) - numberOf(b))
  const [key] = KEYS[order]
  const isOrdered = ordered.every(({ bounds }, at) => {
    const before = ordered[at - 1]?.bounds[key]
    return bounds[key] !== undefined && (!before || before[1] <= bounds[key][0])
  })
  if (!isOrdered || ordered.length === 0) throw new Error(`the files of ${order} are not in order`)
  return ordered
}

/** DuckDB numbers the files of an order. */
const numberOf = ({ file }: OrderPart): number => Number(/\d+/.exec(file)?.[0])
