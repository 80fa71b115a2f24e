// Reads Parquet files with parquet-wasm and polars. In: paths. Out: one line of JSON a file, with the columns and the rows
// that each reader found; null: polars has no program for this system.
import { readFileSync } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm/node'

const polars = await import('nodejs-polars').then(
  ({ default: found }) => found,
  () => null,
)

const toCell = (value, isTime) => {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (isTime) return new Date(Number(value)).toISOString()
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'object') return [...value]
  return value
}

function readWithWasm(bytes) {
  const table = tableFromIPC(readParquet(bytes).intoIPCStream())
  const columns = table.schema.fields.map(({ name, type }) => ({ name, isTime: String(type).startsWith('Timestamp') }))
  const rows = table.toArray().map((row) => columns.map(({ name, isTime }) => toCell(row[name], isTime)))
  return { columns: columns.map(({ name }) => name), rows }
}

function readWithPolars(path) {
  const frame = polars.readParquet(path)
  return { columns: frame.columns, rows: frame.rows().map((row) => row.map((value) => toCell(value, false))) }
}

for (const path of process.argv.slice(2)) {
  const wasm = readWithWasm(readFileSync(path))
  process.stdout.write(`${JSON.stringify({ wasm, polars: polars && readWithPolars(path) })}\n`)
}
