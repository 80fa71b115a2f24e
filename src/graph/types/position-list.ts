// Lists of positions: pages of a wallet's, open or closed, and the traders of a token.
import type { PositionRow } from '../../ledger/read/position.ts'
import { POSITION_ORDERS, POSITION_STATUSES, TRADER_ORDERS } from '../../ledger/read/position-list.ts'
import { CONNECTION, listOf } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { connectionArgs, connectionRef, implementConnection, readPlaced } from '../schema/connection.ts'
import { limitArgs } from '../schema/length.ts'
import { PositionObject, TokenObject, WalletObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'

const PositionStatusEnum = builder.enumType('PositionStatus', {
  description: 'Whether a wallet still holds a token.',
  values: described(POSITION_STATUSES, {
    open: 'It holds some of it.',
    closed: 'It held or traded the token, and holds none of it now.',
    all: 'Both.',
  }),
})

const PositionOrderEnum = builder.enumType('PositionOrder', {
  description: "The order of a wallet's positions. Equal ones are ordered by the token's address.",
  values: described(POSITION_ORDERS, {
    value_usd: 'The most valuable first.',
    realised_usd: 'The most realised profit first.',
    last_at: 'The most recently changed first.',
  }),
})

const TraderOrderEnum = builder.enumType('TraderOrder', {
  description:
    'The order of the traders of a token. There is no order by open profit: it changes with every price, so no index can keep it.',
  values: described(TRADER_ORDERS, {
    realised_usd: 'The most realised profit first.',
    realised_loss_usd: 'The most realised loss first.',
    volume_usd: 'The most bought and sold, in USD, first.',
  }),
})

const PositionConnection = connectionRef<PositionRow>('Position')
implementConnection(PositionConnection, PositionObject, { one: 'A position', many: 'positions' })

builder.prismaObjectField(WalletObject, 'positions', (t) =>
  t.field({
    type: PositionConnection,
    description: 'The tokens that the wallet holds or held. Refused for a wallet with more than 20,000 of them.',
    args: {
      status: t.arg({ type: PositionStatusEnum, defaultValue: 'open', description: 'Which positions.' }),
      orderBy: t.arg({ type: PositionOrderEnum, defaultValue: 'value_usd', description: 'Their order.' }),
      ...connectionArgs,
    },
    extensions: CONNECTION,
    resolve: ({ id }, { status, orderBy, ...asked }, { lists }) => {
      const list = { walletId: id, status: status ?? 'open', order: orderBy ?? 'value_usd' } as const
      return readPlaced(asked, (page) => lists.positions.load({ ...list, ...page }))
    },
  }),
)

/** Traders of one list. */
const MOST_TRADERS = 100

builder.prismaObjectField(TokenObject, 'topTraders', (t) =>
  t.field({
    type: [PositionObject],
    description: 'The positions of the traders of the token, by profit or volume since it was indexed.',
    args: {
      orderBy: t.arg({ type: TraderOrderEnum, defaultValue: 'realised_usd', description: 'Their order.' }),
      ...limitArgs(10, MOST_TRADERS),
    },
    extensions: listOf('limit', MOST_TRADERS),
    resolve: ({ id }, { orderBy, limit }, { lists }) =>
      lists.topTraders[orderBy ?? 'realised_usd'].load({ tokenId: id, limit: readLimit(limit, 10, MOST_TRADERS) }),
  }),
)
