// The filter of events in GraphQL's form, the same for lists, streams and webhooks. One error names all its faults.
import { type Fault, invalid } from '../../base/errors.ts'
import type { EventFilter } from '../../base/event-filter.ts'
import type { builder } from '../schema/builder.ts'
import { ClassificationEnum, EventTypeEnum } from '../schema/vocabulary.ts'

/** The most words or addresses in a field of a filter. */
export const MAX_LISTED = 100

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]['fields']>>[0]

/** The common fields of all filters of events. */
const baseFields = (t: Fields) => ({
  types: t.field({ type: [EventTypeEnum], description: 'Only events of these types.' }),
  tokens: t.field({
    type: ['Address'],
    description: `Only events of these tokens, ${MAX_LISTED} at most; a token that is not indexed has none.`,
  }),
  wallets: t.field({
    type: ['Address'],
    description: `Only events of these wallets, including transfers to them, ${MAX_LISTED} at most; a wallet that is not indexed has none.`,
  }),
  minAmountUsd: t.float({ description: 'Only events of at least this value in USD, such as 1000; 0 or more.' }),
})

const classField = (t: Fields, when: string) =>
  t.field({ type: [ClassificationEnum], description: `Only events of wallets that are ${when}.` })

const WHEN_SENT =
  'classified as one of these when the event is sent. A retraction comes whatever the class is then: ignore one for an event that you never received'

/** A bound of time or place. */
const spanFields = (t: Fields) => ({
  from: t.field({ type: 'DateTime', description: 'Only events at this time or later.' }),
  to: t.field({ type: 'DateTime', description: 'Only events at this time or earlier.' }),
  fromBlock: t.int({ description: 'Only events of the block with this number or later ones.' }),
  toBlock: t.int({ description: 'Only events of the block with this number or earlier ones.' }),
})

export const listFilterFields = (t: Fields) => ({
  ...baseFields(t),
  walletClassifications: classField(t, 'now classified as one of these'),
  ...spanFields(t),
})

export const streamFilterFields = (t: Fields) => ({ ...webhookFilterFields(t), ...spanFields(t) })

export const webhookFilterFields = (t: Fields) => ({
  ...baseFields(t),
  walletClassifications: classField(t, WHEN_SENT),
})

export type GivenEventFilter = { [Field in keyof EventFilter]?: EventFilter[Field] | null | undefined }

interface Where {
  argument: string
  /** Whether a list of the filter may be empty. */
  mayBeEmpty: boolean
}

/** Every fault of the filter. */
export function checkEventFilter(given: GivenEventFilter, { argument, mayBeEmpty }: Where): Fault[] {
  const faults: Fault[] = []
  const addFault = (field: keyof EventFilter, message: string) =>
    faults.push({ location: 'argument', field: `${argument}.${field}`, message: `${argument}.${field} ${message}` })
  for (const field of ['types', 'tokens', 'wallets', 'walletClassifications'] as const) {
    const length = given[field]?.length
    if (length === 0 && !mayBeEmpty) addFault(field, 'must name something, or be left out')
    if (length !== undefined && length > MAX_LISTED) addFault(field, `must have ${MAX_LISTED} items at most`)
  }
  if ((given.minAmountUsd ?? 0) < 0) addFault('minAmountUsd', 'must be a number >= 0')
  for (const field of ['fromBlock', 'toBlock'] as const)
    if ((given[field] ?? 0) < 0) addFault(field, 'must be the number of a block, 0 or more')
  if (given.from && given.to && given.from > given.to) addFault('to', `must not be before ${argument}.from`)
  if ((given.fromBlock ?? 0) > (given.toBlock ?? Infinity))
    addFault('toBlock', `must not be below ${argument}.fromBlock`)
  return faults
}

/** Returns the filter without its null fields. Throws INVALID_PARAMS with every fault. */
export function readEventFilter(given: GivenEventFilter, where: Where): EventFilter {
  const faults = checkEventFilter(given, where)
  if (faults.length > 0) throw invalid(faults)
  return toEventFilter(given)
}

/** The filter without its null fields. */
export function toEventFilter(given: GivenEventFilter): EventFilter {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null))
}
