// Pure. Compares tokens before and now. Returns the pairs of alert and token that began to match, each with the facts
// at that time. Returns the pairs that ceased to match, too. Updates the remembered baseline to the current block.

import { keysOf } from '../base/keys-of.ts'
import { movedUnits, presentCap } from '../base/present.ts'
import { RISK_FLAGS, toFlagBits } from '../base/vocabulary.ts'
import { unpackMarks } from '../fields/contract-marks.ts'
import { toSnake } from '../fields/field.ts'
import { isMomentary, type TokenFilter } from '../fields/filter.ts'
import { ageHours, holderGrowthPct } from '../fields/formulas.ts'
import { alertNumbersOf, CONDITIONS, isOfTold } from '../fields/token.ts'
import type { Entry, Transition } from '../ledger/alerts/notice.ts'
import type { AlertRow, BaselineRow, ChangedToken, SweepState, SweptBlock } from '../ledger/alerts/sweep.ts'
import type { WalletTrade } from '../ledger/alerts/trades.ts'
import { type MatchFacts, meets } from './match.ts'
import type { Roster, RosterAlert } from './roster.ts'
import { hasSize, pickTrades, toTradeFacts } from './traded.ts'

/** This process's memory of the last sweep. If `turn` differs from the database, another process has swept since. */
export interface SweepMemory {
  turn: number
  /** The number of the newest reorganisation that it knows. */
  generation: number
  roster: Roster
  baseline: Map<number, BaselineRow>
  loadedAtMs: number
}

export const toRosterAlert = ({ id, revision, conditions }: AlertRow): RosterAlert => ({
  id,
  revision,
  filter: conditions,
})

/** The facts of a token, without those that depend on the block. */
export const toBaseline = (token: ChangedToken): BaselineRow => ({
  tokenId: token.id,
  address: token.address,
  liquidityUsd: token.liquidityUsd,
  marketCap: token.marketCap,
  unit: token.unit,
  riskScore: token.riskScore,
  flagBits: toFlagBits(token.riskFlags),
  contractMarks: token.contractMarks,
  holderGrowth1hPct: holderGrowthPct(token.fundedHolderCount, token.fundedHolderCount1hAgo),
  createdAtMs: token.createdAtMs,
  ...alertNumbersOf(token),
})

/** The parts of a block on which a token's facts depend. */
type Moment = Pick<SweptBlock, 'timeMs' | 'usd'>

const toFacts = (row: BaselineRow, { timeMs, usd }: Moment): MatchFacts => ({
  ...row,
  marketCapUsd: presentCap(row, usd),
  ageHours: ageHours(row.createdAtMs, timeMs),
})

/** The result of a comparison. */
export interface Found {
  entered: Entry[]
  /** The pairs of `entered` that match in this sweep alone: they cease to match with it. */
  moments: Transition[]
  left: Transition[]
  rows: Map<number, BaselineRow>
  gone: number[]
}

export const foundNothing = (): Found => ({ entered: [], moments: [], left: [], rows: new Map(), gone: [] })

const NEVER: Moment = { timeMs: 0, usd: new Map() }

interface Compared {
  row: BaselineRow
  before: MatchFacts | null
  trades?: readonly WalletTrade[] | undefined
}

/** Matches the current token, and its former state if known, against all alerts. */
function compareToken(
  { roster }: SweepMemory,
  { head }: SweepState,
  { row, before, trades = [] }: Compared,
  found: Found,
): void {
  roster.compare(
    before,
    { ...toFacts(row, head), ...(trades.length > 0 && toTradeFacts(trades)) },
    (alert) => {
      if (!hasSize(alert.filter, trades)) return
      found.entered.push(toEntry(alert, { row, moment: head, trades }, before))
      if (isMomentary(alert.filter)) found.moments.push(toPair(alert, row.tokenId))
    },
    (alert) => found.left.push(toPair(alert, row.tokenId)),
  )
}

