#!/usr/bin/env bash
# @duckdb/node-api 1.5.6-r.1 (DuckDB 1.5.6), `WITH RECURSIVE t`, where the database has a table `t`.
# Guess before the run: an error about a circular reference, because the name belongs to the part that is being defined.
# Seen: the first half of the part reads the table. Only the second half reads the part. Without UNION the whole part does.
# Effect: a check that takes a name of WITH for harmless within its own definition misses a table.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent @duckdb/node-api@1.5.6-r.1
cat >run.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run('CREATE TABLE t AS SELECT 42 AS n')
for (const sql of [
  'WITH RECURSIVE t AS (SELECT n FROM t UNION ALL SELECT n + 1 FROM t WHERE n < 44) SELECT n FROM t ORDER BY n',
  'WITH RECURSIVE t AS (SELECT n + 1 AS n FROM t) SELECT n FROM t',
])
  console.log((await connection.runAndReadAll(sql)).getRows().flat().join(' '))
JS
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = $'42 43 44\n43' ] || { echo 'The behaviour has changed.'; exit 1; }
