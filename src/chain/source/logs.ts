// Reads the logs of a range or of single blocks within the provider's limits. Input: block numbers or hashes. Output:
// every log with one of our keys. A refused range is split. A single block that is refused is read key by key, from its
// receipts, or elsewhere.

import { LogAnswer, readBody, readParsed } from '../logs/answer.ts'
import type { Decode } from '../logs/decode.ts'
import { filtersOf } from '../logs/events.ts'
import { hexQuantity, isLogs, type Link, type RawLog } from '../raw.ts'
import { type Call, isAnswered } from '../rpc/endpoint.ts'
import { isPassing, ofBlock, RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { firstRange, growRange, shrinkRange } from './ranges.ts'
import { createReceiptLogs, RECEIPT_BLOCKS } from './receipt-logs.ts'

export interface LogReader {
  /** The number of blocks to ask for next, learnt from the accepted requests. */
  rangeSize(): number
  /** Logs of the blocks from..to, both included, in no particular order and possibly with duplicates. */
  readRange(from: number, to: number): Promise<LogAnswer[]>
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
}

/** Reads logs with these keys. The range size that it learns lasts as long as the reader. */
export function createLogReader(rpc: Rpc, { wanted, decode, onNotice }: LogReaderOptions): LogReader {
  const filters = filtersOf(wanted)
  let range = firstRange()
  let isNarrow = false
  const receipts = createReceiptLogs({ rpc, read: (logs) => readParsed(logs, decode), onNotice })

  function noteNarrow(error: RpcError, blocks: number): void {
    if (isNarrow || error.kind === 'size' || isPassing(error)) return
    isNarrow = true
    onNotice(
      error.kind === 'range'
        ? 'RPC_URL refuses wide ranges of blocks: logs are asked for in narrower ones, and wider ones are tried rarely'
        : `RPC_URL refused the logs of ${blocks} blocks at once, so that fewer are asked for: ${error.message}`,
    )
  }

  const getLogs = (filter: object): Call => ({
    method: 'eth_getLogs',
    params: [filter],
    accept: isList,
    scan: (body) => readBody(body, decode),
  })
  /** The logs of an accepted answer. Most are scanned already; those of a batch were parsed as JSON. */
  const logsOf = (result: unknown): LogAnswer =>
    result instanceof LogAnswer ? result : readParsed(result as RawLog[], decode)

  /** Asks for one block's logs by its hash, or by its number if the provider does not know the filter `blockHash`. */
  function getBlockLogs({ number, hash }: Link, filter: object): Call {
    const isOwn = (result: unknown): boolean => blocksOf(result)?.every((own) => own === hash) ?? false
    const byNumber = getLogs({ fromBlock: hexQuantity(number), toBlock: hexQuantity(number), ...filter })
    return {
      ...getLogs({ blockHash: hash, ...filter }),
      // Some clients ignore `blockHash` and answer for the newest block instead.
      otherwise: { call: { ...byNumber, accept: isOwn }, isMisread: (result) => isList(result) && !isOwn(result) },
    }
  }

  /** The logs of the blocks from..to, or of the first of them: also the last block that they are of. */
  async function readSome(from: number, to: number): Promise<{ answer: LogAnswer[]; end: number } | null> {
    if (receipts.ahead() > 0) {
      const end = Math.min(to, from + RECEIPT_BLOCKS - 1)
      const answer = await receipts.readMany(from, end, wanted)
      return answer && { answer: [answer], end }
    }
    const end = Math.min(to, from + range.size - 1)
    const blocks = end - from + 1
    try {
      const span = { fromBlock: hexQuantity(from), toBlock: hexQuantity(end) }
      const asked = filters.map((filter) => rpc.call(getLogs({ ...span, ...filter })))
      const answer = (await Promise.all(asked)).map(logsOf)
      range = growRange(
        range,
        blocks,
        answer.reduce((sum, { size }) => sum + size, 0),
      )
      if (blocks === 1) receipts.note(false, '')
      return { answer, end }
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind === 'aborted') throw error
      if (blocks === 1) {
        const get = (piece: object) => getLogs({ fromBlock: hexQuantity(from), toBlock: hexQuantity(from), ...piece })
        noteNarrow(error, blocks)
        return { answer: await readRefused(from, get, error, wanted), end }
      }
      shrink(error, from, blocks)
      // An endpoint that fails or limits requests may have meant the range. The next attempt asks for fewer blocks.
      if (isPassing(error)) throw error
      return null
    }
  }

  /** A refused range is halved, whatever the words of the refusal. */
  function shrink(error: RpcError, from: number, blocks: number): void {
    noteNarrow(error, blocks)
    const kind = isSplit(error) ? error.kind : isPassing(error) ? 'size' : 'unknown'
    range = shrinkRange(range, kind, from, blocks, error.hint)
  }

  async function readRange(from: number, to: number): Promise<LogAnswer[]> {
    const answers: LogAnswer[] = []
    for (let at = from; at <= to; ) {
      const some = await readSome(at, to)
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
    number: number,
    get: (piece: object) => Call,
    why: RpcError,
    asked: readonly string[] | null,
  ): Promise<LogAnswer[]> {
    if (!asked || !isSplit(why)) return readElsewhere(number, get, why, asked, true)
    const answers = await rpc.batch(asked.flatMap((key) => filtersOf([key])).map(get))
    const pieces = answers.flatMap((answer) => (isAnswered(answer) ? logsOf(answer.result) : []))
    const large = asked.filter((_, i) => answers[i]?.error)
    if (large.length === 0) return pieces
    // Whoever refuses every key of a block refuses more than a large answer.
    return [...pieces, ...(await readElsewhere(number, get, why, large, large.length === asked.length))]
  }

  async function readElsewhere(
    number: number,
    get: (piece: object) => Call,
    why: RpcError,
    asked: readonly string[] | null,
    isRefused: boolean,
  ): Promise<LogAnswer[]> {
    const given = await receipts.read(number, asked)
    if (given) {
      if (isRefused) receipts.note(true, why.message)
      return [given]
    }
    return Promise.all(
      piecesOf(asked).map(async (piece) => {
        for (const { answer } of await rpc.ask(get(piece), 1))
          if (isAnswered(answer) && isList(answer.result)) return logsOf(answer.result)
        throw ofBlock(why, number)
      }),
    )
  }

  async function readSingly(asked: readonly { block: Link; keys: readonly string[] | null }[]): Promise<LogAnswer[][]> {
    if (receipts.ahead() > 0) {
      const given = await Promise.all(
        asked.map(({ block, keys }) => receipts.readMany(block.number, block.number, keys)),
      )
      if (given.every((each) => each !== null)) return given.map((each) => [each])
    }
    const pieces = asked.map(({ keys }) => piecesOf(keys))
    const answers = await rpc.batch(
      asked.flatMap(({ block }, i) => (pieces[i] ?? []).map((piece) => getBlockLogs(block, piece))),
    )
    return Promise.all(
      asked.map(async ({ block, keys }, i) => {
        const own = (pieces[i] ?? []).map(() => answers.shift() ?? { error: new RpcError('transient', 'no answer') })
        const refused = own.find((answer) => !isAnswered(answer))
        if (refused && !isAnswered(refused))
          return readRefused(block.number, (piece) => getBlockLogs(block, piece), refused.error, keys)
        receipts.note(false, '')
        return own.flatMap((answer) => (isAnswered(answer) ? logsOf(answer.result) : []))
      }),
    )
  }

  return {
    rangeSize: () => (receipts.ahead() > 0 ? RECEIPT_BLOCKS : range.size),
    readRange,
    readBlocks: (blocks) => readSingly(blocks.map((block) => ({ block, keys: wanted }))),
    readKeys: readSingly,
    readGiven: (logs) => readParsed(logs, decode),
    readEverything: (blocks) => readSingly(blocks.map((block) => ({ block, keys: null }))),
  }
}
