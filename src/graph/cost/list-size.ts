// How long the lists of the schema can be. Each list field has its size as an extension, and a test finds fields without one.
// `lengthOf` returns a length that the list never exceeds, from arguments and variables that nobody has validated yet.
import type { FieldNode, GraphQLField } from 'graphql'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import { readPage } from './page-arguments.ts'
import { readValue, type Values } from './values.ts'

/** The size of a list: a number, the value of the argument `limit` or `points`, of a connection that of `first` or `last`, or, for the items of a page, the limit of the page. */
export interface ListSize {
  items: number | 'limit' | 'points' | 'first' | 'page'
  maximum: number
  /** What an element counts among the items of the query, where that is not one. */
  weight?: number
}

/** Marks a field that lists at most so many items, or as many as its argument `limit` says. On a field that returns a page it means the page's items. */
export const listOf = (items: number | 'limit', maximum = items === 'limit' ? MAX_LIMIT : items) => ({
  listSize: { items, maximum } satisfies ListSize,
})

/** What a point of a series counts: a row that was read with its neighbours, and has no lists of its own. */
const POINT_WEIGHT = 1 / 20

/** Marks a series: as many points as its argument says, each of which costs less than an item. */
export const seriesOf = (items: 'limit' | 'points', maximum: number) => ({
  listSize: { items, maximum, weight: POINT_WEIGHT } satisfies ListSize,
})

/** Marks a connection: as many edges as its argument `first` or `last` says. */
export const CONNECTION = { listSize: { items: 'first', maximum: MAX_LIMIT } satisfies ListSize }

/** Marks the items of a page. Their number comes from the field that returns the page. */
export const PAGE_ITEMS = { listSize: { items: 'page', maximum: MAX_LIMIT } satisfies ListSize }

/** Marks a field that takes as long as a list of so many items, whatever it answers. */
export const asLongAs = (items: number) => ({ work: items })

/** The items that a field counts for its work, besides those of its answer. */
export const readWork = (field: GraphQLField<unknown, unknown>): number =>
  (field.extensions.work as number | undefined) ?? 0

/** Marks an object type that is read together with its parent, so it does not count as an item. */
export const PART = { part: true }

/** The mark of a field; undefined if it is no list. */
export const readListSize = (field: GraphQLField<unknown, unknown>): ListSize | undefined =>
  field.extensions.listSize as ListSize | undefined

/** How many items a list has at most. Throws INVALID_PARAMS for a page or limit below 1, so that the error comes once and not from each of a thousand lists. */
export function lengthOf(field: GraphQLField<unknown, unknown>, node: FieldNode, values: Values): number {
  const size = readListSize(field)
  if (typeof size?.items === 'number') return size.items
  if (size?.items !== 'limit' && size?.items !== 'points' && size?.items !== 'first') return 1
  const read = (name: string): unknown => {
    const argument = node.arguments?.find((given) => given.name.value === name)
    return readValue(argument?.value, values) ?? field.args.find((known) => known.name === name)?.defaultValue
  }
  if (size.items === 'first') {
    const asked = [toNumber(read('first')), toNumber(read('last'))].filter((given) => given !== undefined)
    return Math.max(0, Math.min(asked.length > 0 ? Math.max(...asked) : DEFAULT_LIMIT, size.maximum))
  }
  const [page, limit] = [toNumber(read('page')), toNumber(read(size.items))]
  readPage({ page, limit }, size.items)
  return Math.min(limit ?? size.maximum, size.maximum)
}

/** Undefined for anything that is no number; validation reports it. */
const toNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && !Number.isNaN(value) ? value : undefined
