// Deliveries: the messages that an alert has sent or tried to send.

import { recordOf } from '../../base/keys-of.ts'
import { RISK_FLAGS } from '../../base/vocabulary.ts'
import { ALERT_CONDITIONS } from '../../fields/filter.ts'
import type { Delivery } from '../../ledger/alerts/delivery.ts'
import { EXIT_KINDS } from '../../ledger/alerts/moves.ts'
import { LISTED_EXITS, MESSAGE_STATUSES, type NoticedExit, type NoticedToken } from '../../ledger/alerts/outbox.ts'
import type { WalletTrade } from '../../ledger/alerts/trades.ts'
import { listOf } from '../cost/list-size.ts'
import { builder } from '../schema/builder.ts'
import { connectionRef, implementConnection } from '../schema/connection.ts'
import { DeliveryObject } from '../schema/refs.ts'
import { AlertConditionEnum, DirectionEnum, described, RiskFlagEnum } from '../schema/vocabulary.ts'

const DELIVERY_STATUS: Record<(typeof MESSAGE_STATUSES)[number], string> = {
  pending: 'The message waits for its first or next try.',
  sent: 'The mail server, the webhook or the chat took the message.',
  dead: 'The message was tried for 24 hours and then given up.',
  refused: 'The mail server, the webhook or the chat refused the message permanently.',
  suppressed: 'The message was not sent, because the address was refused before.',
  cancelled: 'A reorganisation of the chain retracted the match before the message was sent.',
}

const DeliveryStatusEnum = builder.enumType('DeliveryStatus', {
  description: 'The state of a message.',
  values: recordOf(MESSAGE_STATUSES, (status) => ({ description: DELIVERY_STATUS[status] })),
})

/** Each condition names twenty wallets, and one of them is of both directions. */
const MOST_TRADES = 80

const TradeObject = builder.objectRef<WalletTrade>('AlertTrade').implement({
  description: 'What a wallet bought or sold of a token in the blocks of a match.',
  fields: (t) => ({
    walletAddress: t.expose('wallet', { type: 'Address', description: 'The address of the wallet.' }),
    direction: t.expose('direction', { type: DirectionEnum, description: 'Whether it bought or sold.' }),
    amountUsd: t.float({
      nullable: true,
      description: 'For how much in all; null where it is unknown.',
      resolve: ({ usd }) => usd || null,
    }),
  }),
})

const ExitKindEnum = builder.enumType('ExitKind', {
  description: 'How tokens left a wallet.',
  values: described(EXIT_KINDS, {
    sale: 'It sold them.',
    liquidity: 'It added them to a pool as liquidity: no sale.',
    transfer: 'It sent them to another address: no sale.',
  }),
})

const ExitObject = builder.objectRef<NoticedExit>('AlertExit').implement({
  description: 'What a wallet sold or moved away of a token in one block, for whoever mirrors its sales.',
  fields: (t) => ({
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    tokenSymbol: t.exposeString('symbol', { description: 'The symbol from the contract: anyone can choose it.' }),
    walletAddress: t.field({
      type: 'Address',
      description: 'The address of the wallet.',
      resolve: ({ facts }) => facts.exit.wallet,
    }),
    kind: t.field({
      type: ExitKindEnum,
      description: 'How the tokens left it.',
      resolve: ({ facts }) => facts.exit.kind,
    }),
    sharePct: t.float({
      nullable: true,
      resolve: ({ facts }) => facts.exit.sharePct,
      description: 'The share of its position that left, in percent, 0-100; 100: nothing was left. Null: not known.',
    }),
    quantity: t.float({
      description: 'How much left it, in whole tokens.',
      resolve: ({ facts }) => facts.exit.quantity,
    }),
    leftQuantity: t.float({
      nullable: true,
      resolve: ({ facts }) => facts.exit.leftQuantity,
      description: 'What it holds at the end of the block, in whole tokens; null: not known.',
    }),
    amountUsd: t.float({
      nullable: true,
      description: 'The value in USD; null where it is unknown.',
      resolve: ({ facts }) => facts.exit.usd || null,
    }),
    blockNumber: t.int({ description: 'The number of the block.', resolve: ({ facts }) => facts.exit.block }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'The time of the block.',
      resolve: ({ facts }) => new Date(facts.exit.timeMs),
    }),
    transactionHash: t.field({
      type: 'Hash',
      description: 'The transaction; the newest one of several in the block.',
      resolve: ({ facts }) => facts.exit.tx,
    }),
    sellable: t.boolean({
      nullable: true,
      description: 'Whether it could be sold when its contract was last checked at that block; null: not known.',
      resolve: ({ facts }) => facts.sellable,
    }),
  }),
})

