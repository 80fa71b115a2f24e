// Joins blocks with their logs, and packs them. Input: blocks that should follow each other, and answers with their logs.
// Output: packed blocks; an `RpcError` of the kind `lagging` if the two contradict each other, or the blooms.
import type { PackedBlocks } from '../columns/columns.ts'
import { Packer } from '../columns/packer.ts'
import type { Transaction } from '../event.ts'
import type { LogAnswer } from '../logs/answer.ts'
import { type AssembledBlock, assembleBlock, type LogRun, readReceipt, writeBlock } from '../logs/assemble.ts'
import { NONE } from '../logs/scan.ts'
import { type RawBlock, readHash } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { LogReader } from './logs.ts'

/** The logs of each block that has any. */
export type LogsByBlock = Map<number, readonly LogRun[]>

export type Join = (blocks: readonly RawBlock[], logs: LogsByBlock) => Promise<PackedBlocks>

/** Initial capacity for the numbers of a range's blocks, without their logs. */
const SIZE = 8_192

export function createJoin(rpc: Rpc, logReader: LogReader, mayHoldOurs: (bloom: string) => boolean): Join {
  /**
   * Rechecks blocks without logs whose bloom says that they may have some, by reading all their logs. A block with a
   * non-empty bloom and no log at all means that the provider's answer was wrong, so it throws `lagging`.
   */
  async function recheck(blocks: readonly RawBlock[], logs: LogsByBlock): Promise<void> {
    const doubtful = blocks.filter(({ number, bloom }) => bloom !== null && !logs.has(number) && mayHoldOurs(bloom))
    if (doubtful.length === 0) return
    const everything = await logReader.readEverything(doubtful)
    doubtful.forEach((block, i) => {
      const found = allOf(everything[i] ?? [])
      if (found.length === 0)
        throw new RpcError('lagging', `block ${block.number}: no logs came, but its bloom is not empty`)
      logs.set(block.number, found)
    })
  }

  async function readSenders({ block, strangers }: AssembledBlock): Promise<Map<string, Transaction>> {
    const hashes = strangers.filter((hash) => readHash(hash) !== null)
    if (hashes.length === 0) return new Map()
    const answers = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
    return new Map(
      answers.flatMap((answer) => {
        const transaction = isAnswered(answer) ? readReceipt(answer.result, block) : null
        return transaction ? [[transaction.hash, transaction] as const] : []
      }),
    )
  }

  return async (blocks, logs) => {
    await recheck(blocks, logs)
    const assembled = blocks.map((block, i) => {
      const previous = blocks[i - 1]
      if (previous && previous.hash !== block.parentHash)
        throw new RpcError(
          'lagging',
          `block ${block.number} does not follow block ${previous.number} of the same answer`,
        )
      return assembleBlock(block, logs.get(block.number) ?? [])
    })
    const senders = await Promise.all(assembled.map(readSenders))
    const answers = [...new Set([...logs.values()].flatMap((runs) => runs.map(({ answer }) => answer)))]
    const packer = new Packer(SIZE)
    packer.number(blocks.length)
    assembled.forEach((each, i) => {
      writeBlock(packer, answers, each, senders[i])
    })
    return { blocks: packer.take(), logs: answers.map((answer) => answer.pack()) }
  }
}

/** One run per answer, with all of its logs. */
export const allOf = (answers: readonly LogAnswer[]): LogRun[] =>
  answers.filter(({ size }) => size > 0).map((answer) => ({ answer, from: 0, to: answer.size }))

/** Groups logs by block; throws for a log outside the range. */
export function groupLogs(answers: readonly LogAnswer[], from: number, to: number): LogsByBlock {
  const byBlock = new Map<number, LogRun[]>()
  for (const answer of answers) {
    let run: LogRun | null = null
    let last = NONE
    for (let at = 0; at < answer.size; at++) {
      const number = answer.blockNumbers[at] as number
      if (run && number === last) {
        run.to = at + 1
        continue
      }
      if (number < from || number > to)
        throw new RpcError('lagging', `a log is outside the requested blocks ${from} to ${to}`)
      run = { answer, from: at, to: at + 1 }
      last = number
      const own = byBlock.get(number)
      if (own) own.push(run)
      else byBlock.set(number, [run])
    }
  }
  return byBlock
}
