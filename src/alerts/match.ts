// Matches one token against many filters at once. For each bound the alerts are sorted once. The alerts that a value
// satisfies are a prefix of that order; a bit set exists for every 128th part of it. The matching alerts are the
// intersection. The bounds are those of base/screen; a property test compares the result with `passes` in
// base/screen-match.
import { allowsMarks, type MarksRule, sellTaxOf, toMarksRule, withoutTax } from '../base/contract-marks.ts'
import { FILTER_FIELDS, type TokenFilter } from '../base/filter.ts'
import { BOUND_FIELDS, TOKEN_BOUNDS } from '../base/screen.ts'
import { RISK_FLAGS, toFlagBits } from '../base/vocabulary.ts'

/** A token's facts as numbers, with the flags as bits in the order of `RISK_FLAGS`. */
export interface MatchFacts {
  liquidityUsd: number
  marketCapUsd: number
  riskScore: number
  flagBits: number
  contractMarks: number
  holderGrowth1hPct: number
  ageHours: number
}

type AlertBound = Extract<(typeof BOUND_FIELDS)[number], keyof TokenFilter>

const isOfAlerts = (field: string): field is AlertBound => field in FILTER_FIELDS

/**
 * Each bound as "key <= value"; upper bounds are negated. A missing bound is minus infinity, which every value
 * satisfies.
 */
const RANKINGS = BOUND_FIELDS.filter(isOfAlerts).map((field) => {
  const { measure, least } = TOKEN_BOUNDS[field]
  const sign = least ? 1 : -1
  return {
    key: ({ [field]: bound }: TokenFilter): number => (bound === undefined ? -Infinity : sign * bound),
    // A tax that is not known passes no bound.
    value: (facts: MatchFacts): number => {
      const number = measure === 'sellTaxPct' ? sellTaxOf(facts.contractMarks) : facts[measure]
      return number === null ? -Infinity : sign * number
    },
  }
})

interface BitRule {
  forbidden: number
  /** The token needs one of these flags; null: none is required. */
  wanted: number | null
  /** Null: contracts are not asked about. */
  marks: MarksRule | null
}

const toBitRule = (filter: TokenFilter): BitRule => ({
  forbidden: toFlagBits(filter.excludeFlags ?? []),
  wanted: filter.includeFlags ? toFlagBits(filter.includeFlags) : null,
  marks: toMarksRule(filter),
})

type Bits = Pick<MatchFacts, 'flagBits' | 'contractMarks'>

const allows = ({ forbidden, wanted, marks }: BitRule, { flagBits, contractMarks }: Bits): boolean =>
  (forbidden & flagBits) === 0 &&
  (wanted === null || (wanted & flagBits) !== 0) &&
  (marks === null || allowsMarks(marks, contractMarks))

/** Whether a token matches one filter, by the same bounds: for many tokens. */
export function createTest(filter: TokenFilter): (facts: MatchFacts) => boolean {
  const rule = toBitRule(filter)
  const bounds = RANKINGS.map(({ key, value }) => ({ least: key(filter), value })).filter(
    ({ least }) => least > -Infinity,
  )
  return (facts) => allows(rule, facts) && bounds.every(({ least, value }) => least <= value(facts))
}

/** Whether a token matches one filter. */
export const meets = (filter: TokenFilter, facts: MatchFacts): boolean => createTest(filter)(facts)

const FLAG_ROOM = 2 ** RISK_FLAGS.length
/** Sets of alerts by flags and marks that are kept: 12.5 kB each for 100,000 alerts. */
const MOST_KEPT = 512

/** How many prefixes of a ranking are kept. For 100,000 alerts, 128 bit sets take 1.6 MB. */
const CHECKPOINTS = 128

/** Matches one token: fills `into` (one bit per alert, in their order) and returns it. */
export type Matcher = (facts: MatchFacts, into: Uint32Array) => Uint32Array

