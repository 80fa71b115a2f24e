// Reads the logs of a range or of single blocks within the provider's limits. Input: block numbers or hashes. Output:
// every log with one of our topics. A refused range is split. A single block that is refused is read topic by topic,
// elsewhere, or from its receipts.

import { StartupError } from '../../base/errors.ts'
import { LogAnswer, readBody, readParsed } from '../logs/answer.ts'
import type { Decode } from '../logs/decode.ts'
import { isLogs, type Link, type RawLog } from '../raw.ts'
import { type Call, isAnswered } from '../rpc/endpoint.ts'
import { isRetryable, RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { firstRange, growRange, shrinkRange } from './ranges.ts'
import { isReceipts } from './receipts-root.ts'

export interface LogReader {
  /** The number of blocks to ask for next, learnt from the accepted requests. */
  rangeSize(): number
  /** Logs of the blocks from..to, both included, in no particular order and possibly with duplicates. */
  readRange(from: number, to: number): Promise<LogAnswer[]>
  /** Logs of each block, in the order of `blocks`. */
  readBlocks(blocks: readonly Link[]): Promise<LogAnswer[][]>
  /** Logs of each block with these of our topics. */
  readTopics(gaps: readonly { block: Link; topics: readonly string[] }[]): Promise<LogAnswer[][]>
  /** Decodes logs that another call returned. */
  readGiven(logs: readonly RawLog[]): LogAnswer
  /** All logs of each block, with any topic. */
  readEverything(blocks: readonly Link[]): Promise<LogAnswer[][]>
}

const hex = (number: number) => `0x${number.toString(16)}`
const isList = (result: unknown) => result instanceof LogAnswer || isLogs(result)

/** The block hashes in the logs; null when the result is no list of logs. */
const blocksOf = (result: unknown): readonly string[] | null => {
  if (result instanceof LogAnswer) return result.blockHashes
  return isLogs(result) ? result.map(({ blockHash }) => blockHash.toLowerCase()) : null
}

const isSplit = (error: unknown): error is RpcError & { kind: 'range' | 'size' } =>
  error instanceof RpcError && (error.kind === 'range' || error.kind === 'size')

export interface LogReaderOptions {
  /** The topics to read. */
  wanted: readonly string[]
  decode: Decode
  /** Gets one sentence about refused ranges. */
  onNotice: OnNotice
}

/** Reads logs with these topics. The range size that it learns lasts as long as the reader. */
export function createLogReader(rpc: Rpc, { wanted, decode, onNotice }: LogReaderOptions): LogReader {
  const topics = [wanted]
  let range = firstRange()
  let isNarrow = false

  function noteNarrow(error: RpcError): void {
    if (!isNarrow && error.kind === 'range')
      onNotice('RPC_URL refuses wide ranges of blocks: logs are asked for in narrower ones until the next start')
    isNarrow ||= error.kind === 'range'
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
    const byNumber = getLogs({ fromBlock: hex(number), toBlock: hex(number), ...filter })
    return {
      ...getLogs({ blockHash: hash, ...filter }),
      // Some clients ignore `blockHash` and answer for the newest block instead.
      otherwise: { call: { ...byNumber, accept: isOwn }, isMisread: (result) => isList(result) && !isOwn(result) },
    }
  }

  async function readRange(from: number, to: number): Promise<LogAnswer[]> {
    const answers: LogAnswer[] = []
    for (let at = from; at <= to; ) {
      const end = Math.min(to, at + range.size - 1)
      const blocks = end - at + 1
      try {
        const answer = logsOf(await rpc.call(getLogs({ fromBlock: hex(at), toBlock: hex(end), topics })))
        range = growRange(range, blocks, answer.size)
        answers.push(answer)
        at = end + 1
      } catch (error) {
        if (!isSplit(error)) {
          // A timeout may mean that the range was too large, so the next attempt asks for fewer blocks.
          if (isRetryable(error)) range = shrinkRange(range, 'size', at, blocks, {})
          throw error
        }
        noteNarrow(error)
        if (blocks === 1) {
          const get = (piece: object) => getLogs({ fromBlock: hex(at), toBlock: hex(at), ...piece })
          answers.push(...(await readPieces(at, get, error)))
          at += 1
        } else range = shrinkRange(range, error.kind, at, blocks, error.hint)
      }
    }
    return answers
  }

  /**
   * Reads a block that is too large for one answer topic by topic. A topic that is still too large goes to any provider
   * that has it.
   */
  async function readPieces(number: number, get: (piece: object) => Call, why: RpcError): Promise<LogAnswer[]> {
    const answers = await rpc.batch(wanted.map((topic) => get({ topics: [[topic]] })))
    const failed = answers.find(({ error }) => error && !isSplit(error))?.error
    if (failed) throw failed
    const pieces = answers.flatMap((answer) => (isAnswered(answer) ? logsOf(answer.result) : []))
    const large = wanted.filter((_, i) => answers[i]?.error)
    return large.length === 0 ? pieces : [...pieces, await readLarge(number, large, get, why)]
  }

  /**
   * Logs that the first provider does not return in one answer: another provider's, else those of the block's receipts.
   */
  async function readLarge(number: number, large: readonly string[], get: (piece: object) => Call, why: RpcError) {
    const receipts = { method: 'eth_getBlockReceipts', params: [hex(number)] }
    const asked = [...(await rpc.ask(get({ topics: [large] }))), ...(await rpc.ask(receipts))]
    for (const { answer } of asked) {
      if (!isAnswered(answer)) continue
      if (isList(answer.result)) return logsOf(answer.result)
      if (!isReceipts(answer.result)) continue
      const logs = answer.result.flatMap((receipt) => receipt.logs)
      return readParsed(
        logs.filter(({ topics: [topic0] }) => large.includes(String(topic0).toLowerCase())),
        decode,
      )
    }
    throw new StartupError(
      `Block ${number} holds more logs than RPC_URL returns in one answer, and it gives neither fewer nor the block's receipts: ` +
        `add a provider to RPC_URL that does. It said: ${why.message}`,
      78,
    )
  }

  async function readSingly(asked: readonly { block: Link; filter: object }[]): Promise<LogAnswer[][]> {
    const answers = await rpc.batch(asked.map(({ block, filter }) => getBlockLogs(block, filter)))
    return Promise.all(
      asked.map(({ block }, i) => {
        const answer = answers[i] ?? { error: new RpcError('transient', 'no answer') }
        if (isAnswered(answer)) return [logsOf(answer.result)]
        if (isSplit(answer.error)) return readPieces(block.number, (piece) => getBlockLogs(block, piece), answer.error)
        throw answer.error
      }),
    )
  }

  return {
    rangeSize: () => range.size,
    readRange,
    readBlocks: (blocks) => readSingly(blocks.map((block) => ({ block, filter: { topics } }))),
    readTopics: (gaps) => readSingly(gaps.map((gap) => ({ block: gap.block, filter: { topics: [gap.topics] } }))),
    readGiven: (logs) => readParsed(logs, decode),
    readEverything: (blocks) => readSingly(blocks.map((block) => ({ block, filter: {} }))),
  }
}