const MatchObject = builder.objectRef<NoticedToken>('AlertMatch').implement({
  description: 'A token that began to match an alert, with its values at that block.',
  fields: (t) => ({
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    tokenSymbol: t.exposeString('symbol', { description: 'The symbol from the contract: anyone can choose it.' }),
    matchedAt: t.expose('matchedAt', {
      type: 'DateTime',
      description: 'The time of the block in which the token began to match.',
    }),
    initial: t.exposeBoolean('initial', {
      description: 'Whether the token already matched when the alert was created or changed.',
    }),
    beganToMeet: t.field({
      type: [AlertConditionEnum],
      description: 'The conditions that the token met only then; empty for a new token.',
      extensions: listOf(ALERT_CONDITIONS.length),
      resolve: (token) => ALERT_CONDITIONS.filter((name) => token.facts.began.includes(name)),
    }),
    trades: t.field({
      type: [TradeObject],
      description: 'What the wallets that the alert names bought or sold of it; empty if it names no wallets.',
      extensions: listOf(MOST_TRADES),
      resolve: (token) => token.facts.trades?.slice(0, MOST_TRADES) ?? [],
    }),
    riskScore: t.float({
      description: 'The risk score at that block, 0-100.',
      resolve: (token) => token.facts.riskScore,
    }),
    riskFlags: t.field({
      type: [RiskFlagEnum],
      description: 'The risk flags at that block.',
      extensions: listOf(RISK_FLAGS.length),
      resolve: (token) => token.facts.riskFlags,
    }),
    liquidityUsd: t.float({
      description: 'The liquidity at that block in USD.',
      resolve: (token) => token.facts.liquidityUsd,
    }),
    marketCapUsd: t.float({
      description: 'The market cap at that block in USD.',
      resolve: (token) => token.facts.marketCapUsd,
    }),
  }),
})

builder.prismaObjectFields(DeliveryObject, (t) => ({
  id: t.exposeID('id'),
  status: t.field({
    type: DeliveryStatusEnum,
    description: 'The state of the message.',
    resolve: (delivery) => delivery.status,
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
  attempts: t.exposeInt('attempts'),
  response: t.string({
    nullable: true,
    resolve: (delivery) => delivery.response,
    description: 'The result of the last try, in a sentence; null before the first try.',
  }),
  tokens: t.field({
    type: [MatchObject],
    description: 'The tokens that the message lists, at most 20.',
    extensions: listOf(20),
    resolve: (delivery) => delivery.tokens,
  }),
  tokenCount: t.int({
    description: 'How many tokens the message is about.',
    resolve: (delivery) => delivery.tokenCount,
  }),
  exits: t.field({
    type: [ExitObject],
    description: `What wallets sold or moved away, of an alert with mirrorSales, oldest first; at most ${LISTED_EXITS}.`,
    extensions: listOf(LISTED_EXITS),
    resolve: (delivery) => delivery.exits,
  }),
  eventCount: t.int({
    description: 'How many events the message of a webhook of events contains; 0 for an alert.',
    resolve: (delivery) => delivery.eventCount,
  }),
  droppedCount: t.int({
    description: 'How many events before its first one were dropped, because too many messages waited.',
    resolve: (delivery) => delivery.dropped,
  }),
}))

export const DeliveryConnection = connectionRef<Delivery>('AlertDelivery')
implementConnection(DeliveryConnection, DeliveryObject, { one: 'A message', many: 'messages' })
