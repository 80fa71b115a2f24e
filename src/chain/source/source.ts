// Reads a chain over JSON-RPC as blocks with decoded logs, each block checked against its header. Input: an rpc and a
// preset. Output: the head, finality, and blocks with complete logs, as far as the chain's own bloom filter can tell.
// Blocks are packed into a few buffers, so that they cost little while they wait and can be handed to another thread.
import type { Clock } from '../../base/clock.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import { Packer } from '../columns/packer.ts'
import type { Transaction } from '../event.ts'
import type { LogAnswer } from '../logs/answer.ts'
import { type AssembledBlock, assembleBlock, type LogRun, readReceipt, writeBlock } from '../logs/assemble.ts'
import { createBloomTest } from '../logs/bloom.ts'
import { createDecode } from '../logs/decode.ts'
import { listTopics } from '../logs/events.ts'
import { NONE } from '../logs/scan.ts'
import type { Preset } from '../presets/preset.ts'
import { type Link, type RawBlock, readBlock, readHash, readLink } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { createLogReader } from './logs.ts'
import { firstRange, growRange } from './ranges.ts'

export interface Source {
  /** The newest block that the provider knows. The next call may reach a backend that knows less. */
  readHead(): Promise<Link>
  /**
   * The newest final block: the provider's `finalized`, else `finalityDepth` blocks below the head. It never decreases.
   */
  readFinalized(head: number): Promise<number>
  /** The chain's links at these heights; throws `lagging` for a height that the provider does not have (yet). */
  readLinks(numbers: readonly number[]): Promise<Link[]>
  /** The number of blocks per range that the provider answers well, as far as known. */
  rangeSize(): number
  /** All finalised blocks from..to, in order. Logs are read by block range. */
  readRange(from: number, to: number): Promise<PackedBlocks>
  /** All blocks from..to, in order, which may still be rolled back. Logs are read by block hash. */
  readWindow(from: number, to: number): Promise<PackedBlocks>
}

export interface SourceOptions {
  rpc: Rpc
  preset: Preset
  clock: Clock
}

/** Attempts to get answers that agree with each other, before the error goes to the follower. */
const ATTEMPTS = 4
const PAUSE_MS = 200
/** Logs and transactions per range to aim for: about 3 MB of JSON, small enough to be freed before V8 promotes it. */
const TARGET_ITEMS = 3_000
/** Initial capacity for the numbers of a range's blocks, without their logs. */
const SIZE = 8_192

const hex = (number: number) => `0x${number.toString(16)}`
const getBlock = (block: number | string, full: boolean) => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? hex(block) : block, full],
})

/** The source of a chain. Throws an `RpcError` for a provider fault that outlasts the retries. */
export function createSource({ rpc, preset, clock }: SourceOptions): Source {
  const topics = listTopics(preset)
  const logReader = createLogReader(rpc, topics, createDecode(preset))
  const mayHoldOurs = createBloomTest(topics)
  let span = firstRange()
  const finalized = createFinality(rpc, preset.finalityDepth)

  async function readBlocks(from: number, to: number): Promise<RawBlock[]> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const answers = await rpc.batch(
      numbers.map((number) => ({
        ...getBlock(number, true),
        accept: (result) => readLink(result)?.number === number,
      })),
    )
    return answers.map((answer, i) => {
      if (!isAnswered(answer)) throw answer.error
      const block = readBlock(answer.result)
      if (!block) throw new RpcError('lagging', `block ${numbers[i]} cannot be read`)
      return block
    })
  }

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

  async function join(blocks: readonly RawBlock[], logs: LogsByBlock): Promise<PackedBlocks> {
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

  /** Retries while the answers contradict each other: they may come from backends that briefly disagree. */
  async function insist<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof RpcError) || error.kind !== 'lagging' || attempt >= ATTEMPTS) throw error
        await clock.sleep(PAUSE_MS * 2 ** attempt)
      }
    }
  }

  return {
    async readHead() {
      const link = readLink(
        await rpc.call({ ...getBlock('latest', false), accept: (result) => readLink(result) !== null }),
      )
      if (!link) throw new RpcError('lagging', 'the newest block cannot be read')
      return link
    },
    readFinalized: finalized,
    async readLinks(numbers) {
      const answers = await rpc.batch(
        numbers.map((number) => ({
          ...getBlock(number, false),
          accept: (result) => readLink(result)?.number === number,
        })),
      )
      return answers.flatMap((answer) => {
        if (!isAnswered(answer)) throw answer.error
        return readLink(answer.result) ?? []
      })
    },
    rangeSize: () => Math.min(span.size, logReader.rangeSize()),
    readRange: (from, to) =>
      insist(async () => {
        const [blocks, answers] = await Promise.all([readBlocks(from, to), logReader.readRange(from, to)])
        const logCount = answers.reduce((sum, { size }) => sum + size, 0)
        const items = blocks.reduce((sum, { transactions }) => sum + transactions.length, logCount)
        span = growRange(span, blocks.length, items, TARGET_ITEMS)
        return join(blocks, groupLogs(answers, from, to))
      }),
    readWindow: (from, to) =>
      insist(async () => {
        const blocks = await readBlocks(from, to)
        const answers = await logReader.readBlocks(blocks)
        const logs = blocks.map(({ number }, i) => [number, allOf(answers[i] ?? [])] as const)
        return join(blocks, new Map(logs.filter(([, runs]) => runs.length > 0)))
      }),
  }
}

/** The logs of each block that has any. */
type LogsByBlock = Map<number, readonly LogRun[]>

/** One run per answer, with all of its logs. */
const allOf = (answers: readonly LogAnswer[]): LogRun[] =>
  answers.filter(({ size }) => size > 0).map((answer) => ({ answer, from: 0, to: answer.size }))

/** Groups logs by block; throws for a log outside the range. */
function groupLogs(answers: readonly LogAnswer[], from: number, to: number): LogsByBlock {
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

/**
 * Reads the `finalized` tag. Once the provider says that it does not support the tag, the tag is not asked for again.
 */
function createFinality(rpc: Rpc, depth: number): (head: number) => Promise<number> {
  let newest = 0
  let hasTag = true
  const byTag = async (): Promise<number | null> => {
    const [answer] = await rpc.batch([getBlock('finalized', false)], 1)
    if (answer && isAnswered(answer)) return readLink(answer.result)?.number ?? null
    const kind = answer?.error.kind
    if (kind === 'unsupported' || kind === 'rejected') hasTag = false
    if (kind === 'transient' || kind === 'rate') return newest
    return null
  }
  return async (head) => {
    const tagged = hasTag ? await byTag() : null
    newest = Math.max(newest, Math.min(head, tagged ?? head - depth))
    return newest
  }
}
