// The list of tokens as a connection: a cursor is a place in the list of one block, so that what follows it neither repeats nor
// skips a token while blocks arrive.
import { invalid } from '../../base/errors.ts'
import { MAX_INTEGER } from '../../base/event-id.ts'
import { SORT_ORDERS } from '../../base/screen.ts'
import { readTokenPage } from '../../board/list.ts'
import type { TokenRow } from '../../ledger/read/token.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import {
  type AskedStretch,
  connectionArgs,
  declareConnection,
  parseStretch,
  toCursor,
  toStretch,
} from '../schema/connection.ts'
import { TokenObject } from '../schema/refs.ts'
import { BlockInput, readOrder, readScreen, TokenFilterInput, TokenOrderInput } from './screen.ts'

/** A place in the list of a block, from 0. */
interface Cursor {
  block: number
  place: number
}

const writeCursor = ({ block, place }: Cursor): string => toCursor(`${block}.${place}`)

function readCursor(text: string): Cursor | null {
  const [, block, place] = /^(\d{1,10})\.(\d{1,9})$/.exec(text) ?? []
  const cursor = { block: Number(block), place: Number(place) }
  return cursor.block <= MAX_INTEGER ? cursor : null
}

interface Asked extends AskedStretch {
  asOf?: { block: number } | null | undefined
}

/** Which stretch of which block's list; `fromEnd` where it is the last of the whole list. Throws INVALID_PARAMS with every fault. */
function readStretch({ asOf, ...asked }: Asked) {
  const { stretch, faults } = parseStretch(asked, readCursor)
  const { count, place: cursor, backwards } = stretch
  if (cursor && asOf && cursor.block !== asOf.block) {
    const message = 'asOf.block must be the block of the cursor, or be left out'
    faults.push({ location: 'argument', field: 'asOf.block', message })
  }
  if (faults.length > 0) throw invalid(faults)
  const block = cursor?.block ?? asOf?.block ?? null
  if (!backwards) return { block, from: cursor ? cursor.place + 1 : 0, count, fromEnd: false }
  if (!cursor) return { block, from: 0, count, fromEnd: true }
  const from = Math.max(0, cursor.place - count)
  return { block, from, count: cursor.place - from, fromEnd: false }
}

const TokenConnection = declareConnection<TokenRow, TokenRow>('Token', TokenObject as never, {
  one: 'A token',
  many: 'tokens',
})

builder.objectField(TokenConnection, 'totalCount', (t) =>
  t.int({
    description: 'How many tokens there are in the whole list.',
    resolve: async ({ count }) => (await count()) ?? 0,
  }),
)

/** The stretch of a block's list that begins at `from`. */
function stretchOf({ block, from, total, items }: { block: number; from: number; total: number; items: TokenRow[] }) {
  return toStretch(
    items,
    (_, at) => writeCursor({ block, place: from + at }),
    { hasNextPage: from + items.length < total, hasPreviousPage: from > 0 && total > 0 },
    () => total,
  )
}

builder.queryField('tokensConnection', (t) =>
  t.field({
    type: TokenConnection,
    description:
      'The list of tokens by cursors. What follows a cursor is of the block that the cursor was given at, so that walking through a list neither repeats nor skips a token; refused once that block is no longer kept.',
    args: {
      filter: t.arg({ type: TokenFilterInput, description: 'What the tokens must satisfy; all bounds are inclusive.' }),
      orderBy: t.arg({
        type: [TokenOrderInput],
        description: 'The order of the list, 1 to 3 numbers; trending first if left out.',
      }),
      ...connectionArgs,
      asOf: t.arg({ type: BlockInput, description: 'The block whose list it is; the newest if left out.' }),
    },
    extensions: CONNECTION,
    resolve: async (_, { filter, orderBy, ...asked }, { board, reading }) => {
      const { block, from, count, fromEnd } = readStretch(asked)
      const question = {
        screen: readScreen(filter ?? {}, 'filter'),
        order: orderBy ? readOrder(orderBy, 'orderBy') : SORT_ORDERS.trending,
        asOf: block,
      }
      const read = (offset: number, limit: number) => readTokenPage(board, reading, { ...question, offset, limit })
      const start = fromEnd ? Math.max(0, (await read(0, 1)).total - count) : from
      const { items, total } = await read(start, Math.max(1, count))
      return stretchOf({ block: block ?? reading.head.number, from: start, total, items: count === 0 ? [] : items })
    },
  }),
)
