// `npm run bench -- export [--events N] [--database URL]`: how fast `export events` writes Parquet and CSV. The events
// are those of the demo chain, each many times, so that a day has as many as on a busy chain. It prints events a second and
// the most memory of the exporting process. Bytes an event would mean nothing, because repeated events pack well.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { FORMATS, type Format } from '../../src/export/encoder.ts'
import type { Manifest } from '../../src/export/manifest.ts'
import { findDatabase } from './database.ts'

const { values } = parseArgs({
  options: { events: { type: 'string', default: '2000000' }, database: { type: 'string' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const ends: (() => unknown)[] = []

/** Runs the built program. Returns its seconds and the most memory it had. */
async function run(args: readonly string[], url: string): Promise<{ seconds: number; memoryMb: number }> {
  const startedMs = performance.now()
  const env = { PATH: process.env.PATH, DATABASE_URL: url, DEMO: 'still', CONTRACT_CHECKS: 'off', LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, ['dist/main.js', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  let memoryMb = 0
  const looking = setInterval(() => {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    memoryMb = Math.max(memoryMb, Number(kib ?? 0) / 1024)
  }, 100)
  child.once('exit', () => clearInterval(looking))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - startedMs) / 1_000, memoryMb: Math.round(memoryMb) }
}

/** Repeats each event in place, so that numbers and times stay in order. Lists by token or wallet no longer work. */
async function repeatEvents(url: string, wanted: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: names } = await client.query<{ name: string }>(
      `SELECT quote_ident(column_name) AS name FROM information_schema.columns
        WHERE table_name = 'event' AND column_name <> 'n' AND is_generated = 'NEVER'`,
    )
    const columns = names.map(({ name }) => name).join(', ')
    const { rows: indexes } = await client.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'event'::regclass AND NOT indisprimary`,
    )
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    await client.query('CREATE TEMP TABLE demo_event AS SELECT * FROM event')
    const { rows: counts } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM demo_event')
    const times = Math.ceil(wanted / (counts[0]?.count ?? 1))
    await client.query('TRUNCATE event')
    await client.query(
      `INSERT INTO event (n, ${columns}) SELECT n * $1::bigint + k, ${columns} FROM demo_event, generate_series(0, $1::int - 1) k ORDER BY 1`,
      [times],
    )
    await client.query('VACUUM ANALYZE event')
    return times * (counts[0]?.count ?? 0)
  } finally {
    await client.end()
  }
}

async function measure(url: string, format: Format): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), 'assay-export-'))
  try {
    const { seconds, memoryMb } = await run(['export', 'events', '--format', format, '--out', out], url)
    const { partitions } = JSON.parse(readFileSync(join(out, 'events', '_manifest.json'), 'utf8')) as Manifest
    const written = Object.values(partitions)
    const rows = written.reduce((total, partition) => total + partition.rows, 0)
    say(
      `${format}: ${rows} events in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second, ${memoryMb} MB, ` +
        `${written.length} partitions`,
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

try {
  const url = await findDatabase(values.database, ends)
  await run(['index'], url)
  say(`${await repeatEvents(url, Number(values.events))} events`)
  for (const format of FORMATS) await measure(url, format)
} finally {
  for (const end of ends) await end()
}
