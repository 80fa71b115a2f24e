// A history from Parquet files of cryo: blocks, transactions and logs. Input: a folder and the chain. Output: blocks
// with their logs. The files are checked against each other and against the blooms, and each file's ends against the
// node. A `StartupError` names the file that does not fit. Ranges are read one after the other, some thousand rows at a
// time.
import type { Hash } from '../../base/address.ts'
import { createBloomTest } from '../logs/bloom.ts'
import { createDecode } from '../logs/decode.ts'
import { bareEmitters, listLogKeys, listTopics } from '../logs/events.ts'
import type { Preset } from '../presets/preset.ts'
import { type Link, type RawBlock, readLink } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createLinkReader } from '../source/blocks.ts'
import type { Coverage, Gathered, History } from '../source/history.ts'
import type { Source } from '../source/source.ts'
import { BLOCK_COLUMNS, createBlockVisit, type Header } from './blocks.ts'
import { badColumn, badFile } from './fault.ts'
import { type Folder, type HistoryFile, readFolder } from './folder.ts'
import { toHex } from './hex.ts'
import { createLogVisit, LOG_COLUMNS, prefixesOf } from './logs.ts'
import { createFileRows } from './rows.ts'
import type { FileColumn, FileTable } from './table.ts'
import { createTransactionVisit, missingOf, TRANSACTION_COLUMNS } from './transactions.ts'

export interface HistoryOptions {
  folder: string
  preset: Preset
  rpc: Rpc
}

const CHAIN: FileColumn = { name: 'chain_id', type: 'number' }

/** Throws a `StartupError` for a folder without history. */
export function openHistory({ folder, preset, rpc }: HistoryOptions): History {
  const { files, spans } = readFolder(folder)
  const readLinks = createLinkReader(rpc)
  const wanted = {
    prefixes: prefixesOf(listTopics(preset)),
    bare: bareEmitters(preset).map((emitter) => Buffer.from(emitter.slice(2), 'hex')),
  }
  const decode = createDecode(preset)
  const mayHoldOurs = createBloomTest(listLogKeys(preset))

  const checkChain = async (table: FileTable) => {
    if (!table.has(CHAIN.name) || table.rows === 0) return
    const [id] = (await table.read([CHAIN], 0, 1)).numbers(CHAIN.name)
    if (id !== preset.chainId)
      throw badColumn(table.path, CHAIN.name, `is ${id}, but RPC_URL leads to chain ${preset.chainId}`)
  }
  const checkBlocks = async (table: FileTable, file: HistoryFile) => {
    await checkChain(table)
    await checkEnds(table, file, readLinks)
  }
  const blocks = createFileRows({ files: files.blocks, columns: BLOCK_COLUMNS, onOpen: checkBlocks })
  const transactions = createFileRows({ files: files.transactions, columns: TRANSACTION_COLUMNS, onOpen: checkChain })
  const logs = createFileRows({ files: files.logs, columns: LOG_COLUMNS, onOpen: checkChain })
  let last: Link | null = null

  async function readHeaders(from: number, to: number): Promise<Header[]> {
    const { visit, headers } = createBlockVisit(from, last?.number === from - 1 ? last : null)
    last = null
    await blocks.read(from, to, visit)
    const missing = from + headers.length
    if (missing <= to) throw badColumn(blocks.fileOf(missing).path, 'block_number', `block ${missing} is missing`)
    last = headers.at(-1) ?? null
    return headers
  }

  /** A block without a log whose bloom is not empty misses rows. */
  function checkBlooms(headers: readonly Header[], withLogs: ReadonlySet<number>): void {
    for (const { number, bloom } of headers)
      if (!withLogs.has(number) && mayHoldOurs(toHex(bloom)))
        throw badFile(
          logs.fileOf(number).path,
          `has no log of block ${number}, whose logs_bloom in ${blocks.fileOf(number).path} is not empty`,
        )
  }

  /**
   * Logs of some chains name transactions that no block lists. A transaction in the node's block is missing in the
   * file.
   */
  async function checkMissing(missing: readonly { block: number; hash: string }[]): Promise<void> {
    const numbers = [...new Set(missing.map(({ block }) => block))]
    const listed = new Set((await readHashes(rpc, numbers)).map((hash) => String(hash).toLowerCase()))
    const lost = missing.find(({ hash }) => listed.has(hash))
    if (lost)
      throw badColumn(
        transactions.fileOf(lost.block).path,
        'transaction_hash',
        `has no row of ${lost.hash}, which logs of block ${lost.block} name`,
      )
  }

  async function read(from: number, to: number): Promise<Gathered> {
    const headers = await readHeaders(from, to)
    const logVisit = createLogVisit(
      decode,
      wanted,
      new Map<number, Hash>(headers.map(({ number, hash }) => [number, hash])),
    )
    await logs.read(from, to, logVisit.visit)
    const found = logVisit.found()
    checkBlooms(headers, found.withLogs)
    const visit = createTransactionVisit(found)
    await transactions.read(from, to, visit.visit)
    const { byBlock, rows, namedRows } = visit.found()
    const namedCount = [...found.named.values()].reduce((sum, { size }) => sum + size, 0)
    if (namedRows < namedCount) await checkMissing(missingOf(found, byBlock))
    const whole = headers.map(
      ({ number, hash, parentHash, time }): RawBlock => ({
        ...{ number, hash, parentHash, time },
        bloom: null,
        receiptsRoot: null,
        transactions: byBlock.get(number) ?? [],
      }),
    )
    return { blocks: whole, logs: [found.answer], items: found.rows + rows }
  }

  let turn: Promise<unknown> = Promise.resolve()
  return {
    coverage: coverageOf({ files, spans }),
    lastFrom: (block) => spans.find(({ from, to }) => from <= block && block <= to)?.to ?? null,
    firstAbove: (block) => spans.find(({ from }) => from > block)?.from ?? null,
    read(from, to) {
      const reading = turn.then(() => read(from, to))
      turn = reading.catch(() => {})
      return reading
    },
  }
}

