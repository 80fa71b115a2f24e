// Raw logs of a range or of single blocks, whatever the provider's limits. Comes in: numbers or hashes of blocks; goes out:
// every log with a topic of ours. A refusal splits the range; one block that is still too much is asked for piece by piece.
import { firstRange, growRange, shrinkRange } from './ranges.ts'
import { isLogs, type Link, type RawLog } from './raw.ts'
import type { Rpc } from './rpc.ts'
import { type Call, isAnswered } from './rpc-endpoint.ts'
import { isRetryable, RpcError } from './rpc-error.ts'

export interface LogReader {
  /** Blocks of the next range: what the provider has taken so far. */
  rangeSize(): number
  /** Logs of the blocks from..to, both included, in no certain order, perhaps with duplicates. */
  readRange(from: number, to: number): Promise<RawLog[]>
  /** Logs of each block, in order of the questions. */
  readBlocks(blocks: readonly Link[]): Promise<RawLog[][]>
  /** All logs of each block, whatever their topic. */
  readEverything(blocks: readonly Link[]): Promise<RawLog[][]>
}

const hex = (number: number) => `0x${number.toString(16)}`
const getLogs = (filter: object): Call => ({ method: 'eth_getLogs', params: [filter], accept: isLogs })
/** The logs of one block: by its hash, and by its number where a provider knows no hashes. */
function getBlockLogs({ number, hash }: Link, wanted: object): Call {
  const isOwn = (result: unknown): boolean =>
    isLogs(result) && result.every(({ blockHash }) => blockHash === hash || blockHash.toLowerCase() === hash)
  const byNumber = getLogs({ fromBlock: hex(number), toBlock: hex(number), ...wanted })
  return {
    ...getLogs({ blockHash: hash, ...wanted }),
    // Some clients take no notice of the hash, and answer for the newest block.
    otherwise: { call: { ...byNumber, accept: isOwn }, isMisread: (result) => isLogs(result) && !isOwn(result) },
  }
}
const isSplit = (error: unknown): error is RpcError & { kind: 'range' | 'size' } =>
  error instanceof RpcError && (error.kind === 'range' || error.kind === 'size')

/** Reads logs of these topics; the learnt range is kept for the reader's life. */
export function createLogReader(rpc: Rpc, wanted: readonly string[]): LogReader {
  const topics = [wanted]
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
          const pieces = await readPieces((piece) => getLogs({ fromBlock: hex(at), toBlock: hex(at), ...piece }), error)
          for (const log of pieces) logs.push(log)
          at += 1
        } else range = shrinkRange(range, error.kind, at, blocks, error.hint)
      }
    }
    return logs
  }

  /** One block whose logs are too many for one answer: topic by topic; what is too much even so stops with its reason. */
  async function readPieces(get: (piece: object) => Call, why: RpcError): Promise<RawLog[]> {
    const answers = await rpc.batch(wanted.map((topic) => get({ topics: [[topic]] })))
    const failed = answers.find((answer) => answer.error)?.error
    if (!failed) return answers.flatMap((answer) => (isAnswered(answer) ? (answer.result as RawLog[]) : []))
    if (!isSplit(failed)) throw failed
    throw new RpcError('rejected', `one block alone holds more logs than the provider gives: ${why.message}`)
  }

  async function readSingly(blocks: readonly Link[], filter: object): Promise<RawLog[][]> {
    const answers = await rpc.batch(blocks.map((block) => getBlockLogs(block, filter)))
    return Promise.all(
      blocks.map((block, i) => {
        const answer = answers[i] ?? { error: new RpcError('transient', 'no answer') }
        if (isAnswered(answer)) return answer.result as RawLog[]
        if (isSplit(answer.error)) return readPieces((piece) => getBlockLogs(block, piece), answer.error)
        throw answer.error
      }),
    )
  }

  return {
    rangeSize: () => range.size,
    readRange,
    readBlocks: (blocks) => readSingly(blocks, { topics }),
    readEverything: (blocks) => readSingly(blocks, {}),
  }
}
