// Connections: edges with a cursor each, and their neighbours. Each noun defines the content of its cursor.
import type { ObjectRef } from '@pothos/core'
import { type Fault, invalid } from '../../base/errors.ts'
import { MAX_INTEGER } from '../../base/event-id.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, type Page, type Paged } from '../../base/page.ts'
import { PAGE_ITEMS, PART } from '../cost/list-size.ts'
import { countFaults } from '../cost/page-arguments.ts'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

/** An item with its cursor. */
interface Edge<Row> {
  node: Row
  cursor: string
}

/** A slice of a list, in the order of the list. `count` is called only for a requested total. */
export interface Slice<Row> {
  items: readonly Row[]
  /** The cursor of the item with this index. */
  cursorOf(row: Row, at: number): string
  hasNextPage: boolean
  hasPreviousPage: boolean
  /** The cursor of a walk's end, if that is beyond the last item. */
  walkedTo?: { field: 'startCursor' | 'endCursor'; cursor: string } | null
  count(): Promise<number | null> | number | null
}

function cursorAt<Row>({ items, cursorOf, walkedTo }: Slice<Row>, field: 'startCursor' | 'endCursor'): string | null {
  if (walkedTo?.field === field) return walkedTo.cursor
  const at = field === 'startCursor' ? 0 : items.length - 1
  const row = items[at]
  return row === undefined ? null : cursorOf(row, at)
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
    skip,
    backwards,
    hasMore,
    walkedTo,
  }: Omit<AskedStretch<unknown>, 'count'> & { hasMore: boolean; walkedTo: string | null },
  count: Slice<Row>['count'],
): Slice<Row> {
  const [there, here] = [place !== null || skip > 0, hasMore]
  return {
    items: backwards ? found.toReversed() : found,
    cursorOf,
    ...(backwards ? { hasNextPage: there, hasPreviousPage: here } : { hasNextPage: here, hasPreviousPage: there }),
    walkedTo: walkedTo === null ? null : { field: backwards ? 'startCursor' : 'endCursor', cursor: walkedTo },
    count,
  }
}

/** Beyond any list. PostgreSQL takes it and a page more as an integer. */
const FURTHEST = MAX_INTEGER - 2 * MAX_LIMIT

/** The slice of a list whose cursors are places, counted from 0; `writePlace` writes one. */
export async function readPlaces<Row>(
  { count, place, skip, backwards }: AskedStretch<number>,
  read: (page: Page) => Promise<Paged<Row>>,
  writePlace: (place: number) => string = (at) => toCursor(String(at)),
): Promise<Slice<Row>> {
  const end = !backwards ? null : (place ?? (await read({ offset: 0, limit: 1 })).total)
  const offset = end === null ? Math.min((place ?? -1) + 1 + skip, FURTHEST) : Math.max(0, end - count)
  const limit = end === null ? count : end - offset
  const { items, total } = await read({ offset, limit: Math.max(1, limit) })
  const shown = limit === 0 ? [] : items
  return {
    items: shown,
    cursorOf: (_, at) => writePlace(offset + at),
    hasNextPage: offset + shown.length < total,
    hasPreviousPage: offset > 0 && total > 0,
    count: () => total,
  }
}

/** Reads a place that `readPlaces` wrote. */
const parsePlace = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

/** As `readPlaces`, from the arguments of a connection. Throws INVALID_PARAMS with every fault. */
export const readPlaced = <Row>(asked: AskedSlice, read: (page: Page) => Promise<Paged<Row>>): Promise<Slice<Row>> =>
  readPlaces(readSlice(asked, parsePlace), read)

const PageInfo = builder.objectRef<Slice<unknown>>('PageInfo').implement({
  extensions: PART,
  description: 'The pages before and after the nodes of a connection.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether more follow.' }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', { description: 'Whether there are items before.' }),
    startCursor: t.string({
      nullable: true,
      description: 'The cursor for the page before; null if there is none.',
      resolve: (slice) => cursorAt(slice, 'startCursor'),
    }),
    endCursor: t.string({
      nullable: true,
      description: 'The cursor for the page after; null if there is none.',
      resolve: (slice) => cursorAt(slice, 'endCursor'),
    }),
  }),
})

