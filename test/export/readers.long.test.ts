// Every exported file, also one without rows, is read alike by DuckDB, hyparquet, parquet-wasm and polars. The last two
// are installed into a temporary folder.
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { expect, test } from 'vitest'
import { createParquetEncoder } from '../../src/export/parquet.ts'
import { TABLE_NAMES } from '../../src/export/table.ts'
import { TABLES } from '../../src/export/tables.ts'
import { runCommand } from '../support/context.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { findDuckDb } from '../support/duckdb.ts'
import { makeFolder } from '../support/folder.ts'

const run = promisify(execFile)
const MOST_BYTES = 2 ** 30
const OTHERS = makeFolder('readers')
cpSync(fileURLToPath(new URL('readers', import.meta.url)), OTHERS, { recursive: true })
const isInstalled = await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: OTHERS }).then(
  () => true,
  () => false,
)
const duckDb = await findDuckDb()
const database = await createStoppedDemo()

interface Found {
  columns: string[]
  rows: unknown[][]
}

const isoOf = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' ? Number(value) : (value ?? null)
}

async function readWithHyparquet(path: string, columns: string[]): Promise<Found> {
  const objects = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors })
  return { columns, rows: objects.map((row) => columns.map((name) => isoOf(row[name]))) }
}

async function readWithDuckDb(path: string, columns: string[], times: ReadonlySet<string>): Promise<Found> {
  const toCell = (name: string, value: unknown) =>
    times.has(name) && value !== null
      ? new Date(String(value).replace(' ', 'T').replace('+00', 'Z')).toISOString()
      : value
  const from = `FROM read_parquet('${path}', hive_partitioning = false)`
  const found = await duckDb?.(`DESCRIBE SELECT * ${from}`)
  const rows = await duckDb?.(`SELECT * ${from}`)
  return {
    columns: (found ?? []).map(({ column_name: name }) => String(name)),
    rows: (rows ?? []).map((row) => columns.map((name) => toCell(name, row[name] ?? null))),
  }
}

async function readEverywhere(paths: string[]): Promise<{ wasm: Found; polars: Found | null }[]> {
  const { stdout } = await run('node', ['read.mjs', ...paths], { cwd: OTHERS, maxBuffer: MOST_BYTES })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function expectAlike(table: (typeof TABLE_NAMES)[number], paths: string[]): Promise<number> {
  const columns = TABLES[table].columns.map(({ name }) => name)
  const times = new Set(TABLES[table].columns.filter(({ type }) => type === 'timestamp').map(({ name }) => name))
  const others = await readEverywhere(paths)
  let rows = 0
  for (const [at, path] of paths.entries()) {
    const found = await readWithHyparquet(path, columns)
    rows += found.rows.length
    expect(others[at]?.wasm).toEqual(found)
    expect(others[at]?.polars ?? found).toEqual(found)
    expect(await readWithDuckDb(path, columns, times)).toEqual(found)
  }
  return rows
}

const readable = test.skipIf(!isInstalled || !duckDb)
if (!isInstalled) test.skip('the npm registry cannot be reached, so the readers are not installed', () => {})

readable.each(TABLE_NAMES)('four readers read the same rows of an export of %s', async (table) => {
  const out = makeFolder('export')
  expect(await runCommand(['export', table, '--out', out], { DATABASE_URL: database.url })).toMatchObject({ code: 0 })
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.parquet'))
  expect(
    await expectAlike(
      table,
      paths.map((path) => join(out, path)),
    ),
  ).toBeGreaterThan(10)
})

readable.each(TABLE_NAMES)('four readers open a file of %s without rows', async (table) => {
  const path = join(makeFolder('empty'), 'part-0.parquet')
  writeFileSync(path, await createParquetEncoder(TABLES[table].columns).finish())
  expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1')
  expect(await expectAlike(table, [path])).toBe(0)
})
