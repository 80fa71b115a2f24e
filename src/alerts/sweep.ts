// Finds new matches. After each batch of blocks, every changed token is matched against all active alerts. The match
// uses its facts at the last sweep and its facts now; only a difference counts. One process sweeps at a time, in one
// transaction on one block. A kill leaves either the old state or the new one with its mails.

import type { Clock } from '../base/clock.ts'
import { isBehind, type MaxLag } from '../base/max-lag.ts'
import type { Database } from '../database/client.ts'
import {
  cancelNotices,
  forgetDepartures,
  moveNotices,
  readOrphans,
  retractSent,
  type Transition,
  writeDepartures,
  writeEntries,
  writeMessages,
} from '../ledger/alerts/notice.ts'
import {
  BASELINE_FACTS,
  type ChangedToken,
  finishSweep,
  markStarted,
  readAlerts,
  readBaseline,
  readChangedTokens,
  readSweepState,
  type SweepClient,
  type SweepState,
  withSweep,
} from '../ledger/alerts/sweep.ts'
import { readFork, readToldTrades, readTrades, type WalletTrade } from '../ledger/alerts/trades.ts'
import { keepHistory } from './history.ts'
import { mirrorSales } from './mirror.ts'
import { createRoster } from './roster.ts'
import { COOL_DOWN, REARM_SECONDS } from './rules.ts'
import {
  compareOthers,
  compareTokens,
  type Found,
  foundNothing,
  type SweepMemory,
  startAlert,
  toBaseline,
  toRosterAlert,
} from './transitions.ts'

export interface SweepResult {
  tokens: number
  began: number
  ceased: number
  messages: number
}

/**
 * The interval of reloading alerts. Deleted and paused alerts stay in memory until then; they cost time, but no message
 * is written for them.
 */
const RELOAD_AFTER_MS = 600_000

/** The most work held in memory at once, and begun by one sweep. */
export interface SweepBounds {
  /** Pairs of alert and token, some 400 bytes each. */
  pairs: number
  /** Alerts that are matched for the first time; further ones wait for the next sweep. */
  starting: number
  /** Tokens that an alert reports because they match it from the start: the most liquid ones. */
  initial: number
}

const BOUNDS: SweepBounds = { pairs: 50_000, starting: 500, initial: 1_000 }

export interface SweepDeps {
  database: Database
  clock: Clock
  maxLag: MaxLag
  bounds?: SweepBounds
}

const NOTHING: SweepResult = { tokens: 0, began: 0, ceased: 0, messages: 0 }

interface Compared {
  known: SweepMemory
  state: SweepState
  changed: Awaited<ReturnType<typeof readChangedTokens>>
  trades: NewTrades
  /** Alerts that no sweep has seen yet. */
  starting: Awaited<ReturnType<typeof readAlerts>>
  bounds: SweepBounds
  now: Date
}

/** Compares every changed token with every alert, and writes what began and ceased to match. */
async function compareAll(client: SweepClient, { known, state, changed, trades, starting, bounds, now }: Compared) {
  const found = foundNothing()
  const written = { began: 0, ceased: 0 }
  const write = async () => {
    await writeDepartures(client, state.head, found.left)
    written.began += await writeEntries(client, state.head, found.entered, REARM_SECONDS)
    await writeDepartures(client, state.head, found.moments, 'first')
    written.ceased += found.left.length
    found.left = []
    found.entered = []
    found.moments = []
  }
  // A reorganisation is settled as a whole.
  const atOnce = state.reorganised ? Infinity : Math.max(1, Math.floor(bounds.pairs / (known.roster.size + 1)))
  for (let at = 0; at < changed.length; at += atOnce) {
    compareTokens(known, state, { changed: changed.slice(at, at + atOnce), trades: trades.byToken }, found)
    if (found.entered.length + found.left.length >= bounds.pairs) await write()
  }
  compareOthers(known, state, found)
  await settleTrades(client, trades, found)
  await settleOrphans(client, state, found, now)
  await write()
  written.began += await mirrorSales(client, known, state, { ...trades, now })
  for (const alert of starting) {
    found.entered.push(...startAlert(known, state, alert, bounds.initial))
    if (found.entered.length >= bounds.pairs) await write()
    // Each new alert is compared with every token.
    await new Promise((next) => setImmediate(next))
  }
  known.roster.add(starting.map(toRosterAlert))
  await write()
  if (starting.length > 0) await markStarted(client, starting)
  return { found, ...written }
}

/**
 * `run()` sweeps up to the newest block; null if another process is sweeping. Far behind the head of the chain it only
 * writes due mails.
 */
