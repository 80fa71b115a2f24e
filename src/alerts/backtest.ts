// Pure. Replays the states of past sweeps against one filter. It finds the tokens that would have begun to match, by
// the rules of an alert created at the begin of the period. Tokens that matched then are excluded.
import { ageHours, type TokenFilter } from '../base/filter.ts'
import { capIn } from '../base/present.ts'
import { createTokenStates } from '../ledger/alerts/changes.ts'
import type { HistoryRow } from '../ledger/alerts/history.ts'
import { createTest, type MatchFacts } from './match.ts'
import { REARM_SECONDS } from './rules.ts'

export interface BacktestMatch {
  tokenId: number
  blockNumber: number
  timeMs: number
  /** 0: not priced. */
  priceUsd: number
  /** Whether a sweep saw it; otherwise it began at some time of the day before. */
  isExact: boolean
}

/** The most matches kept, the newest ones; further ones are counted. */
export const MOST_MATCHES = 2_000

/**
 * The distance of a price within which one selection of units' tokens stays valid. It is small, so that each move of
 * the price checks few tokens.
 */
const NEAR = 0.02
/** Below this bound the rounding of a market cap matters, so the distance is meaningless. */
const LEAST_NEAR_BOUND = 0.01

/** The tokens in a unit that may pass a bound of the market cap while the unit's price is between two prices. */
interface Unit {
  usd: number
  low: number
  high: number
  near: Set<number>
}

export function createBacktest(filter: TokenFilter, fromMs: number) {
  const test = createTest(filter)
  const caps = [filter.minMarketCapUsd, filter.maxMarketCapUsd].filter((bound) => bound !== undefined)
  const canBeNear = caps.every((bound) => bound >= LEAST_NEAR_BOUND)
  const states = createTokenStates()
  const units = new Map<number, Unit>()
  /** By slot: whether the token matches, and when it last ceased to. */
  let [matches, leftMs] = [new Uint8Array(1_024), new Float64Array(1_024)]
  const found: BacktestMatch[] = []
  let total = 0
  let sinceMs: number | null = null
  let exactSinceMs: number | null = null

  const facts: MatchFacts = {
    liquidityUsd: 0,
    marketCapUsd: 0,
    riskScore: 0,
    flagBits: 0,
    contractMarks: 0,
    holderGrowth1hPct: 0,
    ageHours: 0,
  }
  const at = (fact: keyof typeof states.columns, slot: number) => states.columns[fact][slot] as number
  const usdOf = (slot: number): number | null => {
    const unit = at('unit', slot)
    return unit === 0 ? null : (units.get(unit)?.usd ?? 0)
  }
  const isMatch = (slot: number, timeMs: number): boolean => {
    const usd = usdOf(slot)
    facts.liquidityUsd = at('liquidityUsd', slot)
    facts.marketCapUsd = usd === null ? at('marketCap', slot) : capIn(at('marketCap', slot), usd)
    facts.riskScore = at('riskScore', slot)
    facts.flagBits = at('flagBits', slot)
    facts.contractMarks = at('contractMarks', slot)
    facts.holderGrowth1hPct = at('holderGrowth1hPct', slot)
    facts.ageHours = ageHours(at('createdAtMs', slot), timeMs)
    return test(facts)
  }
  const look = (slot: number, row: HistoryRow, isSilent: boolean): void => {
    const now = isMatch(slot, row.timeMs) ? 1 : 0
    if (matches[slot] === now) return
    matches[slot] = now
    if (isSilent) return
    if (now === 0) {
      leftMs[slot] = row.timeMs
      return
    }
    const left = leftMs[slot] as number
    leftMs[slot] = 0
    if (left > row.timeMs - REARM_SECONDS * 1_000) return
    total += 1
    if (found.length >= 2 * MOST_MATCHES) found.splice(0, MOST_MATCHES)
    found.push({
      tokenId: states.ids[slot] as number,
      blockNumber: row.blockNumber,
      timeMs: row.timeMs,
      priceUsd: at('price', slot) * (usdOf(slot) ?? 1),
      isExact: row.kind === 'sweep',
    })
  }
  const isNear = (slot: number, { low, high }: Unit): boolean => {
    const cap = at('marketCap', slot)
    return !canBeNear || caps.some((bound) => bound / cap >= low && bound / cap <= high)
  }
  const addNear = (slot: number): void => {
    const unit = units.get(at('unit', slot))
    if (unit && isNear(slot, unit)) unit.near.add(slot)
  }
  const grow = (): void => {
    if (states.size <= matches.length) return
    const size = 2 * states.size
    const [more, moreLeft] = [new Uint8Array(size), new Float64Array(size)]
    more.set(matches)
    moreLeft.set(leftMs)
    matches = more
    leftMs = moreLeft
  }
  /** Checks the tokens in a unit whose price has changed. */
  const moveUnit = (id: number, usd: number, changed: ReadonlySet<number>, look: (slot: number) => void): void => {
    const known = units.get(id)
    if (known && caps.length === 0) {
      known.usd = usd
      return
    }
    if (known && canBeNear && usd >= known.low && usd <= known.high) {
      known.usd = usd
      for (const slot of known.near) if (!changed.has(slot) && at('unit', slot) === id) look(slot)
      return
    }
    const unit: Unit = { usd, low: usd * (1 - NEAR), high: usd * (1 + NEAR), near: new Set() }
    units.set(id, unit)
    for (let slot = 0; slot < states.size; slot += 1) {
      if (at('unit', slot) !== id) continue
      if (isNear(slot, unit)) unit.near.add(slot)
      if (!changed.has(slot)) look(slot)
    }
  }

  return {
    /** Takes the next row; rows come in order, from the oldest one kept. */
    add(row: HistoryRow): void {
      // The first known state is the start; a base may have several rows.
      const isSilent = row.kind === 'base' || sinceMs === null || row.timeMs < fromMs
      sinceMs ??= row.timeMs
      if (row.kind === 'sweep') exactSinceMs ??= row.timeMs
      const changed = new Set<number>()
      states.apply(row.changes, (slot) => changed.add(slot))
      grow()
      for (const [place, id] of row.unitIds.entries())
        moveUnit(id, row.unitUsd[place] ?? 0, changed, (slot) => look(slot, row, isSilent))
      for (const slot of changed) {
        addNear(slot)
        look(slot, row, isSilent)
      }
    },
    result: () => ({
      total,
      sinceMs,
      exactSinceMs,
      /** The newest, in the order of their blocks; within a block, in the order of their first log. */
      matches: found.slice(-MOST_MATCHES),
    }),
  }
}
