#!/usr/bin/env bash
# DuckDB (@duckdb/node-api 1.5.6-r.1), writing a sum of amounts to Parquet and to CSV, and reading both files again.
# Guess before the run: the sum of BIGINT is a HUGEINT, and Parquet holds it whole, as a decimal or as bytes, or COPY refuses.
# Seen: Parquet gets a DOUBLE without a word, and the digits after the seventeenth are gone; CSV keeps them all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1 2>/dev/null
cat >sums.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`CREATE TABLE sums AS SELECT sum(amount) AS amount FROM (VALUES
  (9000000000000000001::BIGINT), (9000000000000000001::BIGINT)) AS paid (amount)`)
const tell = async (from) => {
  const answer = await connection.runAndReadAll(`SELECT typeof(amount), amount::VARCHAR FROM ${from}`)
  return answer.getRows()[0].join(' ')
}
for (const file of ['sums.parquet', 'sums.csv']) await connection.run(`COPY sums TO '${file}'`)
console.log(await tell('sums'), '|', await tell(`'sums.parquet'`), '|', await tell(`read_csv('sums.csv', all_varchar = true)`))
JS
seen=$(node sums.mjs)
echo "$seen"
[ "$seen" = 'HUGEINT 18000000000000000002 | DOUBLE 1.8e+19 | VARCHAR 18000000000000000002' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
