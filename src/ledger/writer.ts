// What the follower says, made rows: blocks are appended, rolled back, finalised, each in one transaction with the
// cursor, so that a crash at any moment leaves whole blocks. Finalised blocks go many per transaction; a block that may
// be rolled back goes alone, after the rows as they were. While one batch of final blocks is on its way into the tables,
// the next one is worked out in memory: PostgreSQL and this process are busy at the same time.
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError } from '../base/errors.ts'
import type { BlockRef, ChainBlock } from '../chain/event.ts'
import type { Preset } from '../chain/preset.ts'
import type { Link } from '../chain/raw.ts'
import type { ChainReader } from '../chain/reader.ts'
import { applyBlock } from './ingest/apply.ts'
import { announce, claimChain, emptyBlock, forgetBefore, moveCursor, noteSource } from './ingest/cursor.ts'
import { flush } from './ingest/flush.ts'
import { readBlocks } from './ingest/load.ts'
import { prepare, type Sources } from './ingest/prepare.ts'
import type { BlockRow } from './ingest/rows.ts'
import { transact } from './ingest/transact.ts'
import { requeueScores, restoreImages } from './ingest/undo.ts'
import { type Changes, createStore, rotate, toKnown, type Work } from './ingest/work.ts'
import type { WriterLock } from './lock.ts'

/** Where the database stands. */
export interface Opened {
  /** The first block that is, or will be, indexed. */
  startBlock: number
  /** The newest block that is in the database; null: none yet. */
  cursor: BlockRef | null
  /** Blocks that can be rolled back to, oldest first, the cursor last. */
  window: Link[]
}

export interface Writer {
  /** Checks that the database is of this chain, or makes it so; throws a `StartupError` when it is of another. No start block: the database's, else the preset's. */
  open(chain?: { startBlock?: number | undefined }): Promise<Opened>
  /** Appends blocks in order. When it resolves, blocks that may be rolled back are visible; final ones are on their way. */
  append(step: { blocks: readonly ChainBlock[]; head: number; finalized: number }): Promise<void>
  /** Undoes every block after `to`, which must be in the window. */
  rollback(to: BlockRef): Promise<void>
  /** Blocks up to `number` can't be rolled back any more: what undoing them took is dropped. */
  finalise(number: number, head: number): Promise<void>
  /** Resolves when everything that was appended is visible; throws why it is not. */
  settle(): Promise<void>
}

/** Logs of finalised blocks that one transaction takes at most: bounds the memory of a batch. */
const MAX_LOGS = 20_000

interface Deps {
  /** The right to write, from `acquireWriter`; all writes go through its connection. */
  lock: WriterLock
  preset: Preset
  reader: ChainReader
}

/** A batch on its way into the tables. */
interface Flight {
  changes: Changes
  landed: Promise<void>
}

/** Logs that are applied before everything else in this process has its turn: about 5 ms. */
const BREATH_LOGS = 500

/** The one writer of a database. Calls must not overlap; after a failed one the next starts from what is committed. */
export function createWriter({ lock, preset, reader }: Deps): Writer {
  const { client, reader: reading } = lock
  const known = toKnown(preset)
  const store = createStore()
  let sources: Omit<Sources, 'unwritten'> | null = null
  let newest: BlockRow | null = null
  let flight: Flight | null = null

  const opened = (): Omit<Sources, 'unwritten'> => {
    if (!sources) throw new Error('the writer must be opened first')
    return sources
  }

  const readNewest = async (): Promise<BlockRow> => {
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
      newest = null
      store.clear()
      throw error
    }
  }

  const settle = async (): Promise<void> => {
    await flight?.landed
    flight = null
  }

  const appendBatch = async (blocks: readonly ChainBlock[], chain: { head: number; finalized: number }) => {
    const last = blocks.at(-1)
    if (!last) return
    const isFinal = last.number <= chain.finalized
    await guard(async () => {
      rotate(store, known)
      const unwritten = flight?.changes ?? null
      const work = await prepare({ ...opened(), unwritten }, blocks, await readNewest())
      await applyBlocks(work, blocks)
      const statements = [
        ...flush(work.changes, work.block, !isFinal),
        ...moveCursor(work.block, { ...chain, isFinal }),
      ]
      newest = work.block
      await settle()
      flight = { changes: work.changes, landed: transact(client, statements) }
      // A fault is met by whoever waits for it; until then it must not count as unhandled.
      flight.landed.catch(() => {})
      if (!isFinal) await settle()
    })
  }

  return {
    open: async (chain = {}) => {
      const startBlock = await claimChain(client, preset, chain.startBlock)
      sources = { client: reading, reader, known, store, startBlock }
      const blocks = await readBlocks(client)
      newest = blocks.at(-1) ?? emptyBlock()
      const window = blocks.map(({ number, hash, parentHash }) => ({ number, hash, parentHash }) as Link)
      return { startBlock, cursor: window.at(-1) ?? null, window }
    },
    append: async ({ blocks, head, finalized }) => {
      const { number } = await readNewest()
      const next = blocks.filter((block) => block.number > number)
      for (const batch of split(next, finalized)) await appendBatch(batch, { head, finalized })
    },
    rollback: (to) =>
      guard(async () => {
        await settle()
        await inTransaction(client, () => rollback(client, to, opened().startBlock))
        store.clear()
        newest = null
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

async function applyBlocks(work: Work, blocks: readonly ChainBlock[]): Promise<void> {
  let logs = 0
  for (const block of blocks) {
    applyBlock(work, block)
    logs += block.logs.length
    if (logs < BREATH_LOGS) continue
    await setImmediate()
    logs = 0
  }
}

async function inTransaction(client: pg.ClientBase, run: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await run()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Finalised blocks in batches of bounded size, then the others one by one. */
function split(blocks: readonly ChainBlock[], finalized: number): ChainBlock[][] {
  const batches: ChainBlock[][] = []
  let logs = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    const current = batches.at(-1)
    if (current && block.number <= finalized && logs + block.logs.length <= MAX_LOGS) {
      current.push(block)
      logs += block.logs.length
    } else {
      batches.push([block])
      logs = block.number <= finalized ? block.logs.length : Number.POSITIVE_INFINITY
    }
  }
  return batches
}

async function rollback(client: pg.ClientBase, to: BlockRef, startBlock: number): Promise<void> {
  const blocks = await readBlocks(client)
  const target = blocks.find((block) => block.number === to.number)
  const { rows } = await client.query<{ finalized: number }>('SELECT finalized FROM chain')
  const isEmpty = to.number < startBlock && (blocks[0]?.number ?? 0) > (rows[0]?.finalized ?? -1)
  if (target ? target.hash !== to.hash : !isEmpty) {
    throw new StartupError(
      `The chain was reorganised to block ${to.number}, beyond what can be undone (oldest: ${blocks[0]?.number ?? 'none'}): run \`assay reindex\` to index it anew.`,
    )
  }
  const { counts, time } = target ?? emptyBlock()
  await restoreImages(client, to.number)
  await client.query('DELETE FROM event WHERE n > $1', [counts[0]])
  await client.query('DELETE FROM token_block WHERE block_number > $1', [to.number])
  await requeueScores(client, to.number, time)
  await client.query('DELETE FROM undo WHERE block_number > $1', [to.number])
  await client.query('DELETE FROM block WHERE number > $1', [to.number])
  await client.query(announce(to.number))
}
