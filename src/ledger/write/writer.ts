// Writes blocks into the tables: loads the rows they name, applies them in memory, and flushes the changes. Final
// blocks are gathered into larger batches, and one batch is written while the next is applied.
import { type Clock, systemClock } from '../../base/clock.ts'
import { type Changes, newChanges } from '../../book/rows/changes.ts'
import { type FirstBuyRules, type Known, toKnown } from '../../book/rows/known.ts'
import { priceUnits } from '../../book/rows/quotes.ts'
import { createStore, rotate } from '../../book/rows/row-store.ts'
import type { BlockRecord } from '../../book/rows/rows.ts'
import type { ChainReader } from '../../chain/contracts/reader.ts'
import type { BlockRef, ChainBlock } from '../../chain/event.ts'
import type { Preset } from '../../chain/presets/preset.ts'
import type { Link } from '../../chain/raw.ts'
import { transact } from '../../database/pipeline.ts'
import type { WriterLock } from '../../database/writer-lock.ts'
import { eventTable } from '../tables.ts'
import { applyBlocks, countLogs, split } from './batch.ts'
import { claimChain, emptyBlock, forgetBefore, moveCursor, noteSource, readBlocks } from './cursor.ts'
import { flush } from './flush.ts'
import { createPrefetch } from './prefetch/prefetch.ts'
import { createCachedReader } from './prefetch/reader.ts'
import { loadWorkingSet } from './prefetch/working-set.ts'
import { rollback } from './rollback.ts'

/** The progress of the database. */
interface Opened {
  /** The first block to index. */
  startBlock: number
  /** The newest block in the database; null if it has none yet. */
  cursor: BlockRecord | null
  /** Blocks to which it can be rolled back, oldest first; the last is the cursor. */
  window: Link[]
}

/** Blocks to append, in order. */
interface Appended {
  blocks: readonly ChainBlock[]
  head: number
  finalized: number
}

export interface Writer {
  /** Checks that the database indexes this chain (a new one will), and throws a `StartupError` if it indexes another. Without a start block: the database's, else the preset's. */
  open(chain?: { startBlock?: number | undefined }): Promise<Opened>
  /**
   * Prefetches the rows of these final blocks; a later `append` must bring them. Only this call may overlap with
   * others.
   */
  prefetch(blocks: readonly ChainBlock[]): void
  /**
   * Appends blocks in order. When it resolves, blocks that may be rolled back are visible. Final ones may still be in
   * memory, until they are enough or a second old; `settle` writes them.
   */
  append(step: Appended): Promise<void>
  /** Undoes every block after `to`, which must be in the window. */
  rollback(to: BlockRef): Promise<void>
  /** Marks blocks up to `number` as final, and deletes their undo images. */
  finalise(number: number, head: number): Promise<void>
  /** Resolves when all appended blocks are visible; rejects with the reason if they cannot be written. */
  settle(): Promise<void>
  /** Whether it has committed a batch. An append without a commit may still fail. */
  hasWritten(): boolean
}

/** Gathered final blocks are written when they have this many logs, or when the first of them has waited this long. */
const GATHER_LOGS = 16_000
const GATHER_MS = 1_000

interface Deps {
  /** From `acquireWriter`; all writes go through its connection. */
  lock: WriterLock
  preset: Preset
  firstBuys: FirstBuyRules
  reader: ChainReader
  clock?: Clock
  /** Called with the changed rows before they are written. */
  onChanges?: ((changes: Changes) => void) | undefined
}

/** Final blocks that were applied in memory, but not sent to the database yet. */
interface Gathered {
  changes: Changes
  logs: number
  sinceMs: number
  /** The last of these blocks. */
  block: BlockRecord
  chain: { head: number; finalized: number }
}

/** A batch that is being written into the tables. */
interface Flight {
  changes: Changes
  landed: Promise<void>
}

/** The writer's memory. It may be ahead of the tables, but never behind them. */
const newMemory = (reader: ChainReader) => ({
  store: createStore(),
  reader: createCachedReader(reader),
  prefetch: createPrefetch(),
})

interface WriterState extends Required<Omit<Deps, 'onChanges'>>, Pick<Deps, 'onChanges'> {
  /** The state that the blocks need besides their rows. */
  known: Known
  memory: ReturnType<typeof newMemory>
  /** Null until the writer is opened. */
  startBlock: number | null
  /** The newest applied block. */
  newest: BlockRecord | null
  gathered: Gathered | null
  flight: Flight | null
  /** Whether a batch was committed. */
  hasWritten: boolean
}

function opened(writer: WriterState) {
  if (writer.startBlock === null) throw new Error('the writer must be opened first')
  return {
    client: writer.lock.reader,
    known: writer.known,
    startBlock: writer.startBlock,
    store: writer.memory.store,
    reader: writer.memory.reader,
    isTheirs: () => false,
  }
}

/** Starts with empty memory. A prefetch that is still running writes into the old memory, which nobody reads any more. */
function forget(writer: WriterState): void {
  writer.memory = newMemory(writer.reader)
  writer.newest = null
}

/** Rows that were not used for a while; the few quote tokens always stay. */
const dropUnused = (writer: WriterState) => rotate(writer.memory.store, writer.known, writer.newest?.units.ids ?? [])

async function readNewest(writer: WriterState): Promise<BlockRecord> {
  writer.newest ??= (await readBlocks(writer.lock.reader)).at(-1) ?? emptyBlock()
  return writer.newest
}

/** If `run` fails, memory is dropped, because it may be ahead of the tables. */
async function guard(writer: WriterState, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    await writer.flight?.landed.catch(() => {})
    writer.flight = null
    writer.gathered = null
    forget(writer)
    throw error
  }
}

