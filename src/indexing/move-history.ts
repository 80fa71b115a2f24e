// Moves events of final blocks into the history, in the background and in small steps. Each step can be interrupted: a
// segment is written, compared, recorded, and only then its events are deleted from the database.
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Database, pg } from '../database/client.ts'
import type { HistoryStore, HistoryWriter, Segment } from '../history/history.ts'
import { chooseMerge } from '../history/merges.ts'
import { notifyHead } from '../ledger/head.ts'
import { FEED_REACH } from '../ledger/read/event-feed.ts'
import {
  claimHistory,
  findDueRange,
  forgetMoved,
  forgetReplaced,
  lockHistory,
  type MoveRules,
  readCountedSegments,
  readLines,
  readReplaced,
  readSegmentNames,
  recordMerge,
  recordSegment,
} from '../ledger/write/history.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage } from '../telemetry/outage.ts'
import { MOST_BLOCKS } from './coverage.ts'

/** The pause after a step, so that the database is free for others most of the time. */
const REST_MS = 200
/** The most events in one deletion: some tens of milliseconds. */
const FORGET_STEP = 10_000
/** Segments that are written before events are deleted again. */
const SEGMENTS_A_LOOK = 8
/** Segments that no row names stay for answers that began before, and for a server that lags behind the leader. */
const STAY_SECONDS = 3_600

export const MOVE_DEFAULTS = {
  reach: FEED_REACH,
  blocks: MOST_BLOCKS,
  least: 50_000,
  most: 250_000,
  lookMs: 30_000,
}

export interface MoveDeps {
  database: Pick<Database, 'pool'>
  store: HistoryStore
  rules: MoveRules
  /** The interval of checks. Moved events stay this long for answers that began before: no request takes so long. */
  lookMs: number
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

/** Works until the signal is aborted. Never rejects. */
export async function moveHistory(deps: MoveDeps, signal: AbortSignal): Promise<void> {
  const { database, store, lookMs, clock, log } = deps
  const outage = createOutage(
    (error) =>
      log.warn(
        { reason: store.reasonOf(error) },
        `events could not be moved to ${store.setting}: they stay in the database; trying again`,
      ),
    () => log.info({}, `events move to ${store.setting} again`),
  )
  while (!signal.aborted) {
    try {
      await withLock(database.pool, (client) => work(deps, client, outage.pass, signal))
    } catch (error) {
      outage.fail(error)
    }
    await clock.sleep(lookMs, signal)
  }
}

/** Runs the work on a connection with the lock; does nothing if another process has it. */
async function withLock(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  client.on('error', () => {})
  try {
    if (await lockHistory(client)) await work(client)
  } finally {
    // The connection ends, and the lock with it.
    client.release(true)
  }
}

async function work(deps: MoveDeps, client: pg.PoolClient, pass: () => void, signal: AbortSignal): Promise<void> {
  const { store, lookMs, clock } = deps
  const writer = store.openWriter()
  try {
    if (!(await prepareHistory(client, writer, store.setting, clock.now()))) return
    while (!signal.aborted) {
      await forgetAll(client, clock, signal)
      for (let count = 0; count < SEGMENTS_A_LOOK && !signal.aborted; count += 1)
        if (!(await moveSegment(deps, client, writer))) break
      while (!signal.aborted && (await mergeSegments(deps, client, writer)));
      await removeReplaced(client, writer)
      await sweep(client, writer, clock.now())
      pass()
      await clock.sleep(lookMs, signal)
    }
  } finally {
    await writer.close()
  }
}

/** Checks or begins the history, and removes what a killed writer left. False: there is no chain yet. */
export async function prepareHistory(
  client: pg.ClientBase,
  writer: HistoryWriter,
  setting: string,
  now: Date,
): Promise<boolean> {
  const id = await claimHistory(client)
  if (id === null) return false
  const names = await readSegmentNames(client)
  const found = await writer.readMarker()
  if (found === null && names.size > 0)
    throw new StartupError(`${setting} has no history, but the database has moved events to one.`)
  if (found === null) await writer.makeMarker(id)
  else if (found !== id) throw new StartupError(`${setting} has the history of another index.`)
  for (const { name } of await readCountedSegments(client)) await writer.requireSegment(name)
  await sweep(client, writer, now)
  return true
}

const sweep = async (client: pg.ClientBase, writer: HistoryWriter, now: Date): Promise<void> =>
  writer.sweep(await readSegmentNames(client), new Date(now.getTime() - STAY_SECONDS * 1_000))

async function forgetAll(client: pg.ClientBase, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await forgetMoved(client, FORGET_STEP)) > 0) await clock.sleep(REST_MS, signal)
}

/** Moves the next segment; false: none is due. */
export async function moveSegment(
  { database, store, rules, log }: Pick<MoveDeps, 'database' | 'store' | 'rules' | 'log'>,
  client: pg.ClientBase,
  writer: HistoryWriter,
): Promise<boolean> {
  const range = await findDueRange(client, rules)
  if (!range) return false
  const placed = await writer.write(range, () => readLines(client, range))
  await recordSegment(client, { ...range, ...placed })
  await notifyHead(database.pool)
  log.info(
    { events: range.lastN - range.firstN + 1, block: range.lastBlock, bytes: placed.bytes },
    `events moved to ${store.setting}`,
  )
  return true
}

/** The newest outdated segment, or neighbours to merge, oldest first; empty: none. */
async function chooseSegments(
  segments: readonly Segment[],
  writer: Pick<HistoryWriter, 'isOutdated'>,
  most: number,
): Promise<Segment[]> {
  for (const segment of segments.toReversed()) if (await writer.isOutdated(segment.name)) return [segment]
  return chooseMerge(segments, most)
}

/** Merges some segments, or brings one up to date; false: there is nothing to do. */
export async function mergeSegments(
  { store, rules, log }: Pick<MoveDeps, 'store' | 'rules' | 'log'>,
  client: pg.ClientBase,
  writer: HistoryWriter,
): Promise<boolean> {
  const chosen = await chooseSegments(await readCountedSegments(client), writer, rules.most)
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return false
  const { firstN, firstBlock, firstTime } = first
  const { lastN, lastBlock, lastTime } = last
  const placed = await writer.merge(chosen)
  await recordMerge(
    client,
    { firstN, firstBlock, firstTime, lastN, lastBlock, lastTime, ...placed },
    chosen.map(({ name }) => name),
  )
  log.info({ segments: chosen.length, bytes: placed.bytes }, `segments of ${store.setting} were merged`)
  return true
}

/** The record goes last, so that a killed process goes on here. */
async function removeReplaced(client: pg.ClientBase, writer: HistoryWriter): Promise<void> {
  for (const name of await readReplaced(client, STAY_SECONDS)) {
    await writer.remove(name)
    await forgetReplaced(client, name)
  }
}
