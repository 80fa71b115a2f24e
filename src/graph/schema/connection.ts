// Connections: edges with a cursor each, and what lies before and after them. What a cursor says is the noun's own business.
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

/** What lies before and after the edges of a connection. */
interface Ends {
  hasNextPage: boolean
  hasPreviousPage: boolean
  startCursor: string | null
  endCursor: string | null
}

/** A stretch of a list. `count` is asked only where somebody wants the total. */
interface Stretch<Row> {
  edges: Edge<Row>[]
  pageInfo: Ends
  count(): Promise<number | null> | number | null
}

/** The stretch of these items, which stand in the order of the list. */
export function toStretch<Row>(
  items: readonly Row[],
  cursorOf: (row: Row, at: number) => string,
  { hasNextPage, hasPreviousPage }: Pick<Ends, 'hasNextPage' | 'hasPreviousPage'>,
  count: Stretch<Row>['count'],
): Stretch<Row> {
  const edges = items.map((node, at) => ({ node, cursor: cursorOf(node, at) }))
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null]
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor }, count }
}

/**
 * The stretch of what a walk found, the nearest to its beginning first. `walkedTo`: the cursor of the place up to which was looked, where that is
 * further than the last item; null: it is not.
 */
export function toWalkedStretch<Row>(
  found: readonly Row[],
  cursorOf: (row: Row) => string,
  {
    place,
    backwards,
    hasMore,
    walkedTo,
  }: Pick<StretchOf<unknown>, 'place' | 'backwards'> & { hasMore: boolean; walkedTo: string | null },
  count: Stretch<Row>['count'],
): Stretch<Row> {
  const [there, here] = [place !== null, hasMore]
  const ends = backwards ? { hasNextPage: there, hasPreviousPage: here } : { hasNextPage: here, hasPreviousPage: there }
  const stretch = toStretch(backwards ? found.toReversed() : found, cursorOf, ends, count)
  if (walkedTo !== null) stretch.pageInfo[backwards ? 'startCursor' : 'endCursor'] = walkedTo
  return stretch
}

const PageInfo = builder.objectRef<Ends>('PageInfo').implement({
  extensions: PART,
  description: 'What lies before and after the edges of a connection.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether there are some before.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'The cursor to go on before; null if there is none.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'The cursor to go on after; null if there is none.',
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
  return builder.objectRef<Stretch<Row>>(`${name}Connection`).implement({
    extensions: PART,
    description: `A stretch of a list of ${words.many}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        extensions: PAGE_ITEMS,
        description: `The ${words.many} of this stretch.`,
        resolve: (stretch) => stretch.edges,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'What lies before and after.',
        resolve: (stretch) => stretch.pageInfo,
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
  before: t.string({ description: 'The cursor that the items come before; beside `last`.' }),
}))

export interface AskedStretch {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
}

/** Which stretch: `count` items after the place, or, backwards, before it. Without a place they are the first, or the last. */
interface StretchOf<Place> {
  count: number
  place: Place | null
  backwards: boolean
}

/** Reads these arguments; `parse` returns null for what is no cursor of the list. Returns every fault of them. */
export function parseStretch<Place>(
  { first, last, after, before }: AskedStretch,
  parse: (text: string) => Place | null,
): { stretch: StretchOf<Place>; faults: Fault[] } {
  const faults: Fault[] = []
  const blame = (field: string, message: string) =>
    faults.push({ location: 'argument', field, message: `${field} ${message}` })
  const backwards = typeof last === 'number'
  if (typeof first === 'number' && backwards) blame('last', 'must not stand beside first')
  if (typeof first === 'number' && first < 1) blame('first', 'must be an integer >= 1')
  if (backwards && last < 1) blame('last', 'must be an integer >= 1')
  if (typeof before === 'string' && !backwards) blame('before', 'must stand beside last')
  if (typeof after === 'string' && backwards) blame('after', 'must stand beside first')
  const [field, text] = typeof before === 'string' ? (['before', before] as const) : (['after', after] as const)
  const place = typeof text === 'string' ? parse(Buffer.from(text, 'base64url').toString('latin1')) : null
  if (typeof text === 'string' && place === null) blame(field, 'must be a cursor that this list gave in the same order')
  return { stretch: { count: Math.min(first ?? last ?? DEFAULT_LIMIT, MAX_LIMIT), place, backwards }, faults }
}

/** The same. Throws INVALID_PARAMS with every fault. */
export function readStretch<Place>(asked: AskedStretch, parse: (text: string) => Place | null): StretchOf<Place> {
  const { stretch, faults } = parseStretch(asked, parse)
  if (faults.length > 0) throw invalid(faults)
  return stretch
}

/** A cursor of a text that `parse` understands. */
export const toCursor = (text: string): string => Buffer.from(text).toString('base64url')