/** Starts to write a batch, once the batch before it is committed. */
async function send(
  writer: WriterState,
  batch: Pick<Gathered, 'changes' | 'block' | 'chain'>,
  isFinal: boolean,
): Promise<void> {
  const { changes, block, chain } = batch
  writer.onChanges?.(changes)
  const statements = [...flush(changes, block, !isFinal), ...moveCursor(block, { ...chain, isFinal })]
  await writer.flight?.landed
  writer.flight = {
    changes,
    landed: transact(writer.lock.client, statements).then(() => {
      writer.hasWritten = true
    }),
  }
  // The caller who awaits `landed` gets the error. Until then Node must not report it as unhandled.
  writer.flight.landed.catch(() => {})
}

async function sendGathered(writer: WriterState): Promise<void> {
  const batch = writer.gathered
  writer.gathered = null
  if (batch) await send(writer, batch, true)
}

async function settle(writer: WriterState): Promise<void> {
  await sendGathered(writer)
  await writer.flight?.landed
  writer.flight = null
}

/** Applies blocks on top of the gathered ones. Their changes go into `changes`. */
async function workOut(writer: WriterState, blocks: readonly ChainBlock[], changes: Changes): Promise<BlockRecord> {
  const unwritten = [writer.flight?.changes, writer.gathered?.changes].filter((some) => some !== undefined)
  const taken = await writer.memory.prefetch.take(opened(writer), blocks)
  const work = await loadWorkingSet({ ...opened(writer), unwritten }, taken, await readNewest(writer), changes)
  await applyBlocks(work, taken.batch, writer.memory.reader)
  writer.memory.reader.forgetBefore(work.block.number)
  work.block.units = priceUnits(work)
  writer.newest = work.block
  return work.block
}

async function gather(writer: WriterState, blocks: readonly ChainBlock[], chain: Gathered['chain']): Promise<void> {
  // Unused rows are dropped only between two batches, because rows that are not written yet must stay in memory.
  if (!writer.gathered) dropUnused(writer)
  const batch = writer.gathered ?? {
    changes: newChanges(eventTable.sheet()),
    logs: 0,
    sinceMs: writer.clock.monotonicMs(),
  }
  const block = await workOut(writer, blocks, batch.changes)
  writer.gathered = { ...batch, logs: batch.logs + countLogs(blocks), block, chain }
  if (writer.gathered.logs >= GATHER_LOGS || writer.clock.monotonicMs() - writer.gathered.sinceMs >= GATHER_MS)
    await sendGathered(writer)
}

async function appendBatch(
  writer: WriterState,
  blocks: readonly ChainBlock[],
  chain: Gathered['chain'],
): Promise<void> {
  const last = blocks.at(-1)
  if (!last) return
  if (last.number <= chain.finalized) return guard(writer, () => gather(writer, blocks, chain))
  await guard(writer, async () => {
    await sendGathered(writer)
    dropUnused(writer)
    const changes = newChanges(eventTable.sheet())
    await send(writer, { changes, block: await workOut(writer, blocks, changes), chain }, false)
  })
}

async function open(writer: WriterState, chain: { startBlock?: number | undefined } = {}): Promise<Opened> {
  writer.startBlock = await claimChain(writer.lock.client, writer.preset, chain.startBlock)
  const blocks = await readBlocks(writer.lock.client)
  writer.newest = blocks.at(-1) ?? emptyBlock()
  const window = blocks.map(({ number, hash, parentHash }) => ({ number, hash, parentHash }) as Link)
  return { startBlock: writer.startBlock, cursor: blocks.at(-1) ?? null, window }
}

async function append(writer: WriterState, { blocks, head, finalized }: Appended): Promise<void> {
  const { number } = await readNewest(writer)
  const next = blocks.filter((block) => block.number > number)
  for (const batch of split(next, finalized)) await appendBatch(writer, batch, { head, finalized })
  if ((next.at(-1)?.number ?? 0) > finalized) await guard(writer, () => settle(writer))
}

const rollBackTo = (writer: WriterState, to: BlockRef): Promise<void> =>
  guard(writer, async () => {
    await settle(writer)
    await rollback(writer.lock.client, to, opened(writer).startBlock)
    forget(writer)
  })

const finalise = (writer: WriterState, number: number, head: number): Promise<void> =>
  guard(writer, async () => {
    await settle(writer)
    const { rows } = await writer.lock.client.query<{ number: number | null }>(
      'SELECT max(number) AS number FROM block WHERE number <= $1',
      [number],
    )
    const anchor = rows[0]?.number
    const forgotten = typeof anchor === 'number' ? forgetBefore(anchor) : []
    await transact(writer.lock.client, [...forgotten, noteSource({ head, finalized: number })])
  })

/**
 * Creates the only writer of a database. Its calls must not overlap. After a failed call, the next one starts from the
 * committed state.
 */
export function createWriter({ clock = systemClock, ...deps }: Deps): Writer {
  const writer: WriterState = {
    ...deps,
    clock,
    known: toKnown(deps.preset, deps.firstBuys),
    memory: newMemory(deps.reader),
    startBlock: null,
    newest: null,
    gathered: null,
    flight: null,
    hasWritten: false,
  }
  return {
    open: (chain) => open(writer, chain),
    prefetch: (blocks) => writer.memory.prefetch.start(opened(writer), blocks),
    append: (step) => append(writer, step),
    rollback: (to) => rollBackTo(writer, to),
    finalise: (number, head) => finalise(writer, number, head),
    settle: () => guard(writer, () => settle(writer)),
    hasWritten: () => writer.hasWritten,
  }
}
