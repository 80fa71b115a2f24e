// Reads the logs of a range or of single blocks within the provider's limits. Input: block numbers or hashes. Output:
// every log with one of our keys. A refused range is split. A single block that is refused is read key by key, from its
// receipts, or elsewhere.

import { LogAnswer, readBody, readParsed } from '../logs/answer.ts'
import type { Decode } from '../logs/decode.ts'
import { filterOf, filtersOf, isEmitter } from '../logs/events.ts'
import { isLogs, type Link, type RawLog, spanOf } from '../raw.ts'
import { type Call, isAnswered, NO_ANSWER } from '../rpc/endpoint.ts'
import { isPassing, ofBlock, RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { type BareLogs, createBareLogs } from './bare-logs.ts'
import { firstRange, growRange, type RangeState, refusalOf, shrinkRange } from './ranges.ts'
import { createReceiptLogs, RECEIPT_BLOCKS, type ReceiptLogs } from './receipt-logs.ts'

export interface LogReader {
  /** The number of blocks to ask for next, learnt from the accepted requests. */
  rangeSize(): number
  /** Logs of the blocks from..to, both included, in no particular order and possibly with duplicates. */
  readRange(from: number, to: number): Promise<LogAnswer[]>
  /** Keeps no answer about these blocks, because one contradicted something. */
  forget(from: number, to: number): void
  /** Logs of each block, in the order of `blocks`. */
  readBlocks(blocks: readonly Link[]): Promise<LogAnswer[][]>
  /** Logs of each block with these of our keys. */
  readKeys(gaps: readonly { block: Link; keys: readonly string[] }[]): Promise<LogAnswer[][]>
  /** Decodes logs that another call returned. */
  readGiven(logs: readonly RawLog[]): LogAnswer
  /** All logs of each block. */
  readEverything(blocks: readonly Link[]): Promise<LogAnswer[][]>
}

const isList = (result: unknown) => result instanceof LogAnswer || isLogs(result)

/** The block hashes in the logs; null when the result is no list of logs. */
const blocksOf = (result: unknown): readonly string[] | null => {
  if (result instanceof LogAnswer) return result.blockHashes
  return isLogs(result) ? result.map(({ blockHash }) => blockHash.toLowerCase()) : null
}

/** The filters for these keys, or for every log. */
const piecesOf = (keys: readonly string[] | null): object[] => (keys ? filtersOf(keys) : [{}])

const isSplit = (error: unknown): error is RpcError & { kind: 'range' | 'size' } =>
  error instanceof RpcError && (error.kind === 'range' || error.kind === 'size')

export interface LogReaderOptions {
  /** The keys of the logs to read. */
  wanted: readonly string[]
  decode: Decode
  /** Gets one sentence about refused ranges. */
  onNotice: OnNotice
  /** The newest block that is known to be final. */
  lastFinal(): number
}

interface ReaderState extends LogReaderOptions {
  rpc: Rpc
  /** The filter for all topics. */
  topics: object
  /** Logs without a topic; null: none count. */
  bare: BareLogs | null
  range: RangeState
  /** Whether the notice of refused ranges was given. */
  isNarrow: boolean
  receipts: ReceiptLogs
}

function noteNarrow(reader: ReaderState, error: RpcError, blocks: number): void {
  if (reader.isNarrow || error.kind === 'size' || isPassing(error)) return
  reader.isNarrow = true
  reader.onNotice(
    error.kind === 'range'
      ? 'RPC_URL refuses wide ranges of blocks: logs are asked for in narrower ones, and wider ones are tried rarely'
      : `RPC_URL refused the logs of ${blocks} blocks at once, so that fewer are asked for: ${error.message}`,
  )
}

const getLogs = (reader: ReaderState, filter: object): Call => ({
  method: 'eth_getLogs',
  params: [filter],
  accept: isList,
  scan: (body) => readBody(body, reader.decode),
})

/** The logs of an accepted answer. Most are scanned already; those of a batch were parsed as JSON. */
const logsOf = (reader: ReaderState, result: unknown): LogAnswer =>
  result instanceof LogAnswer ? result : readParsed(result as RawLog[], reader.decode)

/** Asks for one block's logs by its hash, or by its number if the provider does not know the filter `blockHash`. */
function getBlockLogs(reader: ReaderState, { number, hash }: Link, filter: object): Call {
  const isOwn = (result: unknown): boolean => blocksOf(result)?.every((own) => own === hash) ?? false
  const byNumber = getNumbered(reader, number)(filter)
  return {
    ...getLogs(reader, { blockHash: hash, ...filter }),
    // Some clients ignore `blockHash` and answer for the newest block instead.
    otherwise: { call: { ...byNumber, accept: isOwn }, isMisread: (result) => isList(result) && !isOwn(result) },
  }
}

/** Asks for one block's logs by its number. */
const getNumbered =
  (reader: ReaderState, number: number) =>
  (filter: object): Call =>
    getLogs(reader, { ...spanOf(number, number), ...filter })

/** The logs of the blocks from..to, or of the first of them: also the last block that they are of. */
async function readSome(
  reader: ReaderState,
  from: number,
  to: number,
): Promise<{ answer: LogAnswer[]; end: number } | null> {
  if (reader.receipts.ahead() > 0) {
    const end = Math.min(to, from + RECEIPT_BLOCKS - 1)
    const answer = await reader.receipts.readMany(from, end, reader.wanted)
    return answer && { answer: [answer], end }
  }
  const end = Math.min(to, from + reader.range.size - 1)
  const bare = reader.bare?.read(from, end)
  // Its fault is thrown after that of the logs with topics.
  bare?.catch(() => {})
  const answer = await readTopics(reader, from, end)
  return answer && { answer: [...answer, ...((await bare) ?? [])], end }
}

/** The logs with topics of all these blocks; null: the provider refused so many. */
async function readTopics(reader: ReaderState, from: number, end: number): Promise<LogAnswer[] | null> {
  const blocks = end - from + 1
  try {
    const asked = await reader.rpc.call(getLogs(reader, { ...spanOf(from, end), ...reader.topics }))
    const answer = logsOf(reader, asked)
    reader.range = growRange(reader.range, blocks, answer.size)
    if (blocks === 1) reader.receipts.note(false, '')
    return [answer]
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind === 'aborted') throw error
    if (blocks === 1) {
      noteNarrow(reader, error, blocks)
      return readRefused(reader, from, getNumbered(reader, from), error, reader.wanted)
    }
    shrink(reader, error, from, blocks)
    // An endpoint that fails or limits requests may have meant the range. The next attempt asks for fewer blocks.
    if (isPassing(error)) throw error
    return null
  }
}

