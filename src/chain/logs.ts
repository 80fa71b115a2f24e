// Raw logs of a range or of single blocks, whatever the provider's limits. Comes in: numbers or hashes of blocks; goes out:
// every log with a topic of ours. A refusal splits the range; one block that is still too much is asked for piece by piece.
import type { Hash } from '../base/address.ts'
import { TOPICS } from './abi/event.ts'
import { firstRange, growRange, shrinkRange } from './ranges.ts'
import { isLogs, type RawLog } from './raw.ts'
import type { Rpc } from './rpc.ts'
import { type Call, isAnswered } from './rpc-endpoint.ts'
import { isRetryable, RpcError } from './rpc-error.ts'

export interface LogReader {
  /** Last block of the next range from `from`, at most `limit`: what the provider has taken so far. */
  rangeEnd(from: number, limit: number): number
  /** Logs of the blocks from..to, both included, in no certain order, perhaps with duplicates. */
  readRange(from: number, to: number): Promise<RawLog[]>
  /** Logs of each block, in order of the questions. */
  readBlocks(hashes: readonly Hash[]): Promise<RawLog[][]>
  /** All logs of each block, whatever their topic. */
  readEverything(hashes: readonly Hash[]): Promise<RawLog[][]>
}

const topics = [Object.values(TOPICS)]
const hex = (number: number) => `0x${number.toString(16)}`
const getLogs = (filter: object): Call => ({ method: 'eth_getLogs', params: [filter], accept: isLogs })
const isSplit = (error: unknown): error is RpcError & { kind: 'range' | 'size' } =>
  error instanceof RpcError && (error.kind === 'range' || error.kind === 'size')

/** Reads logs; the learnt range is kept for the reader's life. */
export function createLogReader(rpc: Rpc): LogReader {
  let range = firstRange()

  async function readRange(from: number, to: number): Promise<RawLog[]> {
    const logs: RawLog[] = []
    for (let at = from; at <= to; ) {
      const end = Math.min(to, at + range.size - 1)
      const blocks = end - at + 1
      try {
        const part = (await rpc.call(getLogs({ fromBlock: hex(at), toBlock: hex(end), topics }))) as RawLog[]
        range = growRange(range, blocks, part.length)
        for (const log of part) logs.push(log)
        at = end + 1
      } catch (error) {
        if (!isSplit(error)) {
          // Perhaps it was too much at once; whoever asks again asks for less.
          if (isRetryable(error)) range = shrinkRange(range, 'size', at, blocks, {})
          throw error
        }
        if (blocks === 1) {
          for (const log of await readPieces({ fromBlock: hex(at), toBlock: hex(at) }, error)) logs.push(log)
          at += 1
        } else range = shrinkRange(range, error.kind, at, blocks, error.hint)
      }
    }
    return logs
  }

  /** One block whose logs are too many for one answer: topic by topic; what is too much even so stops with its reason. */
  async function readPieces(filter: object, why: RpcError): Promise<RawLog[]> {
    const calls = Object.values(TOPICS).map((topic) => getLogs({ ...filter, topics: [[topic]] }))
    const answers = await rpc.batch(calls)
    const failed = answers.find((answer) => answer.error)?.error
    if (!failed) return answers.flatMap((answer) => (isAnswered(answer) ? (answer.result as RawLog[]) : []))
    if (!isSplit(failed)) throw failed
    throw new RpcError('rejected', `one block alone holds more logs than the provider gives: ${why.message}`)
  }

  async function readByHash(hashes: readonly Hash[], wanted: object): Promise<RawLog[][]> {
    const answers = await rpc.batch(hashes.map((blockHash) => getLogs({ blockHash, ...wanted })))
    return Promise.all(
      answers.map((answer, i) => {
        if (isAnswered(answer)) return answer.result as RawLog[]
        if (isSplit(answer.error)) return readPieces({ blockHash: hashes[i] }, answer.error)
        throw answer.error
      }),
    )
  }

  return {
    rangeEnd: (from, limit) => Math.min(limit, from + range.size - 1),
    readRange,
    readBlocks: (hashes) => readByHash(hashes, { topics }),
    readEverything: (hashes) => readByHash(hashes, {}),
  }
}
