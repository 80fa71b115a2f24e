// Reads a few new blocks with their logs in one request. Input: block numbers, and further calls for the same request.
// Output: the packed blocks, or null unless every answer came and agrees with the others. Whoever gets null reads the
// blocks one kind of answer after another, which repeats and explains what fails.
import type { PackedBlocks } from '../columns/columns.ts'
import type { LogsByBlock } from '../logs/assemble.ts'
import { filterOf } from '../logs/events.ts'
import { hexQuantity, isLogs, type RawBlock, readBlock, spanOf } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { groupLogs, type Join } from './join.ts'
import type { LogReader } from './logs.ts'
import type { Proofs } from './proofs.ts'

export interface AtOnce {
  /** The answers to `also`, in order. */
  answers: RpcAnswer[]
  blocks: PackedBlocks | null
}

export interface AtOnceParts {
  rpc: Rpc
  join: Join
  logReader: LogReader
  proofs: Proofs
  /** Keys of the logs to ask for. */
  keys: readonly string[]
}

export type ReadAtOnce = ReturnType<typeof createReadAtOnce>

/** Asks once: nothing is repeated. */
export function createReadAtOnce({ rpc, join, logReader, proofs, keys }: AtOnceParts) {
  const askForLogs = (numbers: readonly number[]): Call[] =>
    proofs.isOn()
      ? numbers.map((number) => ({ method: 'eth_getBlockReceipts', params: [hexQuantity(number)] }))
      : [{ method: 'eth_getLogs', params: [{ ...spanOf(numbers[0] ?? 0, numbers.at(-1) ?? 0), ...filterOf(keys) }] }]

  /** The logs of one range by block; null unless each is of the block that came beside it. */
  function readLogs(blocks: readonly RawBlock[], answers: readonly RpcAnswer[]): LogsByBlock | null {
    const told = answers.flatMap((answer) => (isAnswered(answer) && isLogs(answer.result) ? [answer.result] : []))
    if (told.length === 0 || told.length < answers.length) return null
    const hashes = new Set<string>(blocks.map(({ hash }) => hash))
    if (!told.flat().every(({ blockHash }) => hashes.has(blockHash.toLowerCase()))) return null
    const logs = groupLogs(told.map(logReader.readGiven), blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0)
    // Without a bloom, nothing contradicts a node that does not have the logs yet.
    return blocks.every(({ bloom, number }) => bloom !== null || logs.has(number)) ? logs : null
  }

  async function joinBlocks(blocks: readonly RawBlock[], answers: readonly RpcAnswer[]): Promise<PackedBlocks | null> {
    const isProven = proofs.isOn()
    const logs = isProven ? proofs.ofAnswers(blocks, answers) : readLogs(blocks, answers)
    return logs && join(blocks, logs, new Set(isProven ? blocks.map(({ number }) => number) : []))
  }

  /** `readLast` says from the answers to `also` which block is the last to give; by default `to`. */
  return async (
    from: number,
    to: number,
    also: readonly Call[] = [],
    readLast: (answers: readonly RpcAnswer[]) => number = () => to,
  ): Promise<AtOnce> => {
    const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    const wanted = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [hexQuantity(number), true] }))
    const answers = await rpc.together([...also, ...wanted, ...askForLogs(numbers)])
    const told = answers.slice(also.length)
    const others = answers.slice(0, also.length)
    const last = Math.min(to, readLast(others))
    const blocks = numbers.flatMap((number, at) => {
      const answer = told[at]
      const block = answer && isAnswered(answer) ? readBlock(answer.result) : null
      return number <= last && block?.number === number ? [block] : []
    })
    if (blocks.length === 0 || blocks.length < last - from + 1) return { answers: others, blocks: null }
    const joined = joinBlocks(blocks, told.slice(numbers.length)).catch((error: unknown) => {
      if (error instanceof RpcError && error.kind !== 'aborted') return null
      throw error
    })
    return { answers: others, blocks: await joined }
  }
}
