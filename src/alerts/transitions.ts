// Pure. Compares tokens before and now: returns the pairs of alert and token that began to match, each with the facts
// at that time, and the pairs that ceased to. Updates the remembered baseline to the current block.
import { ageHours, FILTER_FIELDS, type TokenFilter } from '../base/filter.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import type { Entry, Transition } from '../ledger/alerts/notice.ts'
import type { AlertRow, BaselineRow, ChangedToken, SweepState } from '../ledger/alerts/sweep.ts'
import { type MatchFacts, meets, toMatchFacts } from './match.ts'
import type { Roster, RosterAlert } from './roster.ts'

/**
 * What this process remembers of the last sweep. If `turn` differs from the database, another process has swept since.
 */
export interface SweepMemory {
  turn: number
  roster: Roster
  baseline: Map<number, BaselineRow>
  loadedAtMs: number
}

export const toRosterAlert = ({ id, revision, conditions }: AlertRow): RosterAlert => ({
  id,
  revision,
  filter: conditions,
})

/** The facts of a token that filters read. */
export const FACTS = [
  'liquidityUsd',
  'marketCapUsd',
  'riskScore',
  'flagBits',
  'holderGrowthPct',
  'createdAtMs',
] as const

/** The facts of a token at a given time. */
export function toBaseline(token: ChangedToken, nowMs: number): BaselineRow {
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

/** The result of a comparison. */
export interface Found {
  entered: Entry[]
  left: Transition[]
  rows: Map<number, BaselineRow>
  gone: number[]
}

/** Matches each changed token, before and now, and updates the remembered baseline. */
export function compareTokens(known: SweepMemory, state: SweepState, changed: readonly ChangedToken[]): Found {
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

/**
 * Matches new and changed alerts against every token. Alerts that start with `report` get an entry for each token that
 * already matches.
 */
export function startAlerts(
  known: SweepMemory,
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

/** The conditions, by their contract names, that the token meets now and did not meet before. */
function newlyMet(filter: TokenFilter, before: MatchFacts, now: MatchFacts): string[] {
  return (Object.keys(filter) as (keyof TokenFilter)[])
    .filter((field) => !meets({ [field]: filter[field] }, before) && meets({ [field]: filter[field] }, now))
    .map((field) => FILTER_FIELDS[field].wire)
}