/** How many 32-bit words a bit set of this many alerts needs. */
export const wordsFor = (alerts: number): number => Math.ceil(alerts / 32)

/** Sorts the filters once: about 250 ms and 10 MB for 100,000. */
export function createMatcher(filters: readonly TokenFilter[]): Matcher {
  const words = wordsFor(filters.length)
  const rankings = RANKINGS.map(({ key, value }) => rank(filters.map(key), words, value)).filter(
    (ranking) => ranking.bounded,
  )
  const rules = filters.map(toBitRule)
  const byBits = new Map<number, Uint32Array>()
  const allowedBy = (facts: Bits): Uint32Array => {
    // 5 flags and 14 marks: few of these numbers occur.
    const key = withoutTax(facts.contractMarks) * FLAG_ROOM + facts.flagBits
    const known = byBits.get(key)
    if (known) return known
    const allowed = allowing(rules, facts, words)
    if (byBits.size >= MOST_KEPT) byBits.clear()
    byBits.set(key, allowed)
    return allowed
  }

  return (facts, into) => {
    into.set(allowedBy(facts))
    for (const ranking of rankings) ranking.intersect(facts, into)
    return into
  }
}

/** The alerts whose rules allow these flags and marks. */
function allowing(rules: readonly BitRule[], facts: Bits, words: number): Uint32Array {
  const bits = new Uint32Array(words)
  rules.forEach((rule, alert) => {
    if (allows(rule, facts)) setBit(bits, alert)
  })
  return bits
}

function rank(keys: number[], words: number, value: (facts: MatchFacts) => number) {
  const order = Uint32Array.from(keys.keys()).sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)
  const sorted = Float64Array.from(order, (alert) => keys[alert] as number)
  const step = Math.max(1, Math.ceil(order.length / CHECKPOINTS))
  const prefixes: Uint32Array[] = []
  const running = new Uint32Array(words)
  order.forEach((alert, place) => {
    if (place % step === 0) prefixes.push(running.slice())
    setBit(running, alert)
  })
  prefixes.push(running)

  return {
    /** False if no alert has this bound, so the ranking decides nothing. */
    bounded: sorted.some((key) => key !== -Infinity),
    intersect(facts: MatchFacts, into: Uint32Array): void {
      const satisfied = upperBound(sorted, value(facts))
      if (satisfied === order.length) return
      // The next stored prefix contains them all and a few more; those are cleared one by one.
      const checkpoint = Math.ceil(satisfied / step)
      const prefix = prefixes[checkpoint] as Uint32Array
      for (let word = 0; word < words; word++) into[word] = (into[word] as number) & (prefix[word] as number)
      const end = Math.min(checkpoint * step, order.length)
      for (let place = satisfied; place < end; place++) clearBit(into, order[place] as number)
    },
  }
}

/** How many of the ascending keys are at most the value. */
function upperBound(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

const setBit = (bits: Uint32Array, place: number): void => {
  bits[place >>> 5] = (bits[place >>> 5] as number) | (1 << (place & 31))
}

const clearBit = (bits: Uint32Array, place: number): void => {
  bits[place >>> 5] = (bits[place >>> 5] as number) & ~(1 << (place & 31))
}

/** Calls `entered` for each alert that is set only in `now`, and `left` for each that is set only in `before`. */
export function forEachDifference(
  before: Uint32Array,
  now: Uint32Array,
  entered: (alert: number) => void,
  left: (alert: number) => void,
): void {
  for (let word = 0; word < now.length; word++) {
    let changed = ((before[word] as number) ^ (now[word] as number)) >>> 0
    while (changed !== 0) {
      const bit = 31 - Math.clz32(changed & -changed)
      changed = (changed & (changed - 1)) >>> 0
      const alert = word * 32 + bit
      if (((now[word] as number) >>> bit) & 1) entered(alert)
      else left(alert)
    }
  }
}
