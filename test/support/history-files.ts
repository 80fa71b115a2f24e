// Writes a recorded chain as Parquet files, as cryo does: names, columns and types are of cryo 0.3. Input: a recording. Output:
// files in a folder; a test can change the columns of a file before it is written.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import type { CompressionCodec, SchemaElement } from 'hyparquet'
import { ByteWriter, parquetWrite } from 'hyparquet-writer'
import type { RecordedBlock, Recording } from '../../src/chain/replay/recording.ts'

export type Dataset = 'blocks' | 'transactions' | 'logs'
/** Values by column, as hex text, number, bigint or null. */
export type Rows = Record<string, unknown[]>

export interface WriteOptions {
  folder: string
  from?: number
  to?: number
  /** Blocks in a file: cryo's `--chunk-size`. */
  chunkSize?: number
  /** Rows in a row group: cryo's `--row-group-size`. */
  rowGroupSize?: number
  codec?: CompressionCodec
  /** cryo's `--hex`. */
  isHex?: boolean
  chainId?: number
  /** Types other than cryo's. */
  types?: Record<string, 'UINT_32' | 'binary'>
  /** Changes the columns of a file. */
  change?: (dataset: Dataset, rows: Rows) => void
}

const ZERO_HASH = `0x${'0'.repeat(64)}`

/** Types of cryo's columns; those that are not named are binary. */
const NUMBERS: Record<string, 'UINT_32' | 'UINT_64'> = {
  block_number: 'UINT_32',
  timestamp: 'UINT_32',
  log_index: 'UINT_32',
  n_data_bytes: 'UINT_32',
  n_input_bytes: 'UINT_32',
  gas_used: 'UINT_64',
  chain_id: 'UINT_64',
}
/** cryo counts transactions with 32 bits in logs, and with 64 in transactions. */
const typeOf = (dataset: Dataset, name: string) =>
  name === 'transaction_index' ? (dataset === 'logs' ? 'UINT_32' : 'UINT_64') : NUMBERS[name]

/** Writes blocks from..to of the recording. */
export function writeHistoryFiles(recording: Recording, options: WriteOptions): string[] {
  const { folder, from = 0, to = recording.blocks.length - 1, chunkSize = 1_000, chainId = recording.chainId } = options
  const paths: string[] = []
  for (let first = from; first <= to; first += chunkSize) {
    const last = Math.min(to, first + chunkSize - 1)
    const range = [first, last].map((number) => String(number).padStart(8, '0')).join('_to_')
    const datasets = readRows(recording, first, last)
    for (const [dataset, rows] of Object.entries(datasets) as [Dataset, Rows][]) {
      rows.chain_id = (rows.block_number ?? []).map(() => BigInt(chainId))
      options.change?.(dataset, rows)
      const path = join(folder, `network_${chainId}__${dataset}__${range}.parquet`)
      writeFileSync(path, writeParquet(dataset, rows, options))
      paths.push(path)
    }
  }
  return paths
}

function readRows({ blocks }: Recording, first: number, last: number): Record<Dataset, Rows> {
  const numbered = blocks.slice(first, last + 1).map((block, i) => ({ block, number: first + i }))
  const transactions = numbered.flatMap(({ block, number }) =>
    block.transactions.map((transaction, index) => ({ ...transaction, number, index })),
  )
  const logs = numbered.flatMap(({ block, number }) =>
    block.logs.map((log, index) => ({ ...log, number, index, hash: hashOf(block, log.at) })),
  )
  const topic = (at: number) => logs.map(({ topics }) => topics[at] ?? null)
  return {
    blocks: {
      block_number: numbered.map(({ number }) => number),
      block_hash: numbered.map(({ block }) => block.hash),
      parent_hash: numbered.map(({ number }) => blocks[number - 1]?.hash ?? ZERO_HASH),
      timestamp: numbered.map(({ block }) => block.time),
      gas_used: numbered.map(() => 0n),
      logs_bloom: numbered.map(({ block }) => block.bloom),
    },
    transactions: {
      block_number: transactions.map(({ number }) => number),
      transaction_index: transactions.map(({ index }) => BigInt(index)),
      transaction_hash: transactions.map(({ hash }) => hash),
      from_address: transactions.map(({ from }) => from),
      to_address: transactions.map(({ to }) => to),
      value_binary: transactions.map(({ value }) => `0x${value.slice(2).padStart(64, '0')}`),
      n_input_bytes: transactions.map(({ input }) => input.length / 2 - 1),
    },
    logs: {
      block_number: logs.map(({ number }) => number),
      transaction_index: logs.map(({ at }) => at),
      log_index: logs.map(({ index }) => index),
      transaction_hash: logs.map(({ hash }) => hash),
      address: logs.map(({ address }) => address),
      topic0: topic(0),
      topic1: topic(1),
      topic2: topic(2),
      topic3: topic(3),
      data: logs.map(({ data }) => data),
      n_data_bytes: logs.map(({ data }) => data.length / 2 - 1),
    },
  }
}

const hashOf = ({ transactions }: RecordedBlock, at: number): string => transactions[at]?.hash ?? ZERO_HASH

const toBytes = (value: unknown) => (value === null ? null : new Uint8Array(Buffer.from(String(value).slice(2), 'hex')))

function writeParquet(
  dataset: Dataset,
  rows: Rows,
  { codec = 'SNAPPY', isHex = false, rowGroupSize = 2_000, types = {} }: Partial<WriteOptions> = {},
): Uint8Array {
  const names = Object.keys(rows)
  const numberOf = (name: string) => {
    const type = types[name] ?? typeOf(dataset, name)
    return type === 'binary' ? undefined : type
  }
  const element = (name: string): SchemaElement => {
    const number = numberOf(name)
    // polars, with which cryo writes, lets every column hold nulls.
    const base = { name, repetition_type: 'OPTIONAL' } as const
    if (number) return { ...base, type: number === 'UINT_32' ? 'INT32' : 'INT64', converted_type: number }
    return isHex ? { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' } : { ...base, type: 'BYTE_ARRAY' }
  }
  const writer = new ByteWriter()
  void parquetWrite({
    writer,
    schema: [{ name: 'root', num_children: names.length }, ...names.map(element)],
    columnData: names.map((name) => ({
      name,
      data: isHex || numberOf(name) ? (rows[name] as never[]) : ((rows[name] ?? []).map(toBytes) as never[]),
    })),
    codec,
    compressors: COMPRESSORS,
    rowGroupSize,
  })
  return new Uint8Array(writer.getBuffer())
}

const zstd = (zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer }).zstdCompressSync

const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(zlib.gzipSync(bytes)),
  LZ4_RAW: storeAsLz4,
  ...(zstd ? { ZSTD: (bytes: Uint8Array) => new Uint8Array(zstd(bytes)) } : {}),
}

/** The codecs that can be written here; cryo's default is LZ4. Node 20 has no Zstandard. */
export const CODECS: readonly CompressionCodec[] = [
  'UNCOMPRESSED',
  'SNAPPY',
  'LZ4_RAW',
  'GZIP',
  ...(zstd ? (['ZSTD'] as const) : []),
]

/** A block of LZ4 that is all literals. (lz4_Block_format.md) */
function storeAsLz4(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 15) return Uint8Array.of(bytes.length << 4, ...bytes)
  const rest = bytes.length - 15
  return new Uint8Array(
    Buffer.concat([
      Uint8Array.of(0xf0),
      new Uint8Array(Math.floor(rest / 255)).fill(255),
      Uint8Array.of(rest % 255),
      bytes,
    ]),
  )
}
