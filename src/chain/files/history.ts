// A history from Parquet files of cryo: blocks, transactions and logs. Input: a folder and the chain. Output: blocks
// with their logs. The files are checked against each other and against the blooms, and each file's ends against the
// node. A `StartupError` names the file that does not fit. Ranges are read one after the other, some thousand rows at a
// time.
import type { Hash } from '../../base/address.ts'
import { float64At, itemAt } from '../../base/item-at.ts'
import { createBloomTest } from '../logs/bloom.ts'
import { createDecode, type Decode } from '../logs/decode.ts'
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
import { createLogVisit, LOG_COLUMNS, prefixesOf, type WantedLogs } from './logs.ts'
import { createFileRows, type FileRows } from './rows.ts'
import type { FileColumn, FileTable } from './table.ts'
import { createTransactionVisit, missingOf, TRANSACTION_COLUMNS } from './transactions.ts'

export interface HistoryOptions {
  folder: string
  preset: Preset
  rpc: Rpc
}

const CHAIN: FileColumn = { name: 'chain_id', type: 'number' }

interface HistoryState extends HistoryOptions {
  wanted: WantedLogs
  decode: Decode
  mayHoldOurs: (bloom: string) => boolean
  blocks: FileRows
  transactions: FileRows
  logs: FileRows
  /** The last block of the previous read. */
  last: Link | null
  /** Resolves after the reads that were asked for: one at a time. */
  turn: Promise<unknown>
}

async function checkChain({ preset }: HistoryOptions, table: FileTable): Promise<void> {
  if (!table.has(CHAIN.name) || table.rows === 0) return
  const [id] = (await table.read([CHAIN], 0, 1)).numbers(CHAIN.name)
  if (id !== preset.chainId)
    throw badColumn(table.path, CHAIN.name, `is ${id}, but RPC_URL leads to chain ${preset.chainId}`)
}

async function readHeaders(history: HistoryState, from: number, to: number): Promise<Header[]> {
  const { visit, headers } = createBlockVisit(from, history.last?.number === from - 1 ? history.last : null)
  history.last = null
  await history.blocks.read(from, to, visit)
  const missing = from + headers.length
  if (missing <= to) throw badColumn(history.blocks.fileOf(missing).path, 'block_number', `block ${missing} is missing`)
  history.last = headers.at(-1) ?? null
  return headers
}

/** A block without a log whose bloom is not empty misses rows. */
function checkBlooms(history: HistoryState, headers: readonly Header[], withLogs: ReadonlySet<number>): void {
  for (const { number, bloom } of headers)
    if (!withLogs.has(number) && history.mayHoldOurs(toHex(bloom)))
      throw badFile(
        history.logs.fileOf(number).path,
        `has no log of block ${number}, whose logs_bloom in ${history.blocks.fileOf(number).path} is not empty`,
      )
}

/**
 * Logs of some chains name transactions that no block lists. A transaction in the node's block is missing in the
 * file.
 */
async function checkMissing(history: HistoryState, missing: readonly { block: number; hash: string }[]): Promise<void> {
  const numbers = [...new Set(missing.map(({ block }) => block))]
  const listed = new Set((await readHashes(history.rpc, numbers)).map((hash) => String(hash).toLowerCase()))
  const lost = missing.find(({ hash }) => listed.has(hash))
  if (lost)
    throw badColumn(
      history.transactions.fileOf(lost.block).path,
      'transaction_hash',
      `has no row of ${lost.hash}, which logs of block ${lost.block} name`,
    )
}

async function read(history: HistoryState, from: number, to: number): Promise<Gathered> {
  const headers = await readHeaders(history, from, to)
  const logVisit = createLogVisit(
    history.decode,
    history.wanted,
    new Map<number, Hash>(headers.map(({ number, hash }) => [number, hash])),
  )
  await history.logs.read(from, to, logVisit.visit)
  const found = logVisit.found()
  checkBlooms(history, headers, found.withLogs)
  const visit = createTransactionVisit(found)
  await history.transactions.read(from, to, visit.visit)
  const { byBlock, rows, namedRows } = visit.found()
  const namedCount = [...found.named.values()].reduce((sum, { size }) => sum + size, 0)
  if (namedRows < namedCount) await checkMissing(history, missingOf(found, byBlock))
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

/** Throws a `StartupError` for a folder without history. */
export function openHistory(options: HistoryOptions): History {
  const { folder, preset, rpc } = options
  const { files, spans } = readFolder(folder)
  const readLinks = createLinkReader(rpc)
  const checkOwn = (table: FileTable) => checkChain(options, table)
  const checkBlocks = async (table: FileTable, file: HistoryFile) => {
    await checkOwn(table)
    await checkEnds(table, file, readLinks)
  }
  const history: HistoryState = {
    ...options,
    wanted: {
      prefixes: prefixesOf(listTopics(preset)),
      bare: bareEmitters(preset).map((emitter) => Buffer.from(emitter.slice(2), 'hex')),
    },
    decode: createDecode(preset),
    mayHoldOurs: createBloomTest(listLogKeys(preset)),
    blocks: createFileRows({ files: files.blocks, columns: BLOCK_COLUMNS, onOpen: checkBlocks }),
    transactions: createFileRows({ files: files.transactions, columns: TRANSACTION_COLUMNS, onOpen: checkOwn }),
    logs: createFileRows({ files: files.logs, columns: LOG_COLUMNS, onOpen: checkOwn }),
    last: null,
    turn: Promise.resolve(),
  }
  return {
    coverage: coverageOf({ files, spans }),
    lastFrom: (block) => spans.find(({ from, to }) => from <= block && block <= to)?.to ?? null,
    firstAbove: (block) => spans.find(({ from }) => from > block)?.from ?? null,
    read(from, to) {
      const reading = history.turn.then(() => read(history, from, to))
      history.turn = reading.catch(() => {})
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
        number: float64At(piece.numbers('block_number'), 0),
        hash: toHex(itemAt(piece.bytes('block_hash'), 0)),
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
