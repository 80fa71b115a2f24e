import { type Clock, systemClock } from '../../base/clock.ts'
import type { BlockRecord } from '../../book/rows.ts'
import { type Changes, createStore, type FirstBuyRules, newChanges, rotate, toKnown } from '../../book/working-set.ts'
import type { ChainReader } from '../../chain/contracts/reader.ts'
import type { BlockRef, ChainBlock } from '../../chain/event.ts'
import type { Preset } from '../../chain/presets/preset.ts'
import type { Link } from '../../chain/raw.ts'
import { transact } from '../../database/pipeline.ts'
import type { WriterLock } from '../../database/writer-lock.ts'
import { applyBlocks, countLogs, split } from './batch.ts'
import { claimChain, emptyBlock, forgetBefore, moveCursor, noteSource } from './cursor.ts'
import { flush } from './flush.ts'
import { readBlocks } from './load.ts'
import { createPrefetch } from './prefetch/prefetch.ts'
import { createCachedReader } from './prefetch/reader.ts'
import { loadWorkingSet } from './prefetch/working-set.ts'
import { rollback } from './rollback.ts'
import { eventTable } from './tables.ts'

/** Where the database stands. */
interface Opened {
  /** The first block that is, or will be, indexed. */
  startBlock: number
  /** The newest block that is in the database; null: none yet. */
  cursor: BlockRecord | null
  /** Blocks that can be rolled back to, oldest first, the cursor last. */
  window: Link[]
}

export interface Writer {
  /** Checks that the database is of this chain, or makes it so; throws a `StartupError` when it is of another. No start block: the database's, else the preset's. */
  open(chain?: { startBlock?: number | undefined }): Promise<Opened>
  /** Prefetches what final blocks name that a later append brings. The one call that may overlap with others. */
  prefetch(blocks: readonly ChainBlock[]): void
  /** Appends blocks in order. When it resolves, blocks that may be rolled back are visible; final ones may be gathered still, for as long as appends come within a second. */
  append(step: { blocks: readonly ChainBlock[]; head: number; finalized: number }): Promise<void>
  /** Undoes every block after `to`, which must be in the window. */
  rollback(to: BlockRef): Promise<void>
  /** Blocks up to `number` can't be rolled back any more: what undoing them took is dropped. */
  finalise(number: number, head: number): Promise<void>
  /** Resolves when everything that was appended is visible; throws why it is not. */
  settle(): Promise<void>
}

/** Final blocks are gathered until they have so many logs, or the oldest of them is so old. */
const GATHER_LOGS = 16_000
const GATHER_MS = 1_000

interface Deps {
  /** The right to write, from `acquireWriter`; all writes go through its connection. */
  lock: WriterLock
  preset: Preset
  firstBuys: FirstBuyRules
  reader: ChainReader
  clock?: Clock
}

/** Final blocks that are worked out, and not yet on their way. */
interface Gathered {
  changes: Changes
  logs: number
  sinceMs: number
  /** As of the last of them. */
  block: BlockRecord
  chain: { head: number; finalized: number }
}

/** A batch on its way into the tables. */
interface Flight {
  changes: Changes
  landed: Promise<void>
}

/** What the writer remembers: it may be ahead of the tables, never behind them. */
const newMemory = (reader: ChainReader) => ({
  store: createStore(),
  reader: createCachedReader(reader),
  prefetch: createPrefetch(),
})

/** The one writer of a database. Calls must not overlap; after a failed one the next starts from what is committed. */
export function createWriter({ lock, preset, firstBuys, reader, clock = systemClock }: Deps): Writer {
  const { client, reader: reading } = lock
  const known = toKnown(preset, firstBuys)
  let memory = newMemory(reader)
  let startBlock: number | null = null
  let newest: BlockRecord | null = null
  let gathered: Gathered | null = null
  let flight: Flight | null = null

  const opened = () => {
    if (startBlock === null) throw new Error('the writer must be opened first')
    return { client: reading, known, startBlock, store: memory.store, reader: memory.reader, isTheirs: () => false }
  }

  /** What is still being prefetched goes into the old memory, where nobody finds it. */
  const forget = () => {
    memory = newMemory(reader)
    newest = null
  }

  const readNewest = async (): Promise<BlockRecord> => {
    newest ??= (await readBlocks(reading)).at(-1) ?? emptyBlock()
    return newest
  }

  /** When it fails, memory is forgotten, since it may be ahead of the tables. */
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

  /** Sends off a batch, after the one before has landed. */
  const send = async (batch: Pick<Gathered, 'changes' | 'block' | 'chain'>, isFinal: boolean): Promise<void> => {
    const { changes, block, chain } = batch
    const statements = [...flush(changes, block, !isFinal), ...moveCursor(block, { ...chain, isFinal })]
    await flight?.landed
    flight = { changes, landed: transact(client, statements) }
    // A fault is met by whoever waits for it; until then it must not count as unhandled.
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

  /** Works blocks out on top of what was gathered; `changes` takes what they change. */
  const workOut = async (blocks: readonly ChainBlock[], changes: Changes): Promise<BlockRecord> => {
    const unwritten = [flight?.changes, gathered?.changes].filter((some) => some !== undefined)
    const taken = await memory.prefetch.take(opened(), blocks)
    const work = await loadWorkingSet({ ...opened(), unwritten }, taken, await readNewest(), changes)
    await applyBlocks(work, taken.batch)
    memory.reader.forgetBefore(work.block.number)
    newest = work.block
    return work.block
  }

  const gather = async (blocks: readonly ChainBlock[], chain: Gathered['chain']): Promise<void> => {
    // Rows that are not written yet must stay in memory: what is not used goes between two batches only.
    if (!gathered) rotate(memory.store, known)
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
      rotate(memory.store, known)
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
  }
}
