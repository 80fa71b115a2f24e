// Joins blocks with their logs, and packs them. Input: blocks that should follow each other, and answers with their
// logs. Output: packed blocks. An `RpcError` of the kind `lagging` if the two contradict each other or the blooms.
import { numberAt } from '../../base/item-at.ts'
import { pushTo } from '../../base/push-to.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import { Packer } from '../columns/packer.ts'
import type { Transaction } from '../event.ts'
import type { LogAnswer } from '../logs/answer.ts'
import {
  type AssembledBlock,
  allOf,
  assembleBlock,
  type LogRun,
  type LogsByBlock,
  readReceipt,
  writeBlock,
} from '../logs/assemble.ts'
import type { FindMissing } from '../logs/expected.ts'
import { NONE } from '../logs/scan.ts'
import { type RawBlock, readHash } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { createFindPlaces } from './log-places.ts'
import type { LogReader } from './logs.ts'
import type { ReadTraces } from './traces.ts'

/** `proven`: the numbers of blocks whose logs are known to be complete. */
export type Join = (
  blocks: readonly RawBlock[],
  logs: LogsByBlock,
  proven: ReadonlySet<number>,
) => Promise<PackedBlocks>

/** Whoever reads so few blocks at once is at the head. */
const HEAD_BLOCKS = 8
/** Initial capacity for the numbers of a range's blocks, without their logs. */
const SIZE = 8_192

export interface JoinParts {
  rpc: Rpc
  logReader: LogReader
  findMissing: FindMissing
  onNotice: OnNotice
  /** Reads payments inside transactions; undefined: they are not read. */
  readTraces?: ReadTraces | undefined
}

export function createJoin({ rpc, logReader, findMissing, onNotice, readTraces }: JoinParts): Join {
  const recheck = createRecheck(logReader, findMissing)
  const findPlaces = createFindPlaces({ rpc, logReader, onNotice })

  return async (blocks, logs, proven) => {
    await recheck(
      blocks.filter(({ number }) => !proven.has(number)),
      logs,
    )
    for (const block of blocks) {
      const runs = logs.get(block.number)
      if (runs) logs.set(block.number, await findPlaces(block, runs))
    }
    const payments = await readTraces?.(blocks, logs)
    const assembled = blocks.map((block, i) => {
      const previous = blocks[i - 1]
      if (previous && previous.hash !== block.parentHash)
        throw new RpcError(
          'lagging',
          `block ${block.number} does not follow block ${previous.number} of the same answer`,
          {},
          block.number,
        )
      const beside = { isAtHead: blocks.length <= HEAD_BLOCKS, payments: payments?.get(block.number) }
      return assembleBlock(block, logs.get(block.number) ?? [], beside)
    })
    const senders = await Promise.all(assembled.map((block) => readSenders(rpc, block)))
    const answers = [...new Set([...logs.values()].flatMap((runs) => runs.map(({ answer }) => answer)))]
    const packer = new Packer(SIZE)
    packer.number(blocks.length)
    assembled.forEach((each, i) => {
      writeBlock(packer, answers, each, senders[i])
    })
    return { blocks: packer.take(), logs: answers.map((answer) => answer.pack()) }
  }
}

/**
 * Requests again, block by block, the events that the bloom may contain and that have no log. A block without any log
 * is read whole. If it still has none, its bloom proves the answer wrong, so this throws `lagging`.
 */
function createRecheck(logReader: LogReader, findMissing: FindMissing) {
  async function readEmpty(doubtful: readonly RawBlock[], logs: LogsByBlock): Promise<void> {
    if (doubtful.length === 0) return
    const everything = await logReader.readEverything(doubtful)
    doubtful.forEach((block, i) => {
      const found = allOf(everything[i] ?? [])
      if (found.length === 0)
        throw new RpcError(
          'lagging',
          `block ${block.number}: no logs came, but its bloom is not empty`,
          {},
          block.number,
        )
      logs.set(block.number, found)
    })
  }

  return async function recheck(blocks: readonly RawBlock[], logs: LogsByBlock): Promise<void> {
    const gaps = blocks.flatMap((block) => {
      const keys = block.bloom === null ? [] : findMissing(block.bloom, logs.get(block.number) ?? [])
      return keys.length === 0 ? [] : [{ block, keys }]
    })
    await readEmpty(
      gaps.flatMap(({ block }) => (logs.has(block.number) ? [] : [block])),
      logs,
    )
    const partial = gaps.filter(({ block }) => logs.has(block.number))
    if (partial.length === 0) return
    const found = await logReader.readKeys(partial)
    partial.forEach(({ block: { number } }, i) => {
      logs.set(number, [...(logs.get(number) ?? []), ...allOf(found[i] ?? [])])
    })
  }
}

/** The transactions of logs whose senders the block does not have, by hash. */
async function readSenders(rpc: Rpc, { block, strangers }: AssembledBlock): Promise<Map<string, Transaction>> {
  const hashes = strangers.filter((hash) => readHash(hash) !== null && hash !== block.hash)
  if (hashes.length === 0) return new Map()
  const answers = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
  return new Map(
    answers.flatMap((answer) => {
      const transaction = isAnswered(answer) ? readReceipt(answer.result, block) : null
      return transaction ? [[transaction.hash, transaction] as const] : []
    }),
  )
}

/** Groups logs by block; throws for a log outside the range. */
export function groupLogs(answers: readonly LogAnswer[], from: number, to: number): LogsByBlock {
  const byBlock = new Map<number, LogRun[]>()
  for (const answer of answers) {
    let run: LogRun | null = null
    let last = NONE
    for (let at = 0; at < answer.size; at++) {
      const number = numberAt(answer.blockNumbers, at)
      if (run && number === last) {
        run.to = at + 1
        continue
      }
      if (number < from || number > to)
        throw new RpcError('lagging', `a log is outside the requested blocks ${from} to ${to}`)
      run = { answer, from: at, to: at + 1 }
      last = number
      pushTo(byBlock, number, run)
    }
  }
  return byBlock
}
