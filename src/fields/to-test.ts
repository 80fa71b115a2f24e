// Compiles a filter into a test of one token. Whoever has tokens in another form gives a reader of its facts: the board
// by row, streams and alerts by object. Pure.
import { CONFIDENCES, toFlagBits } from '../base/vocabulary.ts'
import { type BitRule, toMarksRule } from './contract-marks.ts'
import type { TokenConditions } from './filter.ts'
import { foldCase, type TokenScreen, toAddressPrefix } from './screen.ts'
import { type BoundMeasure, CONDITION_ROWS, isBound, NAMING_CONDITIONS } from './token.ts'

/** The facts of a token that a filter reads, at one block. A number is NaN if it is unknown, and passes no bound. */
export interface FilterFacts extends Record<BoundMeasure, number> {
  /** The risk flags, in the order of the vocabulary. */
  flagBits: number
  /** The newest contract check, in the form of `contract-marks.ts`. */
  contractMarks: number
  /** Its place in `CONFIDENCES`. */
  confidence: number
  launchpad: string
  address: string
  symbol: string
  name: string
  /** The wallets that bought or sold it in the blocks since the facts before; only sweeps of alerts know them. */
  buyers?: readonly string[]
  sellers?: readonly string[]
  traders?: readonly string[]
}

/** Returns the reader of a fact of a token in the form `Row`. */
export type ReadFact<Row> = <Fact extends keyof FilterFacts>(fact: Fact) => (row: Row) => FilterFacts[Fact]

/** Both bounds are inclusive. */
export interface LowHigh {
  low: number
  high: number
}

/** The bounds of a filter by measure. */
export function boundsOf(filter: TokenConditions): Map<BoundMeasure, LowHigh> {
  const bounds = new Map<BoundMeasure, LowHigh>()
  for (const [name, row] of CONDITION_ROWS) {
    const bound = filter[name]
    if (typeof bound !== 'number' || !isBound(row)) continue
    const measure = row.field as BoundMeasure
    const { low, high } = bounds.get(measure) ?? { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
    bounds.set(measure, row.is === 'least' ? { low: bound, high } : { low, high: bound })
  }
  return bounds
}

/** The rules on the flags of a token and on its contract; null: none. */
export const bitRulesOf = (filter: TokenConditions): { flagBits: BitRule | null; contractMarks: BitRule | null } => {
  const { excludeFlags = [], includeFlags } = filter
  const flags = { all: 0, none: toFlagBits(excludeFlags), any: includeFlags ? toFlagBits(includeFlags) : null }
  return {
    flagBits: flags.none === 0 && flags.any === null ? null : flags,
    contractMarks: toMarksRule(filter),
  }
}

/** Whether a number passes a rule on its bits. */
export const allowsBits = ({ all, none, any }: BitRule, bits: number): boolean =>
  (bits & all) === all && (bits & none) === 0 && (any === null || (bits & any) !== 0)

/** Returns whether a list with this filter has the token. All bounds are inclusive. */
export function toTest<Row>(filter: TokenScreen, read: ReadFact<Row>): (row: Row) => boolean {
  const tests: ((row: Row) => boolean)[] = []
  for (const [measure, { low, high }] of boundsOf(filter)) {
    const of = read(measure)
    tests.push((row) => {
      const value = of(row)
      return value >= low && value <= high
    })
  }
  for (const [fact, rule] of Object.entries(bitRulesOf(filter)))
    if (rule) {
      const of = read(fact as 'flagBits' | 'contractMarks')
      tests.push((row) => allowsBits(rule, of(row)))
    }
  for (const [name, fact] of NAMING_CONDITIONS) {
    const named = filter[name]
    if (named) tests.push(isAmong(read(fact), named))
  }
  const { minConfidence, addresses, search, and = [], or, not } = filter
  if (addresses) tests.push(isAmong(read('address'), addresses))
  if (minConfidence) {
    const [of, least] = [read('confidence'), CONFIDENCES.indexOf(minConfidence)]
    tests.push((row) => of(row) >= least)
  }
  if (search !== undefined) tests.push(isFound(search, read))
  for (const part of and) tests.push(toTest(part, read))
  if (or) tests.push(anyOf(or.map((part) => toTest(part, read))))
  if (not) {
    const test = toTest(not, read)
    tests.push((row) => !test(row))
  }
  return allOf(tests)
}

const allOf =
  <Row>(tests: readonly ((row: Row) => boolean)[]) =>
  (row: Row): boolean => {
    for (const test of tests) if (!test(row)) return false
    return true
  }

const anyOf =
  <Row>(tests: readonly ((row: Row) => boolean)[]) =>
  (row: Row): boolean =>
    tests.some((test) => test(row))

/** The values of a fact that conditions name: one, several, or none. */
export const namedValuesOf = (fact: string | readonly string[] | undefined): readonly string[] =>
  typeof fact === 'string' ? [fact] : (fact ?? [])

const isAmong =
  <Row>(of: (row: Row) => string | readonly string[] | undefined, named: readonly string[]) =>
  (row: Row): boolean =>
    namedValuesOf(of(row)).some((value) => named.includes(value))

function isFound<Row>(search: string, read: ReadFact<Row>): (row: Row) => boolean {
  const [part, prefix] = [foldCase(search), toAddressPrefix(search)]
  const [symbol, name, address] = [read('symbol'), read('name'), read('address')]
  return (row) =>
    foldCase(symbol(row)).includes(part) ||
    foldCase(name(row)).includes(part) ||
    (prefix !== null && address(row).startsWith(prefix))
}

/** Reads facts that are the properties of an object. */
export const factOf: ReadFact<FilterFacts> = (fact) => (facts) => facts[fact]
