// What the folder of a segment has: the parts of each order with the bounds of their keys, and where hashes are. It is
// written with the segment, and read once, so a question opens the few parts that can have its rows.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { quote } from '../../base/sql-text.ts'
import type { RunSql } from './engine.ts'
import { KEYS, ORDERS, type Order, type OrderPart } from './orders.ts'

export const MANIFEST = 'manifest.json'
export const HASHES = 'hashes.parquet'

const pair = z.tuple([z.number(), z.number()])

/** The Parquet files of an order, in ascending order. */
const partsOf = (order: Order) =>
  z.array(
    z.object({
      // A name as DuckDB gives it: none leads out of the folder.
      file: z.string().regex(/^data_\d+\.parquet$/),
      bounds: z.record(z.string(), pair).refine((bounds) => KEYS[order].every((key) => key in bounds)),
    }),
  )

const MANIFEST_FORM = z.object({
  parts: z.object({ events: partsOf('events'), tokens: partsOf('tokens'), wallets: partsOf('wallets') }),
  /** The row groups of hashes. They are not compressed, and are the last bytes of each: `end` is the first byte after it. */
  hashes: z.array(z.object({ rows: z.int().positive(), end: z.int().positive() })),
})

export type SegmentManifest = z.infer<typeof MANIFEST_FORM>
export type HashGroup = SegmentManifest['hashes'][number]

/** The files of a segment, by their names in its folder. */
export const filesOf = ({ parts }: SegmentManifest): string[] => [
  MANIFEST,
  HASHES,
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
  const groups = await run(`SELECT row_group_num_rows::DOUBLE AS rows,
      (data_page_offset + total_compressed_size)::DOUBLE AS "end"
    FROM parquet_metadata(${quote(join(folder, HASHES))}) WHERE path_in_schema = 'tx_hash' ORDER BY row_group_id`)
  const manifest = { parts: { events, tokens, wallets }, hashes: groups as unknown as HashGroup[] }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`)
  return manifest
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
