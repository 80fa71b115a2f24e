// The logs of blocks whose logs the provider refuses: from the receipts of the block, else from those of its
// transactions. Input: block numbers. Output: the logs with our keys, or null. After a few refused blocks in a row it is
// asked first, and the logs again only after many more blocks.
import { propertiesOf } from '../../base/json.ts'
import type { LogAnswer } from '../logs/answer.ts'
import { createKeyTest } from '../logs/events.ts'
import { hexQuantity, type RawLog, readHash, readNumber } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { isReceipts, type RawReceipt } from './receipts-root.ts'

export interface ReceiptLogs {
  /** The logs of one refused block; null if no endpoint gives its receipts. */
  read(number: number, keys: readonly string[] | null): Promise<LogAnswer | null>
  /** Notes whether the logs of single blocks were given, or read from receipts. */
  note(isRefused: boolean, reason: string): void
  /** How many blocks are to be read from receipts before their logs are asked for again. */
  ahead(): number
  /** The logs of the blocks from..to; null if the provider does not give the receipts of each. */
  readMany(from: number, to: number, keys: readonly string[] | null): Promise<LogAnswer | null>
}

export interface ReceiptLogsOptions {
  rpc: Rpc
  read(logs: readonly RawLog[]): LogAnswer
  onNotice: OnNotice
}

/** Refused blocks in a row after which receipts are asked for first. */
const REFUSED_IN_A_ROW = 3
/** Blocks whose logs are then not asked for. */
const BLOCKS_AHEAD = 1_000
/** Blocks whose receipts are asked for at once: some megabytes. */
export const RECEIPT_BLOCKS = 16
/** A block of another provider may have more; then its receipts come in one answer. */
const MOST_TRANSACTIONS = 5_000

const getReceipts = (number: number) => ({
  method: 'eth_getBlockReceipts',
  params: [hexQuantity(number)],
  accept: (result: unknown) => isReceiptsOf(result, number),
})

/** Whether these are receipts, with logs of this block only. */
const isReceiptsOf = (result: unknown, number: number): result is RawReceipt[] =>
  isReceipts(result) && result.every(({ logs }) => logs.every((log) => readNumber(log.blockNumber) === number))

export function createReceiptLogs({ rpc, read, onNotice }: ReceiptLogsOptions): ReceiptLogs {
  let refused = 0
  let ahead = 0

  const logsOf = (receipts: readonly RawReceipt[], keys: readonly string[] | null): LogAnswer => {
    const isWanted = keys ? createKeyTest(keys) : () => true
    return read(receipts.flatMap(({ logs }) => logs.filter(isWanted)))
  }

  /** The receipts of a block's transactions, one by one; null unless all are of this block. */
  async function readSingly(number: number): Promise<RawReceipt[] | null> {
    const [answer] = await rpc.batch([{ method: 'eth_getBlockByNumber', params: [hexQuantity(number), false] }], 1)
    const block = propertiesOf(answer && isAnswered(answer) ? answer.result : null)
    const hashes = block && Array.isArray(block.transactions) ? block.transactions.map(readHash) : null
    if (!hashes || hashes.length > MOST_TRANSACTIONS || hashes.includes(null)) return null
    const isOwn = (result: unknown) =>
      isReceiptsOf([result], number) && readHash(propertiesOf(result).blockHash) === readHash(block.hash)
    const answers = await rpc.batch(
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash], accept: isOwn })),
      2,
    )
    const receipts = answers.flatMap((each) => (isAnswered(each) ? [each.result as RawReceipt] : []))
    return receipts.length === hashes.length ? receipts : null
  }

  return {
    async read(number, keys) {
      const asked = await rpc.ask(getReceipts(number), 1)
      for (const { answer } of asked)
        if (isAnswered(answer) && isReceiptsOf(answer.result, number)) return logsOf(answer.result, keys)
      const receipts = await readSingly(number)
      return receipts && logsOf(receipts, keys)
    },
    note(isRefused, reason) {
      if (isRefused) {
        refused += 1
        if (refused === REFUSED_IN_A_ROW)
          onNotice(`RPC_URL refuses the logs of single blocks, so they are read from the receipts: ${reason}`)
        if (refused >= REFUSED_IN_A_ROW) ahead = BLOCKS_AHEAD
        return
      }
      if (refused >= REFUSED_IN_A_ROW) onNotice('RPC_URL gives the logs of single blocks again', true)
      refused = 0
    },
    ahead: () => ahead,
    async readMany(from, to, keys) {
      const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
      const answers = await rpc.batch(numbers.map(getReceipts))
      const receipts = answers.flatMap((answer) => (isAnswered(answer) ? (answer.result as RawReceipt[]) : []))
      const isWhole = answers.every(isAnswered)
      ahead = isWhole ? Math.max(0, ahead - numbers.length) : 0
      return isWhole ? logsOf(receipts, keys) : null
    },
  }
}
