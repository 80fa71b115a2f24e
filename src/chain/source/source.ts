// Reads a chain over JSON-RPC, and from an optional history, as blocks with decoded logs. Input: an rpc, a preset and
// perhaps a history. Output: the head, finality, and blocks with complete logs, checked against their headers, receipts
// and blooms. Blocks are packed into a few buffers, so that they cost little while they wait and can move to another
// thread.

import type { Clock } from '../../base/clock.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import { allOf } from '../logs/assemble.ts'
import { createDecode } from '../logs/decode.ts'
import { listLogKeys } from '../logs/events.ts'
import { createFindMissing } from '../logs/expected.ts'
import type { Preset } from '../presets/preset.ts'
import { type Link, readLink } from '../raw.ts'
import { isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { createReadAtOnce, type ReadAtOnce } from './at-once.ts'
import { createLinkReader, getBlock, readFinalBlocks, readFullBlocks } from './blocks.ts'
import { createFinality, type Finality } from './finality.ts'
import type { Gathered, History } from './history.ts'
import { createJoin, groupLogs, type Join } from './join.ts'
import { createLogReader, type LogReader } from './logs.ts'
import { createProofs, type Proofs } from './proofs.ts'
import { firstRange, growRange, type RangeState } from './ranges.ts'
import { createReceiptReader } from './receipts.ts'
import { createTraceReader } from './traces.ts'

export interface Source {
  /** The newest block that the provider knows. The next call may reach a backend that knows less. */
  readHead(): Promise<Link>
  /**
   * The newest block as `readHead` gives it, and these blocks with their logs if the provider has them, in one request.
   * `count`: how many blocks from `next` on; by default one.
   */
  readTip(next: number, count?: number): Promise<Tip>
  /**
   * The newest final block: the provider's `finalized`, else the preset's blocks or seconds below the head. It is
   * always below the head, so that a final block has a successor.
   */
  readFinalized(head: number): Promise<number>
  /** The chain's links at these heights; throws `lagging` for a height that the provider does not have (yet). */
  readLinks(numbers: readonly number[]): Promise<Link[]>
  /** The number of blocks per range that the provider answers well, if known. */
  rangeSize(): number
  /** All finalised blocks from..to, in order. Logs are read by block range. */
  readRange(from: number, to: number): Promise<PackedBlocks>
  /** All blocks from..to, in order, which may still be rolled back. Logs are read by block hash. */
  readWindow(from: number, to: number): Promise<PackedBlocks>
}

export interface Tip {
  head: Link
  /** Those that were asked for and are there; null if none came, or not with all of their logs. */
  blocks: PackedBlocks | null
}

export interface SourceOptions {
  rpc: Rpc
  preset: Preset
  clock: Clock
  /** Blocks that the source does not request from the node. */
  history?: History | undefined
  /** The share of final blocks that are checked against their receipts; 0: no block is. */
  receiptsShare?: number | undefined
  /** Whether payments inside transactions are read from the node's traces. */
  hasTraces?: boolean | undefined
  /** Gets sentences about logs and traces that the provider left out, refuses or cannot prove. */
  onNotice?: OnNotice | undefined
}

/** Attempts to get answers that agree with each other, before the follower gets the error. */
const ATTEMPTS = 4
const PAUSE_MS = 200
/** The rpc has tried again already when an attempt takes long. */
const INSIST_MS = 5_000
/** Unfinalised blocks that are read in one request with their logs: some megabytes at most. */
const MOST_AT_ONCE = 16
/** Logs and transactions per range to aim for: about 3 MB of JSON, small enough to be freed before V8 promotes it. */
const TARGET_ITEMS = 3_000

interface SourceState {
  rpc: Rpc
  clock: Clock
  history: History | undefined
  logReader: LogReader
  join: Join
  proofs: Proofs
  readAtOnce: ReadAtOnce
  finality: Finality
  /** How many blocks to gather, by the items of the ranges before. */
  span: RangeState
  /** The newest block of a range that was asked for. */
  asked: number
}

/** Requests the blocks from..to and their logs from the node. */
async function ask(source: SourceState, from: number, to: number): Promise<Gathered> {
  const [blocks, logs] = await Promise.all([
    readFinalBlocks(source.rpc, from, to),
    source.logReader.readRange(from, to),
  ])
  const logCount = logs.reduce((sum, { size }) => sum + size, 0)
  return { blocks, logs, items: blocks.reduce((sum, { transactions }) => sum + transactions.length, logCount) }
}

/** The blocks from..to in order, from the history if it has them, else from the node. */
async function gather(source: SourceState, from: number, to: number): Promise<Gathered> {
  const parts: Gathered[] = []
  for (let at = from; at <= to; ) {
    const last = source.history?.lastFrom(at) ?? null
    const end = Math.min(to, last ?? (source.history?.firstAbove(at) ?? Number.POSITIVE_INFINITY) - 1)
    parts.push(source.history && last !== null ? await source.history.read(at, end) : await ask(source, at, end))
    at = end + 1
  }
  const [only] = parts
  if (only && parts.length === 1) return only
  return {
    blocks: parts.flatMap(({ blocks }) => blocks),
    logs: parts.flatMap(({ logs }) => logs),
    items: parts.reduce((sum, { items }) => sum + items, 0),
  }
}

/** Retries while the answers contradict each other: backends may briefly disagree. */
async function insist<T>(source: SourceState, read: () => Promise<T>): Promise<T> {
  const startedMs = source.clock.monotonicMs()
  const isLate = () => source.clock.monotonicMs() - startedMs > INSIST_MS
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind !== 'lagging' || attempt >= ATTEMPTS || isLate()) throw error
      await source.clock.sleep(PAUSE_MS * 2 ** attempt)
    }
  }
}

