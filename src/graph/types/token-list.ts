// The list of tokens. A cursor is a place in the list of one block, so that later pages neither repeat nor skip a token
// while blocks arrive. No column keeps changes of price, so a list in such an order exists only at the newest block.
import type { Address } from '../../base/address.ts'
import { type Fault, invalid } from '../../base/errors.ts'
import { MAX_INTEGER } from '../../base/event-id.ts'
import type { Page } from '../../base/page.ts'
import { readMoverPage, readTokenPage } from '../../board/list.ts'
import type { TokenRow } from '../../ledger/read/token.ts'
import type { GraphContext } from '../context.ts'
import { CONNECTION } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import {
  type AskedSlice,
  connectionArgs,
  connectionRef,
  implementConnection,
  parseSlice,
  readPlaces,
  toCursor,
} from '../schema/connection.ts'
import { TokenObject } from '../schema/refs.ts'
import {
  BlockInput,
  type GivenOrder,
  type GivenScreen,
  readScreen,
  readTokenOrder,
  TokenFilterInput,
  TokenOrderInput,
} from './screen.ts'

/** A place in the list of a block, from 0. */
interface Cursor {
  block: number
  place: number
}

function readCursor(text: string): Cursor | null {
  const [, block, place] = /^(\d{1,10})\.(\d{1,9})$/.exec(text) ?? []
  const cursor = { block: Number(block), place: Number(place) }
  return cursor.block <= MAX_INTEGER ? cursor : null
}

/** The most addresses in one list. */
const MAX_ADDRESSES = 100

interface Asked extends AskedSlice {
  filter?: GivenScreen | null | undefined
  orderBy?: GivenOrder | null | undefined
  addresses?: readonly Address[] | null | undefined
  asOf?: { block: number } | null | undefined
}

/** Reads the list and its slice. Throws INVALID_PARAMS with every fault. */
function readAsked({ filter, orderBy, addresses, asOf, ...asked }: Asked) {
  const screen = readScreen(filter ?? {}, 'filter')
  const wanted = readTokenOrder({ orderBy, asOf })
  const { slice, faults } = parseSlice(asked, readCursor)
  const addFault = (field: string, message: string) =>
    faults.push({ location: 'argument', field, message: `${field} ${message}` } satisfies Fault)
  if (slice.place && asOf && slice.place.block !== asOf.block)
    addFault('asOf.block', 'must be the block of the cursor, or be left out')
  if (addresses && addresses.length > MAX_ADDRESSES) addFault('addresses', `must have ${MAX_ADDRESSES} items at most`)
  if (faults.length > 0) throw invalid(faults)
  return {
    screen: addresses ? { ...screen, addresses } : screen,
    wanted,
    block: slice.place?.block ?? asOf?.block ?? null,
    slice: { ...slice, place: slice.place?.place ?? null },
  }
}

function readList(asked: Asked, { board, reading, walks }: GraphContext) {
  const { screen, wanted, block, slice } = readAsked(asked)
  const read = (page: Page) =>
    'mover' in wanted
      ? walks(() => readMoverPage(board, reading, { screen, order: wanted.mover, ...page }))
      : readTokenPage(board, reading, { screen, order: wanted.order, asOf: block, ...page })
  return readPlaces(slice, read, (place) => toCursor(`${block ?? reading.head.number}.${place}`))
}

const TokenConnection = connectionRef<TokenRow>('Token')
implementConnection(TokenConnection, TokenObject, { one: 'A token', many: 'tokens' })

builder.queryField('tokens', (t) =>
  t.field({
    type: TokenConnection,
    description:
      'The indexed tokens that pass a filter, in an order. Lists are made in memory: any order, filter and page takes about as long. A cursor keeps the list of its block, so that later pages neither repeat nor skip a token. Refused once that block is no longer kept. An order by a change of price is always of the newest block.',
    args: {
      filter: t.arg({
        type: TokenFilterInput,
        description: 'The conditions for the tokens; all bounds are inclusive.',
      }),
      orderBy: t.arg({
        type: [TokenOrderInput],
        description: 'The order of the list, 1 to 3 numbers; trending first if left out.',
      }),
      addresses: t.arg({
        type: ['Address'],
        description: `Only tokens with these addresses, ${MAX_ADDRESSES} at most; excludes those that are not indexed.`,
      }),
      asOf: t.arg({
        type: BlockInput,
        description:
          "The block of the list's members and order; the newest if left out. The fields of each token are of the newest block.",
      }),
      ...connectionArgs,
    },
    extensions: CONNECTION,
    resolve: (_, asked, context) => readList(asked, context),
  }),
)
