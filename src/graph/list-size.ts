// How long the lists of the schema can be: each list field carries its size as an extension, and a test holds that none lacks
// one. In: a field as it is asked for, with variables that nobody has checked yet. Out: a length that the list never exceeds.
import type { FieldNode, GraphQLField } from 'graphql'
import { MAX_LIMIT } from '../base/page.ts'
import { readPage } from './page-arguments.ts'
import { readValue, type Values } from './values.ts'

/** The size of a list: a number, what the argument `limit` or `points` says, or of a page's items what the page was asked for. */
export interface ListSize {
  items: number | 'limit' | 'points' | 'page'
  maximum: number
  /** What an element counts among the items of the query, where that is not one. */
  weight?: number
}

/** Marks a field: it lists at most so many items, or as many as its argument `limit` says. On a page it is about the page's items. */
export const listOf = (items: number | 'limit', maximum = items === 'limit' ? MAX_LIMIT : items) => ({
  listSize: { items, maximum } satisfies ListSize,
})

/** What a point of a series counts: a row that was read with its neighbours, and has no lists of its own. */
export const POINT_WEIGHT = 1 / 20

/** Marks a series: as many points as its argument says, each of which costs less than an item. */
export const seriesOf = (items: 'limit' | 'points', maximum: number) => ({
  listSize: { items, maximum, weight: POINT_WEIGHT } satisfies ListSize,
})

/** Marks the items of a page, which are as many as the field around them was asked for. */
export const PAGE_ITEMS = { listSize: { items: 'page', maximum: MAX_LIMIT } satisfies ListSize }

/** Marks an object type: it comes with the object around it, and is no item of its own. */
export const PART = { part: true }

/** The mark of a field; none on one that lists nothing. */
export const readListSize = (field: GraphQLField<unknown, unknown>): ListSize | undefined =>
  field.extensions.listSize as ListSize | undefined

/** Items of a list at most. Throws INVALID_PARAMS below 1: said once here, and not by each of a thousand lists. */
export function lengthOf(field: GraphQLField<unknown, unknown>, node: FieldNode, values: Values): number {
  const size = readListSize(field)
  if (typeof size?.items === 'number') return size.items
  if (size?.items !== 'limit' && size?.items !== 'points') return 1
  const read = (name: string): unknown => {
    const argument = node.arguments?.find((given) => given.name.value === name)
    return readValue(argument?.value, values) ?? field.args.find((known) => known.name === name)?.defaultValue
  }
  const [page, limit] = [toNumber(read('page')), toNumber(read(size.items))]
  readPage({ page, limit }, size.items)
  return Math.min(limit ?? size.maximum, size.maximum)
}

/** Undefined for what is no number: that is for validation to say. */
const toNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && !Number.isNaN(value) ? value : undefined
