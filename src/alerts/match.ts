// Matches one token against many filters at once. For each bound the alerts are sorted once. The alerts that a value
// satisfies are a prefix of that order; a bit set exists for every 128th part of it. Alerts that name tokens or wallets
// are found by these. The matching alerts are the intersection. A property test compares the result with `toTest`, the
// filter of every list.
import { itemAt, numberAt, uint32At } from '../base/item-at.ts'
import { pushTo } from '../base/push-to.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import { type BitRule, sellTaxOf, withoutTax } from '../fields/contract-marks.ts'
import { ALERT_ROWS, isOfAlerts, type TokenFilter } from '../fields/filter.ts'
import { allowsBits, bitRulesOf, type FilterFacts, namedValuesOf, type ReadFact, toTest } from '../fields/to-test.ts'
import { type AlertNumbers, type BoundMeasure, isBound, NAMING_CONDITIONS } from '../fields/token.ts'

/** The facts of a token that the conditions of alerts read. */
export interface MatchFacts
  extends AlertNumbers,
    Pick<
      FilterFacts,
      | 'address'
      | 'liquidityUsd'
      | 'marketCapUsd'
      | 'riskScore'
      | 'flagBits'
      | 'contractMarks'
      | 'holderGrowth1hPct'
      | 'ageHours'
      | 'buyers'
      | 'sellers'
      | 'traders'
    > {}

/** Reads a fact for a condition. Conditions of alerts read no other facts. */
export const readMatchFact = ((fact: keyof FilterFacts) =>
  fact === 'sellTaxPct'
    ? ({ contractMarks }: MatchFacts) => sellTaxOf(contractMarks) ?? Number.NaN
    : fact === 'buyers' || fact === 'sellers' || fact === 'traders'
      ? (facts: MatchFacts) => facts[fact]
      : (facts: MatchFacts) => (facts as FilterFacts)[fact] ?? Number.NaN) as ReadFact<MatchFacts>

/** The conditions of alerts that name tokens or wallets, and how their facts are read. */
const NAMINGS = NAMING_CONDITIONS.flatMap(([name, fact]) =>
  isOfAlerts(name) ? [{ name, of: readMatchFact(fact) }] : [],
)

/**
 * Each bound as "key <= value"; upper bounds are negated. A missing bound is minus infinity, which every value
 * satisfies.
 */
const RANKINGS = ALERT_ROWS.filter(([, row]) => isBound(row)).map(([name, { is, field }]) => {
  const sign = is === 'least' ? 1 : -1
  const of = readMatchFact(field as BoundMeasure)
  return {
    key: ({ [name]: bound }: TokenFilter): number => (typeof bound === 'number' ? sign * bound : -Infinity),
    // A number that is not known passes no bound.
    value: (facts: MatchFacts): number => {
      const number = of(facts)
      return Number.isNaN(number) ? -Infinity : sign * number
    },
  }
})

type Bits = Pick<MatchFacts, 'flagBits' | 'contractMarks'>
interface BitRules extends Record<keyof Bits, BitRule | null> {}

const allows = (rules: BitRules, bits: Bits): boolean =>
  (rules.flagBits === null || allowsBits(rules.flagBits, bits.flagBits)) &&
  (rules.contractMarks === null || allowsBits(rules.contractMarks, bits.contractMarks))

/** Whether a token matches one filter. */
export const meets = (filter: TokenFilter, facts: MatchFacts): boolean => toTest(filter, readMatchFact)(facts)

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
  const namings = NAMINGS.flatMap(({ name, of }) =>
    indexNames(
      filters.map((filter) => filter[name]),
      of,
    ),
  )
  const rules = filters.map(bitRulesOf)
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
    for (const naming of namings) naming.intersect(facts, into)
    return into
  }
}

/** The alerts whose rules allow these flags and marks. */
function allowing(rules: readonly BitRules[], facts: Bits, words: number): Uint32Array {
  const bits = new Uint32Array(words)
  rules.forEach((rule, alert) => {
    if (allows(rule, facts)) setBit(bits, alert)
  })
  return bits
}

/** The alerts by the values that they name; empty if none names any. */
function indexNames(
  named: readonly (readonly string[] | undefined)[],
  of: (facts: MatchFacts) => string | readonly string[] | undefined,
) {
  const byValue = new Map<string, number[]>()
  const free = new Uint32Array(wordsFor(named.length))
  for (const [alert, values] of named.entries()) {
    if (!values) setBit(free, alert)
    for (const value of new Set(values)) {
      pushTo(byValue, value, alert)
    }
  }
  if (byValue.size === 0) return []
  const intersect = (facts: MatchFacts, into: Uint32Array): void => {
    const kept = namedValuesOf(of(facts)).flatMap(
      (value) => byValue.get(value)?.filter((alert) => hasBit(into, alert)) ?? [],
    )
    for (let word = 0; word < into.length; word++) into[word] = (into[word] ?? 0) & (free[word] ?? 0)
    for (const alert of kept) setBit(into, alert)
  }
  return [{ intersect }]
}

function rank(keys: number[], words: number, value: (facts: MatchFacts) => number) {
  const order = Uint32Array.from(keys.keys()).sort((a, b) => numberAt(keys, a) - numberAt(keys, b) || a - b)
  const sorted = Float64Array.from(order, (alert) => numberAt(keys, alert))
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
      const prefix = itemAt(prefixes, checkpoint)
      for (let word = 0; word < words; word++) into[word] = (into[word] ?? 0) & (prefix[word] ?? 0)
      const end = Math.min(checkpoint * step, order.length)
      for (let place = satisfied; place < end; place++) clearBit(into, uint32At(order, place))
    },
  }
}

/** How many of the ascending keys are at most the value. */
function upperBound(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? Number.NaN) <= value) low = middle + 1
    else high = middle
  }
  return low
}

const hasBit = (bits: Uint32Array, place: number): boolean => ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0

const setBit = (bits: Uint32Array, place: number): void => {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

const clearBit = (bits: Uint32Array, place: number): void => {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) & ~(1 << (place & 31))
}

/** Calls `entered` for each alert that is set only in `now`, and `left` for each that is set only in `before`. */
export function forEachDifference(
  before: Uint32Array,
  now: Uint32Array,
  entered: (alert: number) => void,
  left: (alert: number) => void,
): void {
  for (let word = 0; word < now.length; word++) {
    let changed = ((before[word] ?? 0) ^ (now[word] ?? 0)) >>> 0
    while (changed !== 0) {
      const bit = 31 - Math.clz32(changed & -changed)
      changed = (changed & (changed - 1)) >>> 0
      const alert = word * 32 + bit
      if (((now[word] ?? 0) >>> bit) & 1) entered(alert)
      else left(alert)
    }
  }
}