/** Matches each changed token, before and now, and updates the remembered baseline; adds to `found`. */
export function compareTokens(
  known: SweepMemory,
  state: SweepState,
  { changed, trades }: { changed: readonly ChangedToken[]; trades: ReadonlyMap<number, readonly WalletTrade[]> },
  found: Found,
): void {
  for (const token of changed) {
    const previous = known.baseline.get(token.id)
    const row = toBaseline(token)
    const before = previous && state.last ? toFacts(previous, state.last) : null
    compareToken(known, state, { row, before, trades: trades.get(token.id) }, found)
    found.rows.set(token.id, row)
    known.baseline.set(token.id, row)
  }
}

/** Matches unchanged tokens after the changed ones: those whose unit's price moved, and deleted ones. */
export function compareOthers(known: SweepMemory, state: SweepState, found: Found): void {
  const last = state.last ?? NEVER
  const moved = movedUnits(last.usd, state.head.usd)
  if (state.last && moved.size > 0 && !state.reorganised) {
    for (const row of known.baseline.values()) {
      // A unit's price moved, and with it the market cap of every token in that unit; few of them pass a bound.
      if (row.unit === 0 || !moved.has(row.unit) || found.rows.has(row.tokenId)) continue
      if (!known.roster.isCapBetween(presentCap(row, last.usd), presentCap(row, state.head.usd))) continue
      compareToken(known, state, { row, before: toFacts(row, last) }, found)
    }
  }
  if (state.reorganised) {
    for (const [tokenId, row] of known.baseline) {
      if (found.rows.has(tokenId)) continue
      known.roster.compare(
        toFacts(row, last),
        null,
        () => {},
        (alert) => found.left.push(toPair(alert, tokenId)),
      )
      found.gone.push(tokenId)
      known.baseline.delete(tokenId)
    }
  }
}

/**
 * Matches a new or changed alert against every token. One that starts with `report` gets an entry for each token that already
 * matches, the `most` most liquid of them.
 */
export function startAlert(known: SweepMemory, { head }: SweepState, alert: AlertRow, most: number): Entry[] {
  if (alert.start !== 'report') return []
  const matching = [...known.baseline.values()].filter((token) => meets(alert.conditions, toFacts(token, head)))
  if (matching.length > most) {
    matching.sort((a, b) => b.liquidityUsd - a.liquidityUsd || a.tokenId - b.tokenId)
    matching.length = most
  }
  return matching.map((token) => toEntry(toRosterAlert(alert), { row: token, moment: head, initial: true }, null))
}

const toPair = (alert: RosterAlert, tokenId: number): Transition => ({
  alertId: alert.id,
  revision: alert.revision,
  tokenId,
})

interface Matched {
  row: BaselineRow
  moment: Moment
  initial?: boolean
  trades?: readonly WalletTrade[]
}

export function toEntry(
  alert: RosterAlert,
  { row, moment, initial = false, trades = [] }: Matched,
  before: MatchFacts | null,
): Entry {
  const facts = { ...toFacts(row, moment), ...toTradeFacts(trades) }
  const told = pickTrades(alert.filter, trades)
  const { sellable, sellTaxPct, powers } = unpackMarks(row.contractMarks)
  return {
    ...toPair(alert, row.tokenId),
    initial,
    facts: {
      liquidityUsd: row.liquidityUsd,
      marketCapUsd: facts.marketCapUsd,
      riskScore: row.riskScore,
      riskFlags: RISK_FLAGS.filter((_, bit) => row.flagBits & (1 << bit)),
      holderGrowth1hPct: row.holderGrowth1hPct,
      ...alertNumbersOf(row),
      ageHours: facts.ageHours,
      sellable,
      sellTaxPct,
      powers,
      ...(told.length > 0 && { trades: told }),
      began: before || told.length > 0 ? newlyMet(alert.filter, before ?? facts, facts) : [],
    },
  }
}

/** The conditions, by their contract names, that the token meets now and did not meet before. A trade is always new. */
function newlyMet(filter: TokenFilter, before: MatchFacts, now: MatchFacts): string[] {
  return keysOf(filter)
    .filter((field) => {
      if (isOfTold(CONDITIONS[field])) return false
      const alone: TokenFilter = { [field]: filter[field] }
      return (isMomentary(alone) || !meets(alone, before)) && meets(alone, now)
    })
    .map(toSnake)
}