export function createSweep({ database, clock, maxLag, bounds = BOUNDS }: SweepDeps) {
  let memory: SweepMemory | null = null

  async function sweep(client: SweepClient): Promise<{ result: SweepResult; next: SweepMemory | null }> {
    const state = await readSweepState(client)
    if (!state) return { result: NOTHING, next: memory }
    if (isBehind(state.lag, maxLag)) {
      return {
        result: { ...NOTHING, messages: await writeMessages(client, clock.now(), COOL_DOWN) },
        next: memory,
      }
    }
    const stale =
      !memory || memory.turn !== state.last?.turn || clock.monotonicMs() - memory.loadedAtMs > RELOAD_AFTER_MS
    const known = memory && !stale ? memory : await load(client, state, clock)
    const starting = await readAlerts(client, 'starting', bounds.starting)
    const changed = await readChangedTokens(client, state.reorganised ? null : (state.last?.number ?? null))
    if (state.last?.hash === state.head.hash && starting.length === 0 && !differs(changed, known)) {
      return {
        result: { ...NOTHING, messages: await writeMessages(client, clock.now(), COOL_DOWN) },
        next: known,
      }
    }
    await keepHistory(client, known.baseline, state, changed)
    const { found, ...written } = await compareAll(client, {
      known,
      state,
      changed,
      trades: await readNewTrades(client, state, known),
      starting,
      bounds,
      now: clock.now(),
    })
    const turn = (state.last?.turn ?? 0) + 1
    const { rows, gone } = found
    const { head } = state
    await finishSweep(client, { head, turn, changed: [...rows.values()], gone, rearmSeconds: REARM_SECONDS })
    const messages = await writeMessages(client, clock.now(), COOL_DOWN)
    const result = { tokens: changed.length, ...written, messages }
    return { result, next: { ...known, turn, generation: state.generation } }
  }

  return {
    async run(): Promise<SweepResult | null> {
      // A failed sweep has changed the memory but not the database, so the next one reloads.
      try {
        const done = await withSweep(database, sweep)
        memory = done ? done.next : null
        return done?.result ?? null
      } catch (error) {
        memory = null
        throw error
      }
    },
  }
}

async function load(client: SweepClient, state: SweepState, clock: Clock): Promise<SweepMemory> {
  const alerts = await readAlerts(client, 'in step', null)
  const rows = await readBaseline(client)
  return {
    turn: state.last?.turn ?? 0,
    generation: state.generation - (state.reorganised ? 1 : 0),
    roster: createRoster(alerts.map(toRosterAlert)),
    baseline: new Map(rows.map((row) => [row.tokenId, row])),
    loadedAtMs: clock.monotonicMs(),
  }
}

/** Whether a token of a block that was already swept has changed since: scores are written after their block. */
function differs(changed: readonly ChangedToken[], known: SweepMemory): boolean {
  return changed.some((token) => {
    const before = known.baseline.get(token.id)
    const now = toBaseline(token)
    return !before || BASELINE_FACTS.some((name) => before[name] !== now[name])
  })
}

/**
 * After a reorganisation, cancels matches of lost blocks whose message was not sent, and marks the sent messages. A
 * match that also holds on the new chain stays.
 */
async function settleOrphans(client: SweepClient, state: SweepState, found: Found, now: Date): Promise<void> {
  if (!state.reorganised) return
  const orphans = (await readOrphans(client, now)).filter(({ exitKey }) => exitKey === '')
  const ceased = new Set(found.left.map((pair) => `${pair.alertId} ${pair.tokenId}`))
  const isLost = (notice: { alertId: string; tokenId: number }) => ceased.has(`${notice.alertId} ${notice.tokenId}`)
  const idsOf = (notices: typeof orphans) => notices.map(({ id }) => id)
  const waiting = orphans.filter(({ isSent }) => !isSent)
  const lost = waiting.filter(isLost)
  await cancelNotices(client, idsOf(lost), now)
  await retractSent(client, idsOf(orphans.filter((notice) => notice.isSent && isLost(notice))), now)
  await moveNotices(client, state.head, idsOf(waiting.filter((notice) => !isLost(notice))))
  await forgetDepartures(client, lost)
  // A cancelled match may be reported when it comes true again, so no departure is recorded for it.
  const untold = new Set(lost.map((notice) => `${notice.alertId} ${notice.tokenId}`))
  found.left = found.left.filter((pair) => !untold.has(`${pair.alertId} ${pair.tokenId}`))
}

/** The trades that no sweep has told yet. */
interface NewTrades {
  byToken: ReadonlyMap<number, readonly WalletTrade[]>
  /** After a reorganisation: the newest block that stayed. Null: there was none. */
  fork: number | null
  /** The newest block whose trades are told; null: there is none. */
  since: number | null
}

/** Reads the trades of the blocks that no sweep has seen: after a reorganisation, those of all blocks after the fork. */
async function readNewTrades(client: SweepClient, state: SweepState, known: SweepMemory): Promise<NewTrades> {
  const { last, reorganised } = state
  const fork = reorganised ? await readFork(client, known.generation) : null
  const since = (reorganised ? fork : last?.number) ?? null
  const isAsked = known.roster.namesWallets && since !== null
  return { byToken: isAsked ? await readTrades(client, since) : new Map(), fork, since }
}

/** After a reorganisation, trades that were told are not told again, and a told one that is gone has ceased to match. */
async function settleTrades(client: SweepClient, { fork }: NewTrades, found: Found): Promise<void> {
  if (fork === null) return
  const keyOf = ({ alertId, tokenId }: Pick<Transition, 'alertId' | 'tokenId'>) => `${alertId} ${tokenId}`
  const told = await readToldTrades(client, fork)
  const known = new Set(told.map(keyOf))
  const traded = new Set(found.moments.map(keyOf))
  found.entered = found.entered.filter((entry) => !(traded.has(keyOf(entry)) && known.has(keyOf(entry))))
  found.moments = found.moments.filter((pair) => !known.has(keyOf(pair)))
  found.left.push(...told.filter((pair) => !traded.has(keyOf(pair))))
}