/** A connection that `implementConnection` gives its fields; refs.ts declares those that several nouns have. */
export const connectionRef = <Row>(name: string) => builder.objectRef<Slice<Row>>(`${name}Connection`)

/** Gives a connection its fields. `unknownTotal` says when its total is null; left out if it never is. */
export function implementConnection<Row extends Item, Item>(
  connection: ObjectRef<Types, Slice<Row>>,
  item: ObjectRef<Types, Item>,
  { one, many, unknownTotal }: { one: string; many: string; unknownTotal?: string },
): void {
  const edge = builder.objectRef<Edge<Row>>(connection.name.replace(/Connection$/, 'Edge')).implement({
    extensions: PART,
    description: `${one} in a list, with its place.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', { description: 'The place in the list, for `after` and `before`.' }),
      node: t.expose('node', { type: item, description: `${one}.` } as never),
    }),
  })
  const total = `How many ${many} there are in the whole list`
  builder.objectType(connection, {
    extensions: PART,
    description: `A page of a list of ${many}.`,
    fields: (t) => ({
      nodes: t.expose('items', {
        type: [item],
        extensions: PAGE_ITEMS,
        description: `The ${many} of this page; empty past the end.`,
      } as never),
      edges: t.field({
        type: [edge],
        extensions: PAGE_ITEMS,
        description: 'The same, each with its cursor.',
        resolve: ({ items, cursorOf }) => items.map((node, at) => ({ node, cursor: cursorOf(node, at) })),
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'The pages before and after.',
        resolve: (slice) => slice as Slice<unknown>,
      }),
      total: unknownTotal
        ? t.float({ nullable: true, description: `${total}; null ${unknownTotal}`, resolve: ({ count }) => count() })
        : t.float({ description: `${total}.`, resolve: async ({ count }) => (await count()) ?? 0 }),
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
  offset: t.int({ description: 'How many items to skip from the beginning or after the cursor; not with `last`.' }),
}))

export interface AskedSlice {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
  offset?: number | null | undefined
}

/**
 * A slice of a list: `count` items after the place, or, backwards, before it. Without a place they are the first, or
 * the last. Forwards, `skip` items are left out first.
 */
export interface AskedStretch<Place> {
  count: number
  place: Place | null
  skip: number
  backwards: boolean
}

/** Reads these arguments; `parse` returns null for a text that is no cursor of the list. Returns every fault. */
export function parseSlice<Place>(
  { first, last, after, before, offset }: AskedSlice,
  parse: (text: string) => Place | null,
): { slice: AskedStretch<Place>; faults: Fault[] } {
  const faults = countFaults({ first, last, offset })
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'argument', field, message: `${field} ${message}` })
  const backwards = typeof last === 'number'
  if (typeof first === 'number' && backwards) addFault('last', 'must not stand beside first')
  if (typeof offset === 'number' && backwards) addFault('offset', 'must not stand beside last')
  if (typeof before === 'string' && !backwards) addFault('before', 'must stand beside last')
  if (typeof after === 'string' && backwards) addFault('after', 'must stand beside first')
  const [field, text] = typeof before === 'string' ? (['before', before] as const) : (['after', after] as const)
  const place = typeof text === 'string' ? parse(Buffer.from(text, 'base64url').toString('latin1')) : null
  if (typeof text === 'string' && place === null)
    addFault(field, 'must be a cursor that this list gave in the same order')
  const count = Math.min(first ?? last ?? DEFAULT_LIMIT, MAX_LIMIT)
  return { slice: { count, place, skip: offset ?? 0, backwards }, faults }
}

/** As `parseSlice`, but throws INVALID_PARAMS with every fault. */
export function readSlice<Place>(asked: AskedSlice, parse: (text: string) => Place | null): AskedStretch<Place> {
  const { slice, faults } = parseSlice(asked, parse)
  if (faults.length > 0) throw invalid(faults)
  return slice
}

/** A cursor of a text that `parse` reads. */
export const toCursor = (text: string): string => Buffer.from(text).toString('base64url')
