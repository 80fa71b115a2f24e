// The job that finds what began to match: after each visible batch of blocks the tokens that changed go through every
// active alert, as they were at the last sweep and as they are now; only a difference counts. One process sweeps at a time,
// in one transaction on one block, so a kill at any moment leaves either the old state or the new one with its mails.

import type { Clock } from '../base/clock.ts'
import { ageHours, FILTER_FIELDS, type TokenFilter } from '../base/filter.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import type { Database } from '../ledger/client.ts'
import {
  type AlertRow,
  type BaselineRow,
  type ChangedToken,
  cancelNotices,
  type Entry,
  finishSweep,
  markStarted,
  moveNotices,
  readAlerts,
  readBaseline,
  readChangedTokens,
  readOrphans,
  readSweepState,
  type SweepClient,
  type SweepState,
  type Transition,
  withSweep,
  writeDepartures,
  writeEntries,
  writeMessages,
} from '../ledger/sweep.ts'
import { type MatchFacts, meets, toMatchFacts } from './match.ts'
import { createRoster, type Roster, type RosterAlert } from './roster.ts'

export interface SweepResult {
  tokens: number
  began: number
  ceased: number
  messages: number
}

/** What this process remembers of the last sweep; another turn in the database means that somebody else swept since. */
interface Memory {
  turn: number
  roster: Roster
  baseline: Map<number, BaselineRow>
  loadedAtMs: number
}

/** Deleted and paused alerts leave the memory at the next load; until then they only cost time, since nothing is written for them. */
const RELOAD_AFTER_MS = 600_000

const NOTHING: SweepResult = { tokens: 0, began: 0, ceased: 0, messages: 0 }

