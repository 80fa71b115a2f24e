// Finds what began to match: after each batch of blocks, every token that changed is matched against all active alerts,
// with its facts at the last sweep and its facts now; only a difference counts. One process sweeps at a time, in one
// transaction on one block, so a kill leaves either the old state or the new one with its mails.

import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import {
  cancelNotices,
  moveNotices,
  readOrphans,
  writeDepartures,
  writeEntries,
  writeMessages,
} from '../ledger/alerts/notice.ts'
import {
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
import { createRoster } from './roster.ts'
import { COOL_DOWN_SECONDS, REARM_SECONDS } from './rules.ts'
import {
  compareTokens,
  FACTS,
  type Found,
  type SweepMemory,
  startAlerts,
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
 * How often alerts are reloaded. Deleted and paused alerts stay in memory until then; they cost time, but nothing is
 * written for them.
 */
const RELOAD_AFTER_MS = 600_000

const NOTHING: SweepResult = { tokens: 0, began: 0, ceased: 0, messages: 0 }

/**
 * `run()` sweeps up to the newest block; null if another process is sweeping. Far behind the head of the chain it only
 * writes due mails.
 */
export function createSweep({ database, clock, maxLag }: { database: Database; clock: Clock; maxLag: number }) {
  let memory: SweepMemory | null = null

  async function sweep(client: SweepClient): Promise<{ result: SweepResult; next: SweepMemory | null }> {
    const state = await readSweepState(client)
    if (!state) return { result: NOTHING, next: memory }
    if (state.sourceHead - state.head.number > maxLag) {
      return {
        result: { ...NOTHING, messages: await writeMessages(client, clock.now(), COOL_DOWN_SECONDS) },
        next: memory,
      }
    }
    const stale =
      !memory || memory.turn !== state.last?.turn || clock.monotonicMs() - memory.loadedAtMs > RELOAD_AFTER_MS
    const known = memory && !stale ? memory : await load(client, state, clock)
    const starting = await readAlerts(client, 'starting')
    const changed = await readChangedTokens(client, state.reorganised ? null : (state.last?.number ?? null))
    if (state.last?.hash === state.head.hash && starting.length === 0 && !differs(changed, known)) {
      return {
        result: { ...NOTHING, messages: await writeMessages(client, clock.now(), COOL_DOWN_SECONDS) },
        next: known,
      }
    }
    const found = compareTokens(known, state, changed)
    await settleOrphans(client, state, found)
    const entries = [...found.entered, ...startAlerts(known, state, starting, found.rows)]
    await writeDepartures(client, state.head, found.left)
    const began = await writeEntries(client, state.head, entries, REARM_SECONDS)
    if (starting.length > 0) await markStarted(client, starting)
    const turn = (state.last?.turn ?? 0) + 1
    await finishSweep(client, state.head, turn, [...found.rows.values()], found.gone, REARM_SECONDS)
    const messages = await writeMessages(client, clock.now(), COOL_DOWN_SECONDS)
    const result = { tokens: changed.length, began, ceased: found.left.length, messages }
    return { result, next: { ...known, turn } }
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
  const alerts = await readAlerts(client, 'in step')
  const rows = await readBaseline(client)
  return {
    turn: state.last?.turn ?? 0,
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
    return !before || FACTS.some((name) => before[name] !== now[name])
  })
}

/**
 * After a reorganisation: cancels matches of lost blocks whose mail was not sent, unless the match holds on the new
 * chain too.
 */
async function settleOrphans(client: SweepClient, state: SweepState, found: Found): Promise<void> {
  if (!state.reorganised) return
  const orphans = await readOrphans(client)
  const ceased = new Set(found.left.map((pair) => `${pair.alertId} ${pair.tokenId}`))
  const isLost = (notice: { alertId: string; tokenId: number }) => ceased.has(`${notice.alertId} ${notice.tokenId}`)
  const lost = orphans.filter(isLost)
  await cancelNotices(
    client,
    lost.map((notice) => notice.id),
  )
  await moveNotices(
    client,
    state.head,
    orphans.filter((notice) => !isLost(notice)).map((notice) => notice.id),
  )
  // A cancelled match may be reported when it comes true again, so no departure is recorded for it.
  const untold = new Set(lost.map((notice) => `${notice.alertId} ${notice.tokenId}`))
  found.left = found.left.filter((pair) => !untold.has(`${pair.alertId} ${pair.tokenId}`))
}