function coverageOf({ files, spans }: Folder): Coverage {
  return {
    files: Object.values(files).reduce((sum, { length }) => sum + length, 0),
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
    blocks: spans.reduce((sum, { from, to }) => sum + to - from + 1, 0),
  }
}

/**
 * The file's first and last block must be the node's. Each block between them names its parent, so those are proven
 * too.
 */
async function checkEnds(table: FileTable, file: HistoryFile, readLinks: Source['readLinks']): Promise<void> {
  if (table.rows === 0) throw badFile(table.path, 'has no rows')
  const columns: FileColumn[] = [
    { name: 'block_number', type: 'number' },
    { name: 'block_hash', type: 32 },
  ]
  const rows = [...new Set([0, table.rows - 1])]
  const ends = await Promise.all(
    rows.map(async (row) => {
      const piece = await table.read(columns, row, row + 1)
      return {
        number: piece.numbers('block_number')[0] as number,
        hash: toHex(piece.bytes('block_hash')[0] as Uint8Array),
      }
    }),
  )
  for (const { number } of ends)
    if (number < file.from || number > file.to)
      throw badColumn(table.path, 'block_number', `has block ${number}, which the file's name does not cover`)
  const links = await readLinks(ends.map(({ number }) => number))
  for (const [at, { number, hash }] of ends.entries())
    if (links[at]?.hash !== hash)
      throw badColumn(
        table.path,
        'block_hash',
        `block ${number} is ${hash}, but RPC_URL says ${links[at]?.hash}: it is of another chain, or was written before a reorganisation`,
      )
}

/** The hashes of the transactions that the node's blocks list. */
async function readHashes(rpc: Rpc, blocks: readonly number[]): Promise<unknown[]> {
  const calls = blocks.map((number) => ({
    method: 'eth_getBlockByNumber',
    params: [`0x${number.toString(16)}`, false],
    accept: (result: unknown) => readLink(result)?.number === number,
  }))
  return (await rpc.batch(calls)).flatMap((answer) => {
    if (!isAnswered(answer)) throw answer.error
    const { transactions } = answer.result as { transactions?: unknown }
    return Array.isArray(transactions) ? transactions : []
  })
}
