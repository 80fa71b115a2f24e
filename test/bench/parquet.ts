// `npm run bench -- parquet [--rows N] [--rounds N]`: measures hyparquet beside DuckDB. Both read the logs of a file into
// JavaScript, and write the rows of an export. It prints processor time a row.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api'
import { type FileColumn, openTable } from '../../src/chain/files/table.ts'
import { createParquetEncoder } from '../../src/export/parquet.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '500000' }, rounds: { type: 'string', default: '3' } },
})
const [rows, rounds] = [Number(values.rows), Number(values.rounds)]
const folder = mkdtempSync(join(tmpdir(), 'assay-parquet-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const logs = join(folder, 'logs.parquet')
const database = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()

const hashOf = (seed: string) => createHash('sha256').update(seed).digest('hex')
/** A word with an address of `count` different ones. */
const word = (count: number) => `unhex(repeat('00', 12) || substr(sha256((i % ${count})::VARCHAR), 1, 40))`
await database.run(`COPY (SELECT (i / 100)::INTEGER AS block_number, (i % 40)::INTEGER AS transaction_index,
    (i % 100)::INTEGER AS log_index, unhex(sha256((i // 3)::VARCHAR)) AS transaction_hash,
    unhex(substr(sha256((i % 500)::VARCHAR), 1, 40)) AS address, unhex(repeat('dd', 32)) AS topic0, ${word(9_000)} AS topic1,
    ${word(7_000)} AS topic2, NULL::BLOB AS topic3, unhex(sha256(i::VARCHAR)) AS data FROM range(${rows}) t(i)
  ) TO '${logs}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192)`)

const NUMBERS = ['block_number', 'transaction_index', 'log_index']
const BYTES = ['transaction_hash', 'address', 'topic0', 'topic1', 'topic2', 'topic3', 'data']
const COLUMNS: FileColumn[] = [
  ...NUMBERS.map((name) => ({ name, type: 'number' as const })),
  ...BYTES.map((name) => ({ name, type: 'bytes' as const, isNullable: true })),
]

/** The sum of all numbers and of the last byte of each value: both readers have to look at each. */
async function readByHyparquet(): Promise<number> {
  const table = await openTable(logs, COLUMNS)
  let sum = 0
  for (const { start, end } of table.pieces) {
    const piece = await table.read(COLUMNS, start, end)
    for (const name of NUMBERS) for (const number of piece.numbers(name)) sum += number
    for (const name of BYTES) for (const value of piece.someBytes(name)) sum += value?.at(-1) ?? 0
  }
  return sum
}

async function readByDuckdb(): Promise<number> {
  const names = [...NUMBERS, ...BYTES]
  const found = await database.stream(`SELECT ${names.join(', ')} FROM read_parquet('${logs}')`)
  let sum = 0
  for (let chunk = await found.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await found.fetchChunk())
    for (let column = 0; column < names.length; column++) {
      const vector = chunk.getColumnVector(column)
      for (let row = 0; row < chunk.rowCount; row++) {
        const value = vector.getItem(row) as number | { bytes: Uint8Array } | null
        sum += typeof value === 'number' ? value : (value?.bytes.at(-1) ?? 0)
      }
    }
  return sum
}

type Exported = [string, number, Date, string, string, number, number | null]
const exported = Array.from({ length: rows }, (_, at): Exported => {
  const party = `0x${hashOf(`${at % 5_000}`).slice(0, 40)}`
  const amounts = [Number(`0.${hashOf(`${at}`).replace(/\D/g, '').slice(0, 15)}`), at % 7 ? at / 3 : null] as const
  return [
    `0x${hashOf(`${Math.floor(at / 3)}`)}`,
    at % 100,
    new Date(1.7e12 + at * 1_000),
    'transfer',
    party,
    ...amounts,
  ]
})
const TYPES = ['string', 'int32', 'timestamp', 'string', 'string', 'double', 'double'] as const
/** Rows that an export encodes at once. */
const SLICE = 10_000

async function writeByHyparquet(): Promise<void> {
  const encoder = createParquetEncoder(
    TYPES.map((type, at) => ({ name: `c${at}`, type, unit: '', meaning: '', sql: '' })),
  )
  const parts: Uint8Array[] = []
  for (let at = 0; at < rows; at += SLICE) parts.push(await encoder.encode(exported.slice(at, at + SLICE)))
  writeFileSync(join(folder, 'hyparquet'), Buffer.concat([...parts, await encoder.finish()]))
}

async function writeByDuckdb(): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE row_of_export
    (a VARCHAR, b INTEGER, c TIMESTAMP, d VARCHAR, e VARCHAR, f DOUBLE, g DOUBLE)`)
  const appender = await database.createAppender('row_of_export')
  for (const [hash, log, time, kind, party, amount, price] of exported) {
    appender.appendVarchar(hash)
    appender.appendInteger(log)
    appender.appendTimestamp(new DuckDBTimestampValue(BigInt(time.getTime()) * 1_000n))
    appender.appendVarchar(kind)
    appender.appendVarchar(party)
    appender.appendDouble(amount)
    if (price === null) appender.appendNull()
    else appender.appendDouble(price)
    appender.endRow()
  }
  appender.closeSync()
  await database.run(`COPY row_of_export TO '${join(folder, 'duckdb')}' (FORMAT parquet, COMPRESSION snappy)`)
}

/** Microseconds of the processor a row, the median of the rounds. */
async function measure(work: () => Promise<unknown>): Promise<string> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    found.push((user + system) / rows)
  }
  return (found.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN).toFixed(2)
}

if ((await readByHyparquet()) !== (await readByDuckdb())) throw new Error('both must read the same values')
const say = (line: string) => process.stdout.write(`${line}\n`)
say('| microseconds a row | hyparquet | DuckDB |')
say(`| reading logs | ${await measure(readByHyparquet)} | ${await measure(readByDuckdb)} |`)
say(`| writing an export | ${await measure(writeByHyparquet)} | ${await measure(writeByDuckdb)} |`)
