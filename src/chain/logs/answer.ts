// The logs of one answer, decoded while they are scanned, so that the answer's bytes can be freed. Input: a body, or
// logs that were parsed as JSON. Output: the place of each log in the chain, and the decoded logs as columns.

import { numberAt } from '../../base/item-at.ts'
import { type PackedLogs, placeOfKind } from '../columns/columns.ts'
import { Packer } from '../columns/packer.ts'
import type { DecodedLog, LogKind } from '../event.ts'
import type { RawLog } from '../raw.ts'
import type { Decode } from './decode.ts'
import { NONE, type ScannedLog, scanBody, scanList } from './scan.ts'
import { unpackLogs } from './unpack.ts'

/** Initial capacity for numbers: a block's logs need fewer, a range's logs many times more. */
const SIZE = 4_096
/** Length of "0x". */
const PREFIX = 2

export class LogAnswer {
  /** One entry per log, in the answer's order, without logs that a reorg removed. `NONE`: not a whole number. */
  readonly blockNumbers: number[] = []
  readonly logIndexes: number[] = []
  readonly blockHashes: string[] = []
  readonly txHashes: string[] = []
  /**
   * The first 32 bits of topic0 and of the address, or `NONE`: enough to distinguish our events and their contracts.
   */
  readonly topicLanes: number[] = []
  readonly addressLanes: number[] = []
  /** See `PackedLogs.starts`. */
  readonly #starts: number[] = [0, 0]
  readonly #packer = new Packer(SIZE)
  readonly #decode: Decode

  constructor(decode: Decode) {
    this.#decode = decode
  }

  get size(): number {
    return this.blockNumbers.length
  }

  add(log: ScannedLog): void {
    if (log.isRemoved) return
    this.#decode(log, this.#packer)
    this.blockNumbers.push(log.blockNumber)
    this.logIndexes.push(log.logIndex)
    this.blockHashes.push(log.blockHash)
    this.txHashes.push(log.txHash)
    const [topic0] = log.topics
    this.topicLanes.push(log.topicCount === 0 || topic0 === NONE ? NONE : log.bytes.lane(topic0 + PREFIX))
    this.addressLanes.push(log.address === NONE ? NONE : log.bytes.lane(log.address + PREFIX))
    this.#starts.push(this.#packer.count, this.#packer.wordCount)
  }

  isDecoded(at: number): boolean {
    return numberAt(this.#starts, 2 * at + 2) > numberAt(this.#starts, 2 * at)
  }

  /** Whether a decoded log from `from` (included) to `to` (not included) is of this kind. */
  has(kind: LogKind, from: number, to: number): boolean {
    const { numbers } = this.#packer.view()
    const place = placeOfKind(kind)
    for (let at = from; at < to; at++)
      if (this.isDecoded(at) && numbers[numberAt(this.#starts, 2 * at)] === place) return true
    return false
  }

  /** The decoded log; null when the log was not decoded. */
  read(at: number): DecodedLog | null {
    return unpackLogs(this.#packer.view(), this.#starts, at, at + 1)[0] ?? null
  }

  pack(): PackedLogs {
    return { ...this.#packer.take(), starts: Uint32Array.from(this.#starts) }
  }
}

/** The logs of a body; undefined when the body must be parsed as JSON instead. */
export function readBody(body: Buffer, decode: Decode): LogAnswer | undefined {
  const answer = new LogAnswer(decode)
  return scanBody(body, (log) => answer.add(log)) ? answer : undefined
}

/** Logs that were parsed as JSON, written as JSON again for the scanner. A text that needs escapes becomes empty. */
export function readParsed(logs: readonly RawLog[], decode: Decode): LogAnswer {
  const plain = logs.map(({ address, topics, data, blockHash, blockNumber, transactionHash, logIndex, removed }) => ({
    address: toPlain(address),
    topics: topics.map(toPlain),
    data: toPlain(data),
    blockHash: toPlain(blockHash),
    blockNumber: toPlain(blockNumber),
    logIndex: toPlain(logIndex),
    transactionHash: toPlain(transactionHash),
    removed: removed === true,
  }))
  const answer = new LogAnswer(decode)
  if (!scanList(Buffer.from(JSON.stringify(plain)), (log) => answer.add(log)))
    throw new Error('the scanner cannot read logs that were just written')
  return answer
}

const toPlain = (value: unknown): string => {
  const text = String(value)
  return /^[ !#-[\]-\x7f]*$/.test(text) ? text : ''
}