/** A refused range is halved, whatever the words of the refusal. */
function shrink(reader: ReaderState, error: RpcError, from: number, blocks: number): void {
  noteNarrow(reader, error, blocks)
  reader.range = shrinkRange(reader.range, refusalOf(error), from, blocks, error.hint)
}

async function readRange(reader: ReaderState, from: number, to: number): Promise<LogAnswer[]> {
  const answers: LogAnswer[] = []
  for (let at = from; at <= to; ) {
    const some = await readSome(reader, at, to)
    if (!some) continue
    answers.push(...some.answer)
    at = some.end + 1
  }
  return answers
}

/**
 * Reads a block whose logs were refused. A block that is too large for one answer is read key by key, any other from
 * its receipts or from another endpoint. Throws the refusal, with the block, if nobody has them.
 */
async function readRefused(
  reader: ReaderState,
  number: number,
  get: (piece: object) => Call,
  why: RpcError,
  asked: readonly string[] | null,
): Promise<LogAnswer[]> {
  if (!asked || !isSplit(why)) return readElsewhere(reader, number, get, why, asked, true)
  const answers = await reader.rpc.batch(asked.flatMap((key) => filtersOf([key])).map(get))
  const pieces = answers.flatMap((answer) => (isAnswered(answer) ? logsOf(reader, answer.result) : []))
  const large = asked.filter((_, i) => answers[i]?.error)
  if (large.length === 0) return pieces
  // Whoever refuses every key of a block refuses more than a large answer.
  return [...pieces, ...(await readElsewhere(reader, number, get, why, large, large.length === asked.length))]
}

