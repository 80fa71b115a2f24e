// A writer on a test database, and the tables as text for comparison.
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { FIVE_MINUTES_KEPT_DAYS, MINUTES_KEPT_DAYS } from '../../src/base/retention.ts'
import type { ChainReader } from '../../src/chain/contracts/reader.ts'
import type { ChainBlock } from '../../src/chain/event.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import type { Database } from '../../src/database/client.ts'
import { acquireWriter, type WriterLock } from '../../src/database/writer-lock.ts'
import { emptyIndex } from '../../src/ledger/write/reset.ts'
import { createWriter, type Writer } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { marketPreset } from './blocks.ts'
import { PATIENCE_MS } from './patience.ts'

/** How long a writer waits for the lock, so that a test with two writers fails with the reason before its time is up. */

interface Opening {
  startBlock?: number
  preset?: Preset
  clock?: Clock
  onChanges?: Parameters<typeof createWriter>[0]['onChanges']
}

/** A writer on an emptied database, one a test: its lock is released at the end of the test. A second one throws. */
export async function openWriter(database: Database, reader: ChainReader, opening: Opening = {}): Promise<Writer> {
  const lock = await acquireWriter({ database, signal: AbortSignal.timeout(PATIENCE_MS) })
  onTestFinished(() => lock.release())
  return startAnew(lock, reader, opening)
}

/** A writer on a database that is emptied first. */
export async function startAnew(
  lock: WriterLock,
  reader: ChainReader,
  { startBlock = 0, preset = marketPreset, ...given }: Opening = {},
): Promise<Writer> {
  await emptyIndex(lock)
  await lock.client.query('DELETE FROM chain')
  const writer = createWriter({ lock, preset, firstBuys: FIRST_BUYS, reader, ...given })
  await writer.open({ startBlock })
  return writer
}

/** Appends them one by one, after all were prefetched. */
export async function appendPrefetched(writer: Writer, blocks: readonly ChainBlock[]): Promise<void> {
  const head = blocks.at(-1)?.number ?? 0
  const batches = blocks.map((block) => [block])
  for (const batch of batches) writer.prefetch(batch)
  for (const batch of batches) await writer.append({ blocks: batch, head, finalized: head })
  await writer.settle()
}

/** Appends blocks that cannot be rolled back. */
export const appendFinal = async (writer: Writer, blocks: readonly ChainBlock[]): Promise<void> => {
  const head = blocks.at(-1)?.number ?? 0
  await writer.append({ blocks, head, finalized: head })
  await writer.settle()
}

/** The rows that blocks produced, table by table, without what depends on how the blocks were read. */
export async function dumpTables(pool: pg.Pool): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of WRITTEN_TABLES) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`)
    dump[table] = rows.map(({ row }) => row)
  }
  const newest = 'SELECT to_jsonb(b)::text AS row FROM block b ORDER BY number DESC LIMIT 1'
  dump.block = (await pool.query<{ row: string }>(newest)).rows.map(({ row }) => row)
  const inWindow = `SELECT to_jsonb(t)::text AS row FROM token_block t
    WHERE time > (SELECT max(time) FROM block) - interval '24 hours' ORDER BY 1`
  dump.token_block = (await pool.query<{ row: string }>(inWindow)).rows.map(({ row }) => row)
  for (const [table, period, seconds, days] of [
    ['token_minute', 'minute', 60, MINUTES_KEPT_DAYS],
    ['token_five_minutes', 'slot', 300, FIVE_MINUTES_KEPT_DAYS],
  ] as const) {
    const kept = `SELECT to_jsonb(t)::text AS row FROM ${table} t
      WHERE ${period} >= (SELECT floor(date_part('epoch', max(time)) / ${seconds}) - ${(86_400 / seconds) * days} FROM block) ORDER BY 1`
    dump[table] = (await pool.query<{ row: string }>(kept)).rows.map(({ row }) => row)
  }
  return dump
}

/**
 * Every row of these follows from the blocks alone. `token_block`, `token_minute` and `token_five_minutes` lose old rows
 * whenever blocks are final.
 */
export const WRITTEN_TABLES = [
  'token',
  'pool',
  'wallet',
  'position',
  'event',
  'token_hour',
  'pool_day',
  'wallet_week',
  'wallet_day',
  'link',
  'token_lock',
  'position_token',
  'stake',
  'launch',
]
