// The lengths of the schema's lists. Each list field has its size as an extension, and a test finds fields without one.
// `lengthOf` returns an upper bound from arguments and variables that are not validated yet.
import type { FieldNode, GraphQLField } from 'graphql'
import { invalid } from '../../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import { countFaults } from './page-arguments.ts'
import { readValue, type Values } from './values.ts'

/**
 * The size of a list. It is a number, or the value of the argument `limit` or `points`, or of a connection's `first` or
 * `last`. The nodes of a connection have the length of the connection.
 */
export interface ListSize {
  items: number | 'limit' | 'points' | 'first' | 'page'
  maximum: number
  /** The number of query items that an element counts as, if not one. */
  weight?: number
}

/** Marks a field that lists at most this many items, or as many as its argument `limit` says. */
export const listOf = (items: number | 'limit', maximum = items === 'limit' ? MAX_LIMIT : items) => ({
  listSize: { items, maximum } satisfies ListSize,
})

/** The price of a point of a series: a row that was read with its neighbours and has no lists. */
const POINT_WEIGHT = 1 / 20

/**
 * Marks a series: it has at most this many points, or as many as its argument gives, and each costs less than an item.
 */
export const seriesOf = (
  items: number | 'limit' | 'points',
  maximum = items === 'limit' ? MAX_LIMIT : Number(items),
) => ({
  listSize: { items, maximum, weight: POINT_WEIGHT } satisfies ListSize,
})

/** Marks a connection: its argument `first` or `last` gives the number of edges. */
export const CONNECTION = { listSize: { items: 'first', maximum: MAX_LIMIT } satisfies ListSize }

/** Marks the nodes of a connection, or the items of an object. Their number comes from the field that returns it. */
export const PAGE_ITEMS = { listSize: { items: 'page', maximum: MAX_LIMIT } satisfies ListSize }

/** Marks a field that takes as long as a list of so many items, whatever it answers. */
export const asLongAs = (items: number) => ({ work: items })

/** The items that a field counts for its work, besides those of its answer. */
export const readWork = (field: GraphQLField<unknown, unknown>): number =>
  (field.extensions.work as number | undefined) ?? 0

/** Marks an object type that is read together with its parent, so it does not count as an item. */
export const PART = { part: true }

/** The mark of a field; undefined for a field without a list. */
export const readListSize = (field: GraphQLField<unknown, unknown>): ListSize | undefined =>
  field.extensions.listSize as ListSize | undefined

/**
 * The most items of a list. Throws INVALID_PARAMS for a length below 1, so that the error comes once and not
 * from each of a thousand lists.
 */
export function lengthOf(field: GraphQLField<unknown, unknown>, node: FieldNode, values: Values): number {
  const size = readListSize(field)
  if (typeof size?.items === 'number') return size.items
  if (size?.items !== 'limit' && size?.items !== 'points' && size?.items !== 'first') return 1
  const read = (name: string): unknown => {
    const argument = node.arguments?.find((given) => given.name.value === name)
    return readValue(argument?.value, values) ?? field.args.find((known) => known.name === name)?.defaultValue
  }
  const given = (name: string) => {
    const value = read(name)
    return value === undefined || value === null ? undefined : (toNumber(value) ?? size.maximum)
  }
  const isConnection = size.items === 'first'
  const [first, last] = isConnection ? [given('first'), given('last')] : [given(size.items), undefined]
  const faults = countFaults({ [size.items]: first, ...(isConnection && { last, offset: given('offset') }) })
  if (faults.length > 0) throw invalid(faults)
  const length = Math.max(first ?? 0, last ?? 0) || (isConnection ? DEFAULT_LIMIT : size.maximum)
  return Math.min(length, size.maximum)
}

/** Undefined for anything but a number; validation reports it. */
const toNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && !Number.isNaN(value) ? value : undefined