/** `run()` sweeps up to the newest block; null when another process is at it. Far behind the source's head only due mails are written. */
export function createSweep({ database, clock, maxLag }: { database: Database; clock: Clock; maxLag: number }) {
  let memory: Memory | null = null

  async function sweep(client: SweepClient): Promise<{ result: SweepResult; next: Memory | null }> {
    const state = await readSweepState(client)
    if (!state) return { result: NOTHING, next: memory }
    if (state.sourceHead - state.head.number > maxLag) {
      return { result: { ...NOTHING, messages: await writeMessages(client, clock.now()) }, next: memory }
    }
    const stale =
      !memory || memory.turn !== state.last?.turn || clock.monotonicMs() - memory.loadedAtMs > RELOAD_AFTER_MS
    const known = memory && !stale ? memory : await load(client, state, clock)
    const starting = await readAlerts(client, 'starting')
    if (state.last?.hash === state.head.hash && starting.length === 0 && !(await touchesHead(client, state, known))) {
      return { result: { ...NOTHING, messages: await writeMessages(client, clock.now()) }, next: known }
    }
    const changed = await readChangedTokens(client, state.reorganised ? null : (state.last?.number ?? null))
    const found = compareTokens(known, state, changed)
    await settleOrphans(client, state, found)
    const entries = [...found.entered, ...startAlerts(known, state, starting, found.rows)]
    await writeDepartures(client, state.head, found.left)
    const began = await writeEntries(client, state.head, entries)
    if (starting.length > 0) await markStarted(client, starting)
    const turn = (state.last?.turn ?? 0) + 1
    await finishSweep(client, state.head, turn, [...found.rows.values()], found.gone)
    const messages = await writeMessages(client, clock.now())
    const result = { tokens: changed.length, began, ceased: found.left.length, messages }
    return { result, next: { ...known, turn } }
  }

  return {
    async run(): Promise<SweepResult | null> {
      // A sweep that fails half-way has changed the memory but not the database: the next one reads anew.
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

async function load(client: SweepClient, state: SweepState, clock: Clock): Promise<Memory> {
  const alerts = await readAlerts(client, 'in step')
  const rows = await readBaseline(client)
  return {
    turn: state.last?.turn ?? 0,
    roster: createRoster(alerts.map(toRosterAlert)),
    baseline: new Map(rows.map((row) => [row.tokenId, row])),
    loadedAtMs: clock.monotonicMs(),
  }
}

const toRosterAlert = ({ id, revision, conditions }: AlertRow): RosterAlert => ({ id, revision, filter: conditions })

/** Whether a token of the block that was swept already has changed since: scores are written after the block itself. */
async function touchesHead(client: SweepClient, state: SweepState, known: Memory): Promise<boolean> {
  const tokens = await readChangedTokens(client, state.head.number)
  return tokens.some((token) => {
    const before = known.baseline.get(token.id)
    const now = toBaseline(token, state.head.timeMs)
    return !before || FACTS.some((name) => before[name] !== now[name])
  })
}

const FACTS = ['liquidityUsd', 'marketCapUsd', 'riskScore', 'flagBits', 'holderGrowthPct', 'createdAtMs'] as const

function toBaseline(token: ChangedToken, nowMs: number): BaselineRow {
  const facts = toMatchFacts({ ...token, nowMs })
  return {
    tokenId: token.id,
    liquidityUsd: facts.liquidityUsd,
    marketCapUsd: facts.marketCapUsd,
    riskScore: facts.riskScore,
    flagBits: facts.flagBits,
    holderGrowthPct: facts.holderGrowthPct,
    createdAtMs: token.createdAtMs,
  }
}

const toFacts = (row: BaselineRow, nowMs: number): MatchFacts => ({
  ...row,
  ageHours: ageHours(row.createdAtMs, nowMs),
})

interface Found {
  entered: Entry[]
  left: Transition[]
  rows: Map<number, BaselineRow>
  gone: number[]
}

/** Runs each changed token through the roster, before and now, and brings the remembered baseline up to the block. */
function compareTokens(known: Memory, state: SweepState, changed: readonly ChangedToken[]): Found {
  const found: Found = { entered: [], left: [], rows: new Map(), gone: [] }
  const beforeMs = state.last?.timeMs ?? 0
  const nowMs = state.head.timeMs
  for (const token of changed) {
    const previous = known.baseline.get(token.id)
    const row = toBaseline(token, nowMs)
    const before = previous && state.last ? toFacts(previous, beforeMs) : null
    const now = toFacts(row, nowMs)
    known.roster.compare(
      before,
      now,
      (alert) => found.entered.push(toEntry(alert, row, nowMs, false, before)),
      (alert) => found.left.push(toPair(alert, token.id)),
    )
    found.rows.set(token.id, row)
    known.baseline.set(token.id, row)
  }
  if (state.reorganised) {
    for (const [tokenId, row] of known.baseline) {
      if (found.rows.has(tokenId)) continue
      known.roster.compare(
        toFacts(row, beforeMs),
        null,
        () => {},
        (alert) => found.left.push(toPair(alert, tokenId)),
      )
      found.gone.push(tokenId)
      known.baseline.delete(tokenId)
    }
  }
  return found
}

/** New and changed alerts against every token; those that report get a notice for each that matches already. */
function startAlerts(
  known: Memory,
  state: SweepState,
  starting: readonly AlertRow[],
  rows: Map<number, BaselineRow>,
): Entry[] {
  const entries: Entry[] = []
  for (const row of starting) {
    if (row.start !== 'report') continue
    for (const token of known.baseline.values()) {
      if (!meets(row.conditions, toFacts(token, state.head.timeMs))) continue
      entries.push(toEntry(toRosterAlert(row), rows.get(token.tokenId) ?? token, state.head.timeMs, true, null))
    }
  }
  known.roster.add(starting.map(toRosterAlert))
  return entries
}

/** After a reorganisation: matches of lost blocks whose mail has not left are taken back, unless they hold on the new chain too. */
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
  // What was never told may be told when it comes true: no departure for it.
  const untold = new Set(lost.map((notice) => `${notice.alertId} ${notice.tokenId}`))
  found.left = found.left.filter((pair) => !untold.has(`${pair.alertId} ${pair.tokenId}`))
}

const toPair = (alert: RosterAlert, tokenId: number): Transition => ({
  alertId: alert.id,
  revision: alert.revision,
  tokenId,
})

function toEntry(
  alert: RosterAlert,
  row: BaselineRow,
  nowMs: number,
  initial: boolean,
  before: MatchFacts | null,
): Entry {
  return {
    ...toPair(alert, row.tokenId),
    initial,
    facts: {
      liquidityUsd: row.liquidityUsd,
      marketCapUsd: row.marketCapUsd,
      riskScore: row.riskScore,
      riskFlags: RISK_FLAGS.filter((_, bit) => row.flagBits & (1 << bit)),
      holderGrowth1hPct: row.holderGrowthPct,
      ageHours: ageHours(row.createdAtMs, nowMs),
      began: before ? newlyMet(alert.filter, before, toFacts(row, nowMs)) : [],
    },
  }
}

/** The conditions, by their names in the contract, that the token did not meet before and meets now. */
function newlyMet(filter: TokenFilter, before: MatchFacts, now: MatchFacts): string[] {
  return (Object.keys(filter) as (keyof TokenFilter)[])
    .filter((field) => !meets({ [field]: filter[field] }, before) && meets({ [field]: filter[field] }, now))
    .map((field) => FILTER_FIELDS[field].wire)
}
