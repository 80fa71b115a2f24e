// Writes blocks into the tables: loads the rows they name, applies them in memory, and flushes the changes. Final
// blocks are gathered into larger batches, and one batch is written while the next is applied.
import { type Clock, systemClock } from '../../base/clock.ts'
import { type Changes, newChanges } from '../../book/rows/changes.ts'
import { type FirstBuyRules, toKnown } from '../../book/rows/known.ts'
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
  append(step: { blocks: readonly ChainBlock[]; head: number; finalized: number }): Promise<void>
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

/**
 * Creates the only writer of a database. Its calls must not overlap. After a failed call, the next one starts from the
 * committed state.
 */
export function createWriter({ lock, preset, firstBuys, reader, clock = systemClock }: Deps): Writer {
  const { client, reader: reading } = lock
  const known = toKnown(preset, firstBuys)
  let memory = newMemory(reader)
  let startBlock: number | null = null
  let newest: BlockRecord | null = null
  let gathered: Gathered | null = null
  let flight: Flight | null = null
  let hasWritten = false

  const noteWritten = () => {
    hasWritten = true
  }

  const opened = () => {
    if (startBlock === null) throw new Error('the writer must be opened first')
    return { client: reading, known, startBlock, store: memory.store, reader: memory.reader, isTheirs: () => false }
  }

  /** Starts with empty memory. A prefetch that is still running writes into the old memory, which nobody reads any more. */
  const forget = () => {
    memory = newMemory(reader)
    newest = null
  }

  /** Rows that were not used for a while; the few quote tokens always stay. */
  const dropUnused = () => rotate(memory.store, known, newest?.units.ids ?? [])

  const readNewest = async (): Promise<BlockRecord> => {
    newest ??= (await readBlocks(reading)).at(-1) ?? emptyBlock()
    return newest
  }

  /** If `run` fails, memory is dropped, because it may be ahead of the tables. */
  const guard = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run()
    } catch (error) {
      await flight?.landed.catch(() => {})
      flight = null
      gathered = null
      forget()
      throw error
    }
  }

  /** Starts to write a batch, once the batch before it is committed. */
  const send = async (batch: Pick<Gathered, 'changes' | 'block' | 'chain'>, isFinal: boolean): Promise<void> => {
    const { changes, block, chain } = batch
    const statements = [...flush(changes, block, !isFinal), ...moveCursor(block, { ...chain, isFinal })]
    await flight?.landed
    flight = { changes, landed: transact(client, statements).then(noteWritten) }
    // The caller who awaits `landed` gets the error. Until then Node must not report it as unhandled.
    flight.landed.catch(() => {})
  }

  const sendGathered = async (): Promise<void> => {
    const batch = gathered
    gathered = null
    if (batch) await send(batch, true)
  }

  const settle = async (): Promise<void> => {
    await sendGathered()
    await flight?.landed
    flight = null
  }

  /** Applies blocks on top of the gathered ones. Their changes go into `changes`. */
  const workOut = async (blocks: readonly ChainBlock[], changes: Changes): Promise<BlockRecord> => {
    const unwritten = [flight?.changes, gathered?.changes].filter((some) => some !== undefined)
    const taken = await memory.prefetch.take(opened(), blocks)
    const work = await loadWorkingSet({ ...opened(), unwritten }, taken, await readNewest(), changes)
    await applyBlocks(work, taken.batch, memory.reader)
    memory.reader.forgetBefore(work.block.number)
    work.block.units = priceUnits(work)
    newest = work.block
    return work.block
  }

  const gather = async (blocks: readonly ChainBlock[], chain: Gathered['chain']): Promise<void> => {
    // Unused rows are dropped only between two batches, because rows that are not written yet must stay in memory.
    if (!gathered) dropUnused()
    const batch = gathered ?? { changes: newChanges(eventTable.sheet()), logs: 0, sinceMs: clock.monotonicMs() }
    const block = await workOut(blocks, batch.changes)
    gathered = { ...batch, logs: batch.logs + countLogs(blocks), block, chain }
    if (gathered.logs >= GATHER_LOGS || clock.monotonicMs() - gathered.sinceMs >= GATHER_MS) await sendGathered()
  }

  const appendBatch = async (blocks: readonly ChainBlock[], chain: Gathered['chain']): Promise<void> => {
    const last = blocks.at(-1)
    if (!last) return
    if (last.number <= chain.finalized) return guard(() => gather(blocks, chain))
    await guard(async () => {
      await sendGathered()
      dropUnused()
      const changes = newChanges(eventTable.sheet())
      await send({ changes, block: await workOut(blocks, changes), chain }, false)
    })
  }

  return {
    open: async (chain = {}) => {
      startBlock = await claimChain(client, preset, chain.startBlock)
      const blocks = await readBlocks(client)
      newest = blocks.at(-1) ?? emptyBlock()
      const window = blocks.map(({ number, hash, parentHash }) => ({ number, hash, parentHash }) as Link)
      return { startBlock, cursor: blocks.at(-1) ?? null, window }
    },
    prefetch: (blocks) => memory.prefetch.start(opened(), blocks),
    append: async ({ blocks, head, finalized }) => {
      const { number } = await readNewest()
      const next = blocks.filter((block) => block.number > number)
      for (const batch of split(next, finalized)) await appendBatch(batch, { head, finalized })
      if ((next.at(-1)?.number ?? 0) > finalized) await guard(settle)
    },
    rollback: (to) =>
      guard(async () => {
        await settle()
        await rollback(client, to, opened().startBlock)
        forget()
      }),
    finalise: (number, head) =>
      guard(async () => {
        await settle()
        const { rows } = await client.query<{ number: number | null }>(
          'SELECT max(number) AS number FROM block WHERE number <= $1',
          [number],
        )
        const anchor = rows[0]?.number
        const forgotten = typeof anchor === 'number' ? forgetBefore(anchor) : []
        await transact(client, [...forgotten, noteSource({ head, finalized: number })])
      }),
    settle: () => guard(settle),
    hasWritten: () => hasWritten,
  }
}