async function readHead(source: SourceState): Promise<Link> {
  const link = readLink(
    await source.rpc.call({ ...getBlock('latest', false), accept: (result) => readLink(result) !== null }),
  )
  if (!link) throw new RpcError('lagging', 'the newest block cannot be read')
  return link
}

async function readTip(source: SourceState, next: number, count = 1): Promise<Tip> {
  const latest = getBlock('latest', false)
  const readLatest = (answers: readonly RpcAnswer[]) => {
    const [first] = answers
    return first && isAnswered(first) ? readLink(first.result) : null
  }
  const also = [latest, ...source.finality.ask(next)]
  const last = (answers: readonly RpcAnswer[]) => readLatest(answers)?.number ?? -1
  const { answers, blocks } = await source.readAtOnce(next, next + count - 1, also, last)
  const [, ...others] = answers
  const head = readLatest(answers)
  // Only this question waits for a provider that fails.
  if (!head) return { head: await readHead(source), blocks: null }
  source.finality.note(others, head.number)
  return { head, blocks }
}

function readWindow(source: SourceState, from: number, to: number): Promise<PackedBlocks> {
  return insist(source, async () => {
    const blocks = await readFullBlocks(source.rpc, from, to)
    const proven = await source.proofs.ofWindow(blocks)
    const others = blocks.filter(({ number }) => !proven.has(number))
    const answers = await source.logReader.readBlocks(others)
    const logs = others.map(({ number }, i) => [number, allOf(answers[i] ?? [])] as const)
    return source.join(
      blocks,
      new Map([...proven, ...logs.filter(([, runs]) => runs.length > 0)]),
      new Set(proven.keys()),
    )
  })
}

function readRange(source: SourceState, from: number, to: number): Promise<PackedBlocks> {
  source.asked = to
  return insist(source, async () => {
    try {
      const { blocks, logs, items } = await gather(source, from, to)
      source.span = growRange(source.span, blocks.length, items, TARGET_ITEMS)
      const byBlock = groupLogs(logs, from, to)
      return await source.join(blocks, byBlock, await source.proofs.ofRange(blocks, byBlock))
    } catch (error) {
      source.logReader.forget(from, to)
      throw error
    }
  })
}

/** The source of a chain. Throws an `RpcError` for a provider fault that outlasts the retries. */
export function createSource(options: SourceOptions): Source {
  const { rpc, preset, clock, history, receiptsShare: share = 0, hasTraces = false, onNotice = () => {} } = options
  const keys = listLogKeys(preset)
  const finality = createFinality(rpc, preset, clock)
  const reading = { wanted: keys, decode: createDecode(preset), onNotice, lastFinal: finality.newest }
  const logReader = createLogReader(rpc, reading)
  // Where the coin has an ERC-20 of its own, a traced payment would be a Transfer without a log.
  const readTraces = hasTraces && !preset.nativeToken ? createTraceReader({ rpc, clock, onNotice }) : undefined
  const join = createJoin({ rpc, logReader, findMissing: createFindMissing(preset), onNotice, readTraces })
  const receipts = createReceiptReader({ rpc, keys, read: logReader.readGiven, onNotice, clock })
  const proofs = createProofs({ receipts, share, onNotice })
  const source: SourceState = {
    rpc,
    clock,
    history,
    logReader,
    join,
    proofs,
    readAtOnce: createReadAtOnce({ rpc, join, logReader, proofs, keys }),
    span: firstRange(),
    asked: -1,
    finality,
  }
  return {
    readHead: () => readHead(source),
    readTip: (next, count) => readTip(source, next, count),
    readFinalized: source.finality.read,
    readLinks: createLinkReader(rpc),
    // The node's limit on logs does not bind the history.
    rangeSize: () =>
      typeof source.history?.lastFrom(source.asked + 1) === 'number'
        ? source.span.size
        : Math.min(source.span.size, source.logReader.rangeSize()),
    readRange: (from, to) => readRange(source, from, to),
    readWindow: async (from, to) => {
      const few = to - from < MOST_AT_ONCE ? await source.readAtOnce(from, to, source.finality.ask(to)) : null
      if (few) source.finality.note(few.answers, to)
      return few?.blocks ?? readWindow(source, from, to)
    },
  }
}
