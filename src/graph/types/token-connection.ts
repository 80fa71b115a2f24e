// The list of tokens as a connection. A cursor is a place in the list of one block, so that later pages neither repeat
// nor skip a token while blocks arrive.
import { invalid } from '../../base/errors.ts'
import { MAX_INTEGER } from '../../base/event-id.ts'
import { SORT_ORDERS } from '../../base/screen.ts'
import { readTokenPage } from '../../board/list.ts'
import type { TokenRow } from '../../ledger/read/token.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import {
  type AskedSlice,
  connectionArgs,
  declareConnection,
  parseSlice,
  toCursor,
  toSlice,
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

interface Asked extends AskedSlice {
  asOf?: { block: number } | null | undefined
}

/** Reads the block and the slice; `fromEnd` for the end of the list. Throws INVALID_PARAMS with every fault. */
function readSlice({ asOf, ...asked }: Asked) {
  const { slice, faults } = parseSlice(asked, readCursor)
  const { count, place: cursor, backwards } = slice
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

builder.objectField(TokenConnection, 'total', (t) =>
  t.int({
    description: 'How many tokens there are in the whole list.',
    resolve: async ({ count }) => (await count()) ?? 0,
  }),
)

/** The slice of a block's list that begins at `from`. */
function stretchOf({ block, from, total, items }: { block: number; from: number; total: number; items: TokenRow[] }) {
  return toSlice(
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
      'The list of tokens by cursors. A cursor keeps the list of its block, so that later pages neither repeat nor skip a token. Refused once that block is no longer kept.',
    args: {
      filter: t.arg({
        type: TokenFilterInput,
        description: 'The conditions for the tokens; all bounds are inclusive.',
      }),
      orderBy: t.arg({
        type: [TokenOrderInput],
        description: 'The order of the list, 1 to 3 numbers; trending first if left out.',
      }),
      ...connectionArgs,
      asOf: t.arg({ type: BlockInput, description: 'The block of the list; the newest if left out.' }),
    },
    extensions: CONNECTION,
    resolve: async (_, { filter, orderBy, ...asked }, { board, reading }) => {
      const { block, from, count, fromEnd } = readSlice(asked)
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