async function readElsewhere(
  reader: ReaderState,
  number: number,
  get: (piece: object) => Call,
  why: RpcError,
  asked: readonly string[] | null,
  isRefused: boolean,
): Promise<LogAnswer[]> {
  const given = await reader.receipts.read(number, asked)
  if (given) {
    if (isRefused) reader.receipts.note(true, why.message)
    return [given]
  }
  return Promise.all(
    piecesOf(asked).map(async (piece) => {
      for (const { answer } of await reader.rpc.ask(get(piece), 1))
        if (isAnswered(answer) && isList(answer.result)) return logsOf(reader, answer.result)
      throw ofBlock(why, number)
    }),
  )
}

async function readSingly(
  reader: ReaderState,
  asked: readonly { block: Link; keys: readonly string[] | null }[],
): Promise<LogAnswer[][]> {
  if (reader.receipts.ahead() > 0) {
    const given = await Promise.all(
      asked.map(({ block, keys }) => reader.receipts.readMany(block.number, block.number, keys)),
    )
    if (given.every((each) => each !== null)) return given.map((each) => [each])
  }
  const pieces = asked.map(({ keys }) => (keys === reader.wanted ? [filterOf(keys)] : piecesOf(keys)))
  const answers = await reader.rpc.batch(
    asked.flatMap(({ block }, i) => (pieces[i] ?? []).map((piece) => getBlockLogs(reader, block, piece))),
  )
  return Promise.all(
    asked.map(async ({ block, keys }, i) => {
      const own = (pieces[i] ?? []).map(() => answers.shift() ?? NO_ANSWER)
      const refused = own.find((answer) => !isAnswered(answer))
      if (refused && !isAnswered(refused))
        return readRefused(reader, block.number, (piece) => getBlockLogs(reader, block, piece), refused.error, keys)
      reader.receipts.note(false, '')
      return own.flatMap((answer) => (isAnswered(answer) ? logsOf(reader, answer.result) : []))
    }),
  )
}

/** The reader of logs without a topic, if contracts are among the keys. */
function openBare(reader: ReaderState): BareLogs | null {
  const address = reader.wanted.filter(isEmitter)
  if (address.length === 0) return null
  return createBareLogs({
    ask: async (from, to) => {
      const params = [{ ...spanOf(from, to), address }]
      const result = await reader.rpc.call({ method: 'eth_getLogs', params, accept: isLogs })
      return isLogs(result) ? result : []
    },
    read: (logs) => readParsed(logs, reader.decode),
    readRefused: (block, why) => readRefused(reader, block, getNumbered(reader, block), why, address),
    lastFinal: reader.lastFinal,
  })
}

/** Reads logs with these keys. The range size that it learns lasts as long as the reader. */
export function createLogReader(rpc: Rpc, options: LogReaderOptions): LogReader {
  const { wanted, decode, onNotice } = options
  const reader: ReaderState = {
    rpc,
    ...options,
    topics: filterOf(wanted.filter((key) => !isEmitter(key))),
    bare: null,
    range: firstRange(),
    isNarrow: false,
    receipts: createReceiptLogs({ rpc, read: (logs) => readParsed(logs, decode), onNotice }),
  }
  reader.bare = openBare(reader)
  return {
    rangeSize: () => (reader.receipts.ahead() > 0 ? RECEIPT_BLOCKS : reader.range.size),
    readRange: (from, to) => readRange(reader, from, to),
    forget: (from, to) => reader.bare?.forget(from, to),
    readBlocks: (blocks) =>
      readSingly(
        reader,
        blocks.map((block) => ({ block, keys: reader.wanted })),
      ),
    readKeys: (asked) => readSingly(reader, asked),
    readGiven: (logs) => readParsed(logs, reader.decode),
    readEverything: (blocks) =>
      readSingly(
        reader,
        blocks.map((block) => ({ block, keys: null })),
      ),
  }
}
