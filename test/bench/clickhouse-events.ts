// Copies a drawn history into ClickHouse, segment by segment, as merges leave it. Its own writer compares events with rows
// of PostgreSQL, which a drawn history lacks. DuckDB writes lines into a pipe, and ClickHouse reads them.
import { execFileSync } from 'node:child_process'
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection, type StatementLimits } from '../../src/history/clickhouse/connection.ts'
import { createClickHouseStore } from '../../src/history/clickhouse/store.ts'
import { columnsIn, READ_TABLES } from '../../src/history/clickhouse/tables.ts'
import type { Segment } from '../../src/history/history.ts'
import type { RunSql } from '../../src/history/parquet/engine.ts'
import { TYPE_COLUMNS } from '../../src/history/parquet/orders.ts'
import { relationOf } from '../support/history-relations.ts'
import { DRAWN_ID, withDuck } from './drawn-history.ts'

const LIMITS: StatementLimits = {
  ...{ connections: 1, withinMs: 3_600_000, threads: 2, memoryMb: 8_000 },
  ...{ rowsRead: 1e10, rowsFound: 1_000, isReader: false },
}
/** Rows that become one part, so that nothing is left to merge in it. */
const BLOCK_ROWS = 24_000_000

type Copied = 'event' | 'token' | 'wallet'

/** Whole micro-dollars, or null if they do not give exactly the amount. */
const MICRO =
  'CASE WHEN round(amount_usd * 1e6) / 1e6 = amount_usd THEN TRY_CAST(round(amount_usd * 1e6) AS BIGINT) END'

/** The columns of the tables in the words of the files, where they differ. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  part: 'part + 1',
  amount_micro: `coalesce(${MICRO}, -1)`,
  amount_usd: `CASE WHEN ${MICRO} IS NULL THEN amount_usd END`,
  time: 'epoch_us(time)',
  type_n: `CASE type ${TYPE_COLUMNS.map((column, at) => `WHEN ${at + 1} THEN ${column}`).join(' ')} END`,
  token_n: 'number',
  token_type_n: 'type_number',
  received: 'received::TINYINT',
}

async function linesOf(folder: string, segment: Segment, table: Copied): Promise<string> {
  const values = columnsIn(table).map((column) => `coalesce(${OTHER_WORDS[column] ?? column}, 0)`)
  const events = await relationOf(folder, [segment], 'events')
  if (table === 'event')
    return `SELECT ${values.join(', ').replace('coalesce(tx_hash, 0)', 'tx_hash')} FROM ${events} e
      JOIN (SELECT n AS first_n, tx_hash FROM ${await relationOf(folder, [segment], 'hashes')}) h ON h.first_n = e.tx_n`
  return `SELECT ${values.join(', ')} FROM ${await relationOf(folder, [segment], `${table}s`)}
    JOIN (SELECT n, quantity, amount_usd, time, block_number FROM ${events}) e USING (n)`
}

async function pipe(
  run: RunSql,
  url: string,
  into: { folder: string; table: Copied; number: number; segment: Segment },
) {
  const { folder, table, number, segment } = into
  const path = join(folder, '_lines')
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  const { username, password, pathname, origin } = new URL(url)
  const query = new URLSearchParams({
    ...{ database: pathname.slice(1), max_insert_block_size: String(BLOCK_ROWS), max_memory_usage: '12000000000' },
    query: `INSERT INTO ${table} (segment, ${columnsIn(table).join(', ')}) FORMAT TabSeparated`,
  })
  const options = "FORMAT csv, HEADER false, DELIM '\t', QUOTE '', ESCAPE '', USE_TMP_FILE false"
  const lines = await linesOf(folder, segment, table)
  const written = run(`COPY (SELECT ${number}, * FROM (${lines})) TO '${path}' (${options})`)
  const response = await fetch(`${origin}/?${query}`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
    body: createReadStream(path) as never,
    duplex: 'half',
  } as RequestInit)
  if (!response.ok) throw new Error((await response.text()).slice(0, 500))
  await written
  rmSync(path)
}

/** Copies the segments, and returns what they are called there and the bytes of each table. */
export async function copyToClickHouse(
  url: string,
  folder: string,
  drawn: readonly Segment[],
  say: (line: string) => void,
): Promise<{ segments: Segment[]; sizes: [part: string, bytes: number][] }> {
  const store = createClickHouseStore({ url, onFault: say, onRecovery: () => {} })
  const writer = store.openWriter()
  const connection = openConnection(url, LIMITS)
  const isFilled = (await writer.readMarker()) !== null
  if (!isFilled) {
    await writer.makeMarker(DRAWN_ID.replaceAll(/[^0-9a-f-]/g, '0'))
    await withDuck(folder, async (run) => {
      for (const [at, segment] of drawn.entries()) {
        const startMs = performance.now()
        for (const table of ['event', 'token', 'wallet'] as const)
          await pipe(run, url, { folder, table, number: at + 1, segment })
        await connection.run(`INSERT INTO block (segment, block_number, time, first_n, last_n, swap_n, liquidity_add_n,
            liquidity_remove_n, transfer_n)
          SELECT segment, block_number, any(time) AS newest, min(n), max(n), maxIf(type_n, type = 1), maxIf(type_n, type = 2),
            maxIf(type_n, type = 3), maxIf(type_n, type = 4)
          FROM event WHERE segment = ${at + 1} GROUP BY segment, block_number`)
        for (const table of READ_TABLES) await connection.run(`OPTIMIZE TABLE ${table} PARTITION ${at + 1} FINAL`)
        say(`${segment.name} copied in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`)
      }
    })
  }
  const rows = await connection.ask(`SELECT table, sum(bytes) AS size FROM system.parts
    WHERE active AND database = currentDatabase() GROUP BY table`)
  for (const each of [connection, writer, store]) await each.close()
  return {
    segments: drawn.map((segment, at) => ({ ...segment, name: `${segment.firstN}-${segment.lastN}-${at + 1}` })),
    sizes: READ_TABLES.map((table) => [table, Number(rows.find((row) => row.table === table)?.size)]),
  }
}
