#!/usr/bin/env bash
# @duckdb/node-api 1.5.6-r.1 (DuckDB 1.5.6), `read_csv` with its defaults, on a column of short hexadecimal texts and one of
# integers with up to 46 digits.
# Guess before the run: both stay VARCHAR, since no integer type holds the second, and JSON and SQL know no 0x in data.
# Seen: `0x12` becomes the BIGINT 18, and the long integers become DOUBLE, so 1000...0001 is read as 1e45.
# Effect: addresses, selectors and raw amounts lose their digits without a word, unless the reader names their types.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1
printf 'selector,supply\n0x12,1000000000000000000000000000000000000000000001\n0xff,3\n' >rows.csv
cat >run.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const sql = `SELECT typeof(selector) || ' ' || selector || ', ' || typeof(supply) || ' ' || supply AS cell FROM read_csv('rows.csv')`
console.log((await connection.runAndReadAll(sql)).getRows().flat().join('\n'))
JS
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = $'BIGINT 18, DOUBLE 1e+45\nBIGINT 255, DOUBLE 3.0' ] || { echo 'The behaviour has changed.'; exit 1; }
