// Connections: edges with a cursor each, and what lies before and after them. What a cursor says is the noun's own business.
import type { ObjectRef } from '@pothos/core'
import { type Fault, invalid } from '../base/errors.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../base/page.ts'
import { builder } from './builder.ts'
import { PAGE_ITEMS, PART } from './list-size.ts'

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

/**
 * The stretch of these items. `walkedTo`: the cursor of the place up to which was looked, where that is further than the last
 * item; null: it is not.
 */
export function toStretch<Row>(
  items: readonly Row[],
  cursorOf: (row: Row, at: number) => string,
  around: { hasNextPage: boolean; hasPreviousPage: boolean; walkedTo?: string | null },
  count: Stretch<Row>['count'],
): Stretch<Row> {
  const edges = items.map((node, at) => ({ node, cursor: cursorOf(node, at) }))
  const { hasNextPage, hasPreviousPage, walkedTo = null } = around
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, walkedTo ?? edges.at(-1)?.cursor ?? null]
  return { edges, pageInfo: { hasNextPage, hasPreviousPage, startCursor, endCursor }, count }
}

const PageInfo = builder.objectRef<Ends>('PageInfo').implement({
  extensions: PART,
  description: 'What lies before and after the edges of a connection.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether there are some before.' }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'The cursor of the first edge; null if there is none.',
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

/** The arguments of a list that is read forwards. */
export const forwardArgs = builder.args((t) => ({
  first: t.int({
    description: `How many items from the beginning or after the cursor, from 1; ${DEFAULT_LIMIT} if left out, ${MAX_LIMIT} at most.`,
  }),
  after: t.string({ description: 'The cursor that the items follow.' }),
}))

/** Reads these arguments; `parse` returns null for what is no cursor of the list. Throws INVALID_PARAMS with every fault. */
export function readForward<Place>(
  { first, after }: { first?: number | null | undefined; after?: string | null | undefined },
  parse: (text: string) => Place | null,
): { count: number; after: Place | null } {
  const faults: Fault[] = []
  if (typeof first === 'number' && first < 1)
    faults.push({ location: 'argument', field: 'first', message: 'first must be an integer >= 1' })
  const place = typeof after === 'string' ? parse(Buffer.from(after, 'base64url').toString('latin1')) : null
  if (typeof after === 'string' && place === null)
    faults.push({
      location: 'argument',
      field: 'after',
      message: 'after must be a cursor that this list gave in the same order',
    })
  if (faults.length > 0) throw invalid(faults)
  return { count: Math.min(first ?? DEFAULT_LIMIT, MAX_LIMIT), after: place }
}

/** A cursor of a text that `parse` understands. */
export const toCursor = (text: string): string => Buffer.from(text).toString('base64url')
