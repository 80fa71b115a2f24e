// Pure. Replays the states of past sweeps against one filter. It finds the tokens that would have begun to match, by
// the rules of an alert created at the begin of the period. Tokens that matched then are excluded.
import { float64At, itemAt, numberAt } from '../base/item-at.ts'
import { capIn } from '../base/present.ts'
import { pushTo } from '../base/push-to.ts'
import { isMomentary, type TokenFilter } from '../fields/filter.ts'
import { ageHours } from '../fields/formulas.ts'
import { toTest } from '../fields/to-test.ts'
import { ALERT_NUMBERS } from '../fields/token.ts'
import { createTokenStates } from '../ledger/alerts/changes.ts'
import type { HistoryRow } from '../ledger/alerts/history.ts'
import type { PastTrade } from '../ledger/alerts/trades.ts'
import { createCrossings } from './crossings.ts'
import { type MatchFacts, readMatchFact } from './match.ts'
import { REARM_SECONDS } from './rules.ts'
import { sumTrades, type TradeFacts, toTradeFacts } from './traded.ts'

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
 * The unrounded caps at which the bounds of a filter are passed. Caps are rounded to micro-dollars, so that is half a
 * micro-dollar away.
 */
const criticalCaps = ({ minMarketCapUsd, maxMarketCapUsd }: TokenFilter): number[] => [
  ...(minMarketCapUsd === undefined ? [] : [(Math.ceil(minMarketCapUsd * 1e6) - 0.5) / 1e6]),
  ...(maxMarketCapUsd === undefined ? [] : [(Math.floor(maxMarketCapUsd * 1e6) + 0.5) / 1e6]),
]

/** Which tokens match, by slot, and when each last ceased to. */
function createMarks() {
  let [matches, leftMs] = [new Uint8Array(1_024), new Float64Array(1_024)]
  return {
    /** Notes whether the token matches; returns whether an alert would fire. `isSilent`: it never does. */
    set(slot: number, isMatch: boolean, timeMs: number, isSilent: boolean): boolean {
      const now = isMatch ? 1 : 0
      if (matches[slot] === now) return false
      matches[slot] = now
      if (isSilent) return false
      if (!isMatch) {
        leftMs[slot] = timeMs
        return false
      }
      const left = float64At(leftMs, slot)
      leftMs[slot] = 0
      return left <= timeMs - REARM_SECONDS * 1_000
    },
    /** Notes a match that ends in the same sweep. Returns whether an alert would fire. */
    pass(slot: number, timeMs: number): boolean {
      if (float64At(leftMs, slot) > timeMs - REARM_SECONDS * 1_000) return false
      leftMs[slot] = timeMs
      return true
    },
    /** Makes room for so many tokens. */
    grow(count: number): void {
      if (count <= matches.length) return
      const [more, moreLeft] = [new Uint8Array(2 * count), new Float64Array(2 * count)]
      more.set(matches)
      moreLeft.set(leftMs)
      matches = more
      leftMs = moreLeft
    },
  }
}

type States = ReturnType<typeof createTokenStates>

/** What the filter names. */
export interface NamedPast {
  /** The addresses of the tokens, by their numbers. */
  addresses: ReadonlyMap<number, string>
  /** The trades of the wallets, oldest first. */
  trades: readonly PastTrade[]
}

const NOTHING_NAMED: NamedPast = { addresses: new Map(), trades: [] }

/** Reads the facts of the token of a slot at a time. The next call changes them. */
export function createSlotFacts(
  states: States,
  addresses: NamedPast['addresses'],
  usdOf: (slot: number) => number | null,
): (slot: number, timeMs: number, traded: TradeFacts) => MatchFacts {
  const at = (fact: keyof States['columns'], slot: number) => float64At(states.columns[fact], slot)
  // One object for all tokens: a match runs for each change of each token.
  const facts: MatchFacts = {
    address: '',
    liquidityUsd: 0,
    marketCapUsd: 0,
    riskScore: 0,
    flagBits: 0,
    contractMarks: 0,
    holderGrowth1hPct: 0,
    ageHours: 0,
  }
  return (slot, timeMs, traded) => {
    const usd = usdOf(slot)
    Object.assign(facts, traded)
    facts.address = addresses.get(numberAt(states.ids, slot)) ?? ''
    facts.liquidityUsd = at('liquidityUsd', slot)
    facts.marketCapUsd = usd === null ? at('marketCap', slot) : capIn(at('marketCap', slot), usd)
    facts.riskScore = at('riskScore', slot)
    facts.flagBits = at('flagBits', slot)
    facts.contractMarks = at('contractMarks', slot)
    facts.holderGrowth1hPct = at('holderGrowth1hPct', slot)
    for (const name of ALERT_NUMBERS) Object.assign(facts, { [name]: at(name, slot) })
    facts.ageHours = ageHours(at('createdAtMs', slot), timeMs)
    return facts
  }
}

