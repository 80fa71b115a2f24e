#!/usr/bin/env bash
# hyparquet 1.31.5, reading columns that DuckDB (@duckdb/node-api 1.5.6-r.1) wrote: BIGINT, DECIMAL(18,0) and DECIMAL(38,0).
# Guess before the run: every column of whole numbers above 2^53 comes as a bigint, or a decimal as a text.
# Seen: BIGINT is a bigint. DECIMAL of any width is a number of JavaScript, and its last digits are lost without a word:
# an amount of a token with 18 decimals is wrong from 0.009 tokens on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent hyparquet@1.31.5 @duckdb/node-api@1.5.6-r.1 2>/dev/null
cat >decimals.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetReadObjects } from 'hyparquet'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`COPY (SELECT 9007199254740993::BIGINT AS whole, 123456789012345678::DECIMAL(18,0) AS narrow,
  12345678901234567890123456789012345678::DECIMAL(38,0) AS wide) TO 'amounts.parquet'`)
const { buffer, byteOffset, length } = readFileSync('amounts.parquet')
const [row] = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) })
console.log(Object.values(row).map((value) => `${typeof value} ${value}`).join(', '))
JS
seen=$(node decimals.mjs)
echo "$seen"
[ "$seen" = 'bigint 9007199254740993, number 123456789012345680, number 1.2345678901234568e+37' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
