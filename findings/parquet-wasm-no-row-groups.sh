#!/usr/bin/env bash
# hyparquet-writer 0.17.0 writes a file without rows; hyparquet 1.31.5, nodejs-polars 0.26.1 and parquet-wasm 0.8.0 read it.
# Guess before the run: a file with a schema and no rows is the simplest of all, so every reader opens it.
# Seen: hyparquet and polars find no rows. parquet-wasm says "Expected list element type of Struct but got Byte": the writer
# gives the empty list of row groups the element type 0, and newer readers in Rust compare it even where there is no element.
# Effect: with the type of the list set to struct (one byte), all three read it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --ignore-scripts --no-audit --no-fund --silent hyparquet-writer@0.17.0 hyparquet@1.31.5 parquet-wasm@0.8.0 \
  nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1
cat >run.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import polars from 'nodejs-polars'
import { readParquet } from 'parquet-wasm/node'

const writer = new ByteWriter()
const schema = [
  { name: 'root', num_children: 1 },
  { name: 'a', type: 'INT32', repetition_type: 'OPTIONAL' },
]
await new ParquetWriter({ writer, schema, createdBy: 'x version 1' }).finish()
const bytes = Uint8Array.from(writer.getBytes())
const patched = Uint8Array.from(bytes)
// `num_rows` 0, then the field of row groups and its empty list.
patched[Buffer.from(patched).lastIndexOf(Uint8Array.of(0x16, 0, 0x19, 0)) + 3] = 0x0c
for (const [name, file] of Object.entries({ written: bytes, patched })) {
  writeFileSync(`${name}.parquet`, file)
  const wasm = (() => {
    try {
      readParquet(file)
      return 'opens'
    } catch (error) {
      return String(error).replace(/^Error: Parquet error: /, '')
    }
  })()
  const rows = (await parquetReadObjects({ file: file.buffer })).length
  console.log(`${name}: hyparquet ${rows}, polars ${polars.readParquet(`${name}.parquet`).height}, parquet-wasm: ${wasm}`)
}
JS
seen=$(node run.mjs)
echo "$seen"
[ "$seen" = $'written: hyparquet 0, polars 0, parquet-wasm: Expected list element type of Struct but got Byte\npatched: hyparquet 0, polars 0, parquet-wasm: opens' ] ||
  { echo 'The behaviour has changed.'; exit 1; }