/** The trades of a filter's wallets, in the order of the rows. */
function createTradeQueue(filter: TokenFilter, trades: readonly PastTrade[]) {
  const tokens = new Set(trades.map(({ tokenId }) => tokenId))
  const slots = new Map<number, number>()
  let next = 0
  return {
    /** Notes the slot of a token that is traded. */
    note(tokenId: number, slot: number): void {
      if (tokens.has(tokenId)) slots.set(tokenId, slot)
    },
    /** The facts of the trades up to the block that were not taken yet, by slot. */
    take(blockNumber: number): Map<number, TradeFacts> {
      const begin = next
      while (next < trades.length && itemAt(trades, next).block <= blockNumber) next += 1
      const bySlot = new Map<number, PastTrade[]>()
      for (const trade of trades.slice(begin, next)) {
        const slot = slots.get(trade.tokenId)
        if (slot !== undefined) pushTo(bySlot, slot, trade)
      }
      return new Map([...bySlot].map(([slot, some]) => [slot, toTradeFacts(sumTrades(filter, some))]))
    },
  }
}

export const UNTRADED: TradeFacts = { buyers: [], sellers: [], traders: [] }

/** The matches of a backtest: all are counted, and the newest are kept. */
function createFound() {
  const found: BacktestMatch[] = []
  let total = 0
  return {
    add(match: BacktestMatch): void {
      total += 1
      if (found.length >= 2 * MOST_MATCHES) found.splice(0, MOST_MATCHES)
      found.push(match)
    },
    /** In the order of their blocks; within a block, in the order of their first log. */
    result: () => ({ total, matches: found.slice(-MOST_MATCHES) }),
  }
}

/** Adds the tokens in a unit that may pass a bound of the market cap by its new price. */
function moveUnit(
  { crossings, units }: { crossings: readonly ReturnType<typeof createCrossings>[]; units: Map<number, number> },
  id: number,
  usd: number,
  touched: Set<number>,
): void {
  for (const crossing of crossings) crossing.visit(id, units.get(id) ?? 0, usd, (slot) => touched.add(slot))
  units.set(id, usd)
}

export function createBacktest(filter: TokenFilter, fromMs: number, named: NamedPast = NOTHING_NAMED) {
  const crossings = criticalCaps(filter).map(createCrossings)
  const states = createTokenStates()
  /** Dollars by unit. */
  const units = new Map<number, number>()
  const marks = createMarks()
  const queue = createTradeQueue(filter, named.trades)
  const isOfTrades = isMomentary(filter)
  const found = createFound()
  let sinceMs: number | null = null
  let exactSinceMs: number | null = null
  const at = (fact: keyof typeof states.columns, slot: number) => float64At(states.columns[fact], slot)
  const usdOf = (slot: number): number | null => {
    const unit = at('unit', slot)
    return unit === 0 ? null : (units.get(unit) ?? 0)
  }
  const factsOf = createSlotFacts(states, named.addresses, usdOf)
  const test = toTest(filter, readMatchFact)
  const isMatch = (...of: Parameters<typeof factsOf>) => test(factsOf(...of))
  const look = (slot: number, row: HistoryRow, isSilent: boolean): void => {
    if (marks.set(slot, isMatch(slot, row.timeMs, UNTRADED), row.timeMs, isSilent)) find(slot, row)
  }
  const find = (slot: number, row: HistoryRow): void =>
    found.add({
      tokenId: numberAt(states.ids, slot),
      blockNumber: row.blockNumber,
      timeMs: row.timeMs,
      priceUsd: at('price', slot) * (usdOf(slot) ?? 1),
      isExact: row.kind === 'sweep',
    })

  return {
    /** Takes the next row; rows come in order, from the oldest one kept. */
    add(row: HistoryRow): void {
      // The first known state is the start; a base may have several rows.
      const isSilent = row.kind === 'base' || sinceMs === null || row.timeMs < fromMs
      sinceMs ??= row.timeMs
      if (row.kind === 'sweep') exactSinceMs ??= row.timeMs
      const touched = new Set<number>()
      for (const [place, id] of row.unitIds.entries())
        moveUnit({ crossings, units }, id, row.unitUsd[place] ?? 0, touched)
      states.apply(row.changes, (slot) => {
        touched.add(slot)
        queue.note(numberAt(states.ids, slot), slot)
        for (const crossing of crossings) crossing.place(slot, at('unit', slot), at('marketCap', slot))
      })
      marks.grow(states.size)
      if (isOfTrades) {
        const traded = [...queue.take(row.blockNumber)].sort(([a], [b]) => a - b)
        for (const [slot, facts] of traded) {
          if (!isSilent && isMatch(slot, row.timeMs, facts) && marks.pass(slot, row.timeMs)) find(slot, row)
        }
        return
      }
      // Tokens are tested in the order in which they were first seen.
      for (const slot of [...touched].sort((a, b) => a - b)) look(slot, row, isSilent)
    },
    result: () => ({ ...found.result(), sinceMs, exactSinceMs }),
  }
}
