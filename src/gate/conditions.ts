// A policy's conditions on the token: which of them do not hold, and which nobody can tell. Pure.
import { POWER_KINDS } from '../base/vocabulary.ts'
import { toSnake } from '../fields/field.ts'
import { ALERT_ROWS, type TokenFilter } from '../fields/filter.ts'
import { type ReadFact, toTest } from '../fields/to-test.ts'

/** A condition that does not hold. */
export interface Unmet {
  /** Its name, which a rule may name. */
  name: string
  text: string
  /** Whether the fact that it asks for is not known. */
  isUnknown: boolean
}

type Row = (typeof ALERT_ROWS)[number][1]

/** One of these filters holds where the fact of a condition is known. Empty: it always is. */
function probesOf(name: keyof TokenFilter, row: Row): TokenFilter[] {
  if (row.is === 'least') return [{ [name]: Number.NEGATIVE_INFINITY }]
  if (row.is === 'most') return [{ [name]: Number.POSITIVE_INFINITY }]
  if (row.is === 'yes') return [{ [name]: true }, { [name]: false }]
  if ('of' in row && row.of === 'powers')
    return [{ excludePowers: [...POWER_KINDS] }, { includePowers: [...POWER_KINDS] }]
  return []
}

const tell = (name: string, wanted: unknown): string =>
  `The policy asks for ${name} ${Array.isArray(wanted) ? wanted.join(', ') : String(wanted)}`

/** Judges tokens by each condition of a filter alone. */
export function createJudge<Facts>(filter: TokenFilter, read: ReadFact<Facts>): (facts: Facts) => Unmet[] {
  const conditions = ALERT_ROWS.flatMap(([key, row]) => {
    const wanted = filter[key]
    if (wanted === undefined) return []
    const name = toSnake(key)
    const probes = probesOf(key, row).map((probe) => toTest(probe, read))
    return [{ name, text: tell(name, wanted), holds: toTest({ [key]: wanted }, read), probes }]
  })
  return (facts) =>
    conditions
      .filter(({ holds }) => !holds(facts))
      .map(({ name, text, probes }) => ({
        name,
        text,
        isUnknown: probes.length > 0 && !probes.some((probe) => probe(facts)),
      }))
}
