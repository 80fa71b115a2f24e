// Deliveries: what an alert has mailed or tried to mail, for its owner.
import { FILTER_FIELDS } from '../base/filter.ts'
import type { Paged } from '../base/page.ts'
import { RISK_FLAGS } from '../base/vocabulary.ts'
import type { Delivery } from '../ledger/alerts/delivery.ts'
import { MESSAGE_STATUSES, type NoticedToken } from '../ledger/alerts/outbox.ts'
import { builder } from './builder.ts'
import { listOf } from './list-size.ts'
import { implementPage } from './page.ts'
import { DeliveryObject } from './refs.ts'
import { RiskFlagEnum } from './vocabulary.ts'

const DELIVERY_STATUS: Record<(typeof MESSAGE_STATUSES)[number], string> = {
  pending: 'It waits for its first or next try.',
  sent: 'The mail server took it.',
  dead: 'It was tried for 24 hours and given up.',
  refused: 'The mail server refused it for good.',
  suppressed: 'It was held back because the address was refused before.',
  cancelled: 'A reorganisation of the chain took the match back before it was sent.',
}

const DeliveryStatusEnum = builder.enumType('DeliveryStatus', {
  description: 'What became of a message.',
  values: Object.fromEntries(
    MESSAGE_STATUSES.map((status) => [status, { description: DELIVERY_STATUS[status] }]),
  ) as Record<(typeof MESSAGE_STATUSES)[number], { description: string }>,
})

const MatchObject = builder.objectRef<NoticedToken>('AlertMatch').implement({
  description: 'A token that began to match an alert, as it was then.',
  fields: (t) => ({
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    tokenSymbol: t.exposeString('symbol', { description: 'The symbol as the contract gives it; written by anyone.' }),
    matchedAt: t.expose('matchedAt', {
      type: 'DateTime',
      description: 'The time of the block in which it began to match.',
    }),
    initial: t.exposeBoolean('initial', {
      description: 'Whether it matched already when the alert was made or changed.',
    }),
    began: t.field({
      type: ['String'],
      description: 'The conditions, by their names in REST, that it met only then; none for a new token.',
      extensions: listOf(Object.keys(FILTER_FIELDS).length),
      resolve: (token) => token.facts.began,
    }),
    riskScore: t.float({ description: 'Its risk score then, 0-100.', resolve: (token) => token.facts.riskScore }),
    riskFlags: t.field({
      type: [RiskFlagEnum],
      description: 'Its risk flags then.',
      extensions: listOf(RISK_FLAGS.length),
      resolve: (token) => token.facts.riskFlags,
    }),
    liquidityUsd: t.float({ description: 'Its liquidity then, in USD.', resolve: (token) => token.facts.liquidityUsd }),
    marketCapUsd: t.float({
      description: 'Its market cap then, in USD.',
      resolve: (token) => token.facts.marketCapUsd,
    }),
  }),
})

builder.prismaObjectFields(DeliveryObject, (t) => ({
  id: t.exposeID('id'),
  status: t.field({
    type: DeliveryStatusEnum,
    description: 'What became of it.',
    resolve: (delivery) => delivery.status,
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true }),
  attempts: t.exposeInt('attempts'),
  response: t.string({
    nullable: true,
    resolve: (delivery) => delivery.response,
    description: 'What became of the last try, in a sentence for people; null before the first.',
  }),
  tokens: t.field({
    type: [MatchObject],
    description: 'The tokens that it lists, 20 at most.',
    extensions: listOf(20),
    resolve: (delivery) => delivery.tokens,
  }),
  tokenCount: t.int({
    description: 'How many tokens it is about.',
    resolve: (delivery) => delivery.tokenCount,
  }),
}))

export const DeliveryPageObject = builder.objectRef<Paged<Delivery>>('AlertDeliveryPage')
implementPage(DeliveryPageObject, DeliveryObject, 'deliveries')
