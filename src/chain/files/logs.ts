// Turns rows of the dataset `logs` into a decoded answer, like one of `eth_getLogs` with our topics. Input: pieces of
// rows. Output: the answer, the transactions that its decoded logs name, and the blocks that have any log.
import type { Hash } from '../../base/address.ts'
import { float64At, itemAt, uint8At } from '../../base/item-at.ts'
import { LogAnswer } from '../logs/answer.ts'
import type { Decode } from '../logs/decode.ts'
import { emptyLog, NONE, type ScannedLog } from '../logs/scan.ts'
import { badColumn } from './fault.ts'
import { areSameBytes, HexPad, toHex } from './hex.ts'
import type { VisitRows } from './rows.ts'
import type { FileColumn } from './table.ts'

export const LOG_COLUMNS: readonly FileColumn[] = [
  { name: 'transaction_index', type: 'number' },
  { name: 'log_index', type: 'number' },
  { name: 'transaction_hash', type: 32 },
  { name: 'address', type: 20 },
  ...[0, 1, 2, 3].map((at) => ({ name: `topic${at}`, type: 32, isNullable: true })),
  { name: 'data', type: 'bytes' },
]

export interface FoundLogs {
  answer: LogAnswer
  /** Hashes of the transactions with decoded logs, by block and index. */
  named: ReadonlyMap<number, ReadonlyMap<number, string>>
  /** Blocks that have a log with any topic. */
  withLogs: ReadonlySet<number>
  rows: number
}

/** Which rows are decoded. */
export interface WantedLogs {
  prefixes: ReadonlySet<number>
  /** The contracts whose logs without a topic count. */
  bare: readonly Uint8Array[]
}

/** The first four bytes of each topic. The decoder drops other topics with the same bytes. */
export const prefixesOf = (topics: readonly `0x${string}`[]): ReadonlySet<number> =>
  new Set(topics.map((topic) => Number.parseInt(topic.slice(2, 10), 16)))

const prefixOf = (topic: Uint8Array): number =>
  ((uint8At(topic, 0) << 24) | (uint8At(topic, 1) << 16) | (uint8At(topic, 2) << 8) | uint8At(topic, 3)) >>> 0

const gap = (
  { path, first }: Parameters<VisitRows>[0],
  row: number,
  { number, found, next }: { number: number; found: unknown; next: number },
) =>
  badColumn(
    path,
    'log_index',
    `row ${first + row} of block ${number} has ${found} where ${next} follows: ` +
      'rows are missing or out of order. cryo must write all logs, without --topic0 or --address',
  )

/** Writes the topics of a row, up to the first that is missing. */
function writeTopics(
  log: Mutable<ScannedLog>,
  topics: readonly (readonly (Uint8Array | null)[])[],
  row: number,
  pad: HexPad,
): void {
  log.topicCount = 0
  for (let at = 0; at < 4; at++) {
    const topic = topics[at]?.[row]
    if (!topic) return
    log.topics[at] = pad.write(topic)
    log.topicCount = at + 1
  }
}

/** Notes the hash of a transaction by its place in the block. */
function name(named: Map<number, Map<number, string>>, number: number, at: number, hash: string): void {
  const own = named.get(number)
  if (own) own.set(at, hash)
  else named.set(number, new Map([[at, hash]]))
}

/** `hashOf`: the hashes of the blocks, which the files of logs do not have. */
export function createLogVisit(decode: Decode, { prefixes, bare }: WantedLogs, hashOf: ReadonlyMap<number, Hash>) {
  const answer = new LogAnswer(decode)
  const named = new Map<number, Map<number, string>>()
  const withLogs = new Set<number>()
  const pad = new HexPad()
  let rows = 0
  /** The previous row. */
  let block = NONE
  let index = NONE
  let txHash: Uint8Array = new Uint8Array()
  let txText = ''

  const visit: VisitRows = (piece, start, end) => {
    const numbers = piece.numbers('block_number')
    const indexes = piece.numbers('log_index')
    const txIndexes = piece.numbers('transaction_index')
    const addresses = piece.bytes('address')
    const datas = piece.bytes('data')
    const txHashes = piece.bytes('transaction_hash')
    const topics = [0, 1, 2, 3].map((at) => piece.someBytes(`topic${at}`))
    const log: Mutable<ScannedLog> = emptyLog(pad.bytes)
    rows += end - start
    for (let row = start; row < end; row++) {
      const number = float64At(numbers, row)
      if (number !== block) {
        block = number
        index = NONE
        withLogs.add(number)
      }
      index += 1
      if (indexes[row] !== index) throw gap(piece, row, { number, found: indexes[row], next: index })
      const first = topics[0]?.[row]
      const address = itemAt(addresses, row)
      const isWanted = first ? prefixes.has(prefixOf(first)) : bare.some((emitter) => areSameBytes(emitter, address))
      if (!isWanted) continue
      const hash = itemAt(txHashes, row)
      if (!areSameBytes(hash, txHash)) {
        txHash = hash
        txText = toHex(hash)
      }
      const data = itemAt(datas, row)
      pad.begin(data.length + 148, 6)
      log.bytes = pad.bytes
      log.address = pad.write(address)
      writeTopics(log, topics, row, pad)
      log.data = pad.write(data)
      log.dataLength = 2 * data.length + 2
      log.blockNumber = number
      log.logIndex = index
      log.blockHash = hashOf.get(number) ?? ''
      log.txHash = txText
      answer.add(log)
      if (answer.isDecoded(answer.size - 1)) name(named, number, float64At(txIndexes, row), txText)
    }
  }

  return { visit, found: (): FoundLogs => ({ answer, named, withLogs, rows }) }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }
