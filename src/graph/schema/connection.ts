// Connections: edges with a cursor each, and their neighbours. Each noun defines the content of its cursor.
import type { ObjectRef } from '@pothos/core'
import { type Fault, invalid } from '../../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../base/page.ts'
import { PAGE_ITEMS, PART } from '../cost/list-size.ts'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

/** An item with its cursor. */
interface Edge<Row> {
  node: Row
  cursor: string
}

/** The neighbours of a connection's edges. */
interface Ends {
  hasNextPage: boolean
  hasPreviousPage: boolean
  startCursor: string | null
  endCursor: string | null
}

/** A slice of a list. `count` is called only for a requested total. */
interface Slice<Row> {
  edges: Edge<Row>[]
  pageInfo: Ends
  count(): Promise<number | null> | number | null
}

/** The slice of these items, which are in the order of the list. */
export function toSlice<Row>(
  items: readonly Row[],
  cursorOf: (row: Row, at: number) => string,
  { hasNextPage, hasPreviousPage }: Pick<Ends, 'hasNextPage' | 'hasPreviousPage'>,
  count: Slice<Row>['count'],
): Slice<Row> {
  const edges = items.map((node, at) => ({ node, cursor: cursorOf(node, at) }))
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null]
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor }, count }
}

/**
 * The slice of a walk's findings, nearest to its start first. `walkedTo`: the cursor of the walk's end, if that is
 * beyond the last item; else null.
 */
export function toWalkedSlice<Row>(
  found: readonly Row[],
  cursorOf: (row: Row) => string,
  {
    place,
    backwards,
    hasMore,
    walkedTo,
  }: Pick<SliceOf<unknown>, 'place' | 'backwards'> & { hasMore: boolean; walkedTo: string | null },
  count: Slice<Row>['count'],
): Slice<Row> {
  const [there, here] = [place !== null, hasMore]
  const ends = backwards ? { hasNextPage: there, hasPreviousPage: here } : { hasNextPage: here, hasPreviousPage: there }
  const slice = toSlice(backwards ? found.toReversed() : found, cursorOf, ends, count)
  if (walkedTo !== null) slice.pageInfo[backwards ? 'startCursor' : 'endCursor'] = walkedTo
  return slice
}

const PageInfo = builder.objectRef<Ends>('PageInfo').implement({
  extensions: PART,
  description: 'The pages before and after the edges of a connection.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether there are items before.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'The cursor for the page before; null if there is none.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'The cursor for the page after; null if there is none.',
    }),
  }),
})

/** Declares the connection of a noun, all but its total. */
export function declareConnection<Row extends Item, Item>(
  name: string,
  item: ObjectRef<Types, Item>,
  words: { one: string; many: string },
) {
  const edge = builder.objectRef<Edge<Row>>(`${name}Edge`).implement({
    extensions: PART,
    description: `${words.one} in a list, with its place.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'The place in the list, for `after` and `before`.' }),
      node: t.expose('node', { type: item, description: `${words.one}.` } as never),
    }),
  })
  return builder.objectRef<Slice<Row>>(`${name}Connection`).implement({
    extensions: PART,
    description: `A page of a list of ${words.many}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        extensions: PAGE_ITEMS,
        description: `The ${words.many} of this page.`,
        resolve: (slice) => slice.edges,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'The pages before and after.',
        resolve: (slice) => slice.pageInfo,
      }),
    }),
  })
}

/** The arguments of a connection. */
export const connectionArgs = builder.args((t) => ({
  first: t.int({
    description: `How many items from the beginning or after the cursor, from 1; ${DEFAULT_LIMIT} if left out, ${MAX_LIMIT} at most.`,
  }),
  after: t.string({ description: 'The cursor that the items follow.' }),
  last: t.int({ description: `How many items at the end or before the cursor, from 1; ${MAX_LIMIT} at most.` }),
  before: t.string({ description: 'The cursor that the items come before; only with `last`.' }),
}))

export interface AskedSlice {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
}

/**
 * A slice of a list: `count` items after the place, or, backwards, before it. Without a place they are the first, or
 * the last.
 */
interface SliceOf<Place> {
  count: number
  place: Place | null
  backwards: boolean
}

/** Reads these arguments; `parse` returns null for a text that is no cursor of the list. Returns every fault. */
export function parseSlice<Place>(
  { first, last, after, before }: AskedSlice,
  parse: (text: string) => Place | null,
): { slice: SliceOf<Place>; faults: Fault[] } {
  const faults: Fault[] = []
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'argument', field, message: `${field} ${message}` })
  const backwards = typeof last === 'number'
  if (typeof first === 'number' && backwards) addFault('last', 'must not stand beside first')
  if (typeof first === 'number' && first < 1) addFault('first', 'must be an integer >= 1')
  if (backwards && last < 1) addFault('last', 'must be an integer >= 1')
  if (typeof before === 'string' && !backwards) addFault('before', 'must stand beside last')
  if (typeof after === 'string' && backwards) addFault('after', 'must stand beside first')
  const [field, text] = typeof before === 'string' ? (['before', before] as const) : (['after', after] as const)
  const place = typeof text === 'string' ? parse(Buffer.from(text, 'base64url').toString('latin1')) : null
  if (typeof text === 'string' && place === null)
    addFault(field, 'must be a cursor that this list gave in the same order')
  return { slice: { count: Math.min(first ?? last ?? DEFAULT_LIMIT, MAX_LIMIT), place, backwards }, faults }
}

/** As `parseSlice`, but throws INVALID_PARAMS with every fault. */
export function readSlice<Place>(asked: AskedSlice, parse: (text: string) => Place | null): SliceOf<Place> {
  const { slice, faults } = parseSlice(asked, parse)
  if (faults.length > 0) throw invalid(faults)
  return slice
}

/** A cursor of a text that `parse` reads. */
export const toCursor = (text: string): string => Buffer.from(text).toString('base64url')
