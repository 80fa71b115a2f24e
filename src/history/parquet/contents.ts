// The columns of a segment's files, and the statements that write them. Random values are there once: amounts and
// quantities in `events`, a hash for each transaction. So is the time of a block.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { quote } from '../../base/sql-text.ts'
import type { RunSql } from './engine.ts'
import { BLOCKS, HASHES, PLACED } from './manifest.ts'
import { ORDERS, type Order, TYPE_COLUMNS } from './orders.ts'
import { spliceColumns } from './splice.ts'

/** Rows of a row group, which a page reads whole. DuckDB prepares every column of every group of a file that it reads. */
const GROUP_ROWS = 61_440
/** A page reads the group of each of its blocks. */
const BLOCK_GROUP_ROWS = 2_048
const PART_GROUPS = 8

const parquet = (version: 1 | 2, rows: number) =>
  `FORMAT parquet, PARQUET_VERSION v${version}, ROW_GROUP_SIZE ${rows}, WRITE_BLOOM_FILTER false`
const PACKED = `${parquet(2, GROUP_ROWS)}, COMPRESSION zstd`
/** Values of one width, one after the other at the end of their column. */
const plain = (rows: number) => `${parquet(1, rows)}, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0`
/** Without a dictionary, a row group ends with one hash after the other. */
const HASHES_OPTIONS = `${parquet(2, GROUP_ROWS)}, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0`

const PLACED_LIST = PLACED.join(', ')

const COMMON = 'n, type, log_index, part, counterparty_id, pool_id, signer_id, direction, attribution'
/** The columns of each order, as the files have them. */
export const COLUMNS: Readonly<Record<Order, string>> = {
  events: `${COMMON}, block_number, time, token_id, wallet_id, ${TYPE_COLUMNS.join(', ')}, tx_n, ${PLACED_LIST}`,
  tokens: `token_id, number, type_number, ${COMMON}, wallet_id`,
  wallets: `reader_id, received, number, type_number, ${COMMON}, token_id, wallet_id`,
}

const OWN = 'wallet_id AS reader_id, false AS received, wallet_n AS number, wallet_type_n AS type_number'
const RECEIVED = 'counterparty_id, true, counterparty_n, counterparty_type_n'

/** What each order has of the rows `staged`. */
export const CONTENTS: Readonly<Record<Order, string>> = {
  events: `SELECT ${COMMON}, block_number, time, token_id, wallet_id,
      ${TYPE_COLUMNS.map((column, at) => `coalesce(max(type_n) FILTER (type = ${at + 1}) OVER numbers, 0) AS ${column}`).join(', ')},
      tx_n, ${PLACED_LIST} FROM staged WINDOW numbers AS (ORDER BY n ROWS UNBOUNDED PRECEDING)`,
  tokens: `SELECT token_id, token_n AS number, token_type_n AS type_number, ${COMMON}, wallet_id FROM staged`,
  wallets: `SELECT ${OWN}, ${COMMON}, token_id, wallet_id FROM staged
      UNION ALL SELECT ${RECEIVED}, ${COMMON}, token_id, wallet_id FROM staged WHERE counterparty_n IS NOT NULL`,
}
export const STAGED_HASHES = 'SELECT n, tx_hash FROM staged WHERE opens_tx'

const ORDER_BY: Readonly<Record<Order, string>> = {
  events: 'n',
  tokens: 'token_id, type, number',
  wallets: 'reader_id, type, number',
}

/** Adds to rows with `n`, `block_number` and `tx_hash` which event is the first of its transaction or block. */
export const marked = (rows: string): string => `SELECT * EXCLUDE (before_hash, before_block),
    max(CASE WHEN opens_tx THEN n END) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) AS tx_n
  FROM (SELECT *, before_hash IS NULL OR before_hash <> tx_hash AS opens_tx,
      before_block IS NULL OR before_block <> block_number AS opens_block
    FROM (SELECT *, lag(tx_hash) OVER numbers AS before_hash, lag(block_number) OVER numbers AS before_block
      FROM ${rows} WINDOW numbers AS (ORDER BY n)))`

/** `select`: rows with the columns of the order. With several threads DuckDB would mix row groups of its files. */
export async function copyOrder(run: RunSql, at: string, order: Order, select: string): Promise<void> {
  const copy = (columns: string, into: string, options: string) =>
    run(`COPY (SELECT ${columns} FROM (${select}) ORDER BY ${ORDER_BY[order]})
      TO ${quote(into)} (${options}, ROW_GROUPS_PER_FILE ${PART_GROUPS})`)
  if (order !== 'events') return void (await copy('*', join(at, order), PACKED))
  const [packed, placed] = [join(at, '_packed'), join(at, '_placed')]
  await copy(`* EXCLUDE (${PLACED_LIST})`, packed, PACKED)
  await copy(PLACED_LIST, placed, plain(GROUP_ROWS))
  await mkdir(join(at, order))
  for (const name of await readdir(packed))
    await spliceColumns([join(packed, name), join(placed, name)], join(at, order, name))
  for (const done of [packed, placed]) await rm(done, { recursive: true })
}

/** `select`: the first running number of each transaction, and the hash. */
export const copyHashes = (run: RunSql, at: string, select: string) =>
  run(`COPY (SELECT * FROM (${select}) ORDER BY n) TO ${quote(join(at, HASHES))} (${HASHES_OPTIONS})`)

/** `select`: rows of `events`. */
export const copyBlocks = (run: RunSql, at: string, select: string) =>
  run(`COPY (SELECT block_number AS number, time FROM (${select}) WHERE opens_block ORDER BY n)
    TO ${quote(join(at, BLOCKS))} (${plain(BLOCK_GROUP_ROWS)})`)

/** The statements whose rows a segment gets: of each order, and of the hashes. */
export type SegmentSource = Readonly<Record<Order | 'hashes', string>>

export async function copyAll(run: RunSql, at: string, source: SegmentSource): Promise<void> {
  for (const order of ORDERS) await copyOrder(run, at, order, source[order])
  await copyHashes(run, at, source.hashes)
  await copyBlocks(run, at, source.events)
}

/** Writes the files of a segment from the table `staged`. */
export const copyStaged = (run: RunSql, at: string): Promise<void> =>
  copyAll(run, at, { ...CONTENTS, hashes: STAGED_HASHES })
