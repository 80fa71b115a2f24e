// Pure. The messages that webhooks get, as JSON schemas and as OpenAPI's `webhooks`. Their values are those of the
// routes' tokens and of the stream's events.

import { type FieldRow, toSnake } from '../fields/field.ts'
import { ALERT_NUMBERS, type AlertNumber, TOKEN_FIELDS } from '../fields/token.ts'
import { MESSAGE_EVENTS } from '../ledger/alerts/event-webhook.ts'
import { EXIT_KINDS } from '../ledger/alerts/moves.ts'
import { LISTED_EXITS, LISTED_TOKENS } from '../ledger/alerts/outbox.ts'
import { HEADLINE_LENGTH } from '../verdict/headline.ts'
import type { Components } from './answer-schema.ts'
import { integerSchema, type JsonSchema, LARGEST, openWords, orNullSchema, textSchema } from './json-schema.ts'
import { LABEL } from './texts.ts'

const UUID: JsonSchema = { type: 'string', format: 'uuid', maxLength: 36 }
const TIME: JsonSchema = { type: 'string', format: 'date-time', maxLength: 24 }
const AT = '2025-11-08T08:53:20.000Z'
const ALERT_ID = '9ba7ee1a-0bdb-40c9-9670-3672d1283e87'

const count = (description: string, example: number): JsonSchema => ({
  ...integerSchema(0, LARGEST.exact),
  description,
  'x-unit': 'count',
  examples: [example],
})

const closed = (description: string, properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
})

/** The property of a component that a route has described. */
function propertyOf({ schemas }: Components, component: string, name: string): JsonSchema {
  const property = schemas[component]?.properties?.[name]
  if (!property) throw new Error(`no route describes ${name} of ${component}`)
  return property
}

const message = (type: string, about: string, data: string): JsonSchema =>
  closed(about, {
    type: { type: 'string', description: 'The kind of message.', enum: [type], examples: [type] },
    timestamp: { ...TIME, description: 'The time at which the message was written.', examples: [AT] },
    data: { $ref: `#/components/schemas/${data}` },
  })

const source = (name: string, description: string): JsonSchema =>
  closed(description, {
    id: { ...UUID, description: 'Its identifier.', examples: [ALERT_ID] },
    name: {
      ...LABEL,
      description: 'Its name, as its owner gave it.',
      examples: [name],
    },
  })

const DELIVERY_ID: JsonSchema = {
  ...UUID,
  description: 'The identifier of the message, the same at every attempt. It equals the header `webhook-id`.',
  examples: ['8c836439-fec8-4f4e-8285-8234390e1318'],
}

/** A number of a token by its row; null in a message about a time before the number was kept. */
function alertNumber(name: AlertNumber): JsonSchema {
  const { shown, unit }: FieldRow = TOKEN_FIELDS[name]
  if (!shown) throw new Error(`${name} has conditions of alerts, and is not shown`)
  return { type: ['number', 'null'], description: shown.text, 'x-unit': unit, examples: [shown.example] }
}

const walletTrades = (components: Components): JsonSchema => ({
  type: 'array',
  description: 'What the wallets that the alert names bought or sold of it; none if it names no wallets.',
  items: closed('A trade of a wallet.', {
    wallet_address: propertyOf(components, 'Event', 'wallet_address'),
    direction: {
      ...openWords({ $ref: '#/components/schemas/Direction' }),
      description: 'Whether it bought or sold.',
      examples: ['buy'],
    },
    amount_usd: {
      type: ['number', 'null'],
      format: 'double',
      description: 'For how much in all; null where it is unknown.',
      'x-unit': 'USD',
      examples: [1390.8],
    },
  }),
  maxItems: 80,
  examples: [[]],
})

const HOLDER_GROWTH: JsonSchema = {
  type: 'number',
  format: 'double',
  description: 'The change of its number of holders over the past hour, in percent.',
  'x-unit': 'percent',
  examples: [1.2],
}
const SELLABLE: JsonSchema = {
  type: ['boolean', 'null'],
  description: 'Whether it can be sold; null where no check has told.',
  examples: [true],
}
const SELL_TAX: JsonSchema = {
  type: ['number', 'null'],
  format: 'double',
  description: 'The tax of a sale; null where it is unknown.',
  'x-unit': 'percent',
  examples: [5],
}

function matchedToken(components: Components): JsonSchema {
  const token = (name: string) => propertyOf(components, 'Token', name)
  const filter = (name: string) => propertyOf(components, 'TokenFilter', name)
  const { items: power = {}, ...powers } = filter('exclude_powers')
  return closed('A token that began to match, with its values at that block.', {
    address: token('address'),
    name: token('name'),
    symbol: token('symbol'),
    matched_at: { ...TIME, description: 'The time of the block in which it began to match.', examples: [AT] },
    initial: {
      type: 'boolean',
      description: 'Whether it matched already when the alert was created or changed.',
      examples: [false],
    },
    began: {
      type: 'array',
      description: 'The conditions that it began to meet; none for a new token.',
      items: openWords({ type: 'string', enum: Object.keys(components.schemas.TokenFilter?.properties ?? {}) }),
      maxItems: 50,
      examples: [['max_risk_score']],
    },
    risk_score: token('risk_score'),
    risk_flags: token('risk_flags'),
    liquidity_usd: token('liquidity_usd'),
    market_cap_usd: token('market_cap_usd'),
    holder_growth_1h_pct: HOLDER_GROWTH,
    ...Object.fromEntries(ALERT_NUMBERS.map((name) => [toSnake(name), alertNumber(name)])),
    age_hours: token('age_hours'),
    sellable: SELLABLE,
    sell_tax_pct: SELL_TAX,
    powers: orNullSchema({
      ...powers,
      items: openWords(power),
      description: 'The powers over its holders; null where its code was not analysed.',
    }),
    trades: walletTrades(components),
    headline: HEADLINE,
    reasons: {
      type: ['array', 'null'],
      description: 'The main reasons of its risk, dangers first; null before its first score.',
      items: textSchema(400),
      maxItems: 3,
      examples: [['Its liquidity cannot leave within 30 days']],
    },
  })
}

function walletExit(components: Components): JsonSchema {
  const event = (name: string) => propertyOf(components, 'Event', name)
  const quantity = (description: string, example: number): JsonSchema => ({
    ...{ type: ['number', 'null'], format: 'double', description, 'x-unit': 'tokens', examples: [example] },
  })
  return closed('What a wallet sold or moved away of a token in one block, for whoever mirrors its sales.', {
    token_address: event('token_address'),
    token_symbol: event('token_symbol'),
    wallet_address: event('wallet_address'),
    kind: {
      ...openWords({ type: 'string', enum: [...EXIT_KINDS] }),
      description: 'How the tokens left it. Only `sale` is a sale.',
      examples: ['sale'],
    },
    share_pct: {
      type: ['number', 'null'],
      format: 'double',
      minimum: 0,
      maximum: 100,
      description: 'The share of its position that left; 100: nothing was left. Null: not known.',
      'x-unit': 'percent',
      examples: [25],
    },
    quantity: quantity('How much left it, in whole tokens.', 1_200),
    left_quantity: quantity('What it holds at the end of the block, in whole tokens; null: not known.', 3_600),
    amount_usd: {
      ...{ type: ['number', 'null'], format: 'double', 'x-unit': 'USD', examples: [1390.8] },
      description: 'The value; null where it is unknown.',
    },
    block_number: count('The number of the block.', 5_661),
    timestamp: { ...TIME, description: 'The time of the block.', examples: [AT] },
    tx_hash: event('tx_hash'),
    sellable: SELLABLE,
    headline: HEADLINE,
  })
}

const HEADLINE: JsonSchema = orNullSchema({
  ...textSchema(HEADLINE_LENGTH),
  description: 'The verdict in one sentence; null before its first score.',
  examples: ['One wallet can take 97 % of the liquidity at any time.'],
})

/** Adds the components of the messages. */
export function addDeliverySchemas(components: Components): void {
  const { schemas } = components
  schemas.MatchedToken = matchedToken(components)
  schemas.WalletExit = walletExit(components)
  schemas.MatchedData = closed('The tokens that began to match an alert, and the exits that it mirrors.', {
    delivery_id: DELIVERY_ID,
    alert: source('To my bot', 'The alert.'),
    total: count('The number of tokens that began to match.', 1),
    tokens: {
      type: 'array',
      description: 'The first of them.',
      items: { $ref: '#/components/schemas/MatchedToken' },
      maxItems: LISTED_TOKENS,
    },
    exits: {
      type: 'array',
      description: 'What wallets sold or moved away, oldest first; none without `mirror_sales`.',
      items: { $ref: '#/components/schemas/WalletExit' },
      maxItems: LISTED_EXITS,
    },
  })
  schemas.TestMessage = message(
    'alert.test',
    'A message that the owner of an alert asked for, without tokens.',
    'MatchedData',
  )
  schemas.MatchedMessage = message('alert.matched', 'A message to the webhook of an alert.', 'MatchedData')
  schemas.EventsData = closed('Events of a followed token or wallet, in the order of the chain.', {
    delivery_id: DELIVERY_ID,
    webhook: source('Trades of my fund', 'The webhook of events.'),
    dropped: count('The number of events before the first one that the receiver gets from no message.', 0),
    events: {
      type: 'array',
      description: 'The events.',
      items: { $ref: '#/components/schemas/StreamedEvent' },
      maxItems: MESSAGE_EVENTS,
    },
  })
  schemas.EventsMessage = message('events', 'A message to a webhook of events.', 'EventsData')
}

/** The headers of Standard Webhooks. */
const SIGNATURE_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'webhook-id': { ...UUID, description: 'The identifier of the message.', examples: [ALERT_ID] },
  'webhook-timestamp': {
    type: 'string',
    pattern: '^[0-9]+$',
    maxLength: 12,
    description: 'The time of this attempt, in seconds since 1970.',
    examples: ['1762592000'],
  },
  'webhook-signature': {
    type: 'string',
    pattern: '^v1,\\S+( v1,\\S+)*$',
    maxLength: 200,
    description: 'A signature of each valid secret: Standard Webhooks, version 1.',
    examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  },
}

/** The messages by their names, with the component of each. */
export const WEBHOOK_MESSAGES = {
  alertTest: { component: 'TestMessage', summary: 'The owner of an alert tests its webhook' },
  alertMatched: { component: 'MatchedMessage', summary: 'Tokens began to match an alert' },
  events: { component: 'EventsMessage', summary: 'Events of a followed token or wallet' },
} as const

/** The section `webhooks` of OpenAPI: requests that the server sends to a receiver. */
export const describeWebhooks = () =>
  Object.fromEntries(
    Object.entries(WEBHOOK_MESSAGES).map(([name, { component, summary }]) => [
      name,
      {
        post: {
          operationId: `receive${name.charAt(0).toUpperCase()}${name.slice(1)}`,
          summary,
          description: `${summary}. The page docs/alerts.md has more.`,
          tags: ['Alerts'],
          security: [],
          parameters: Object.entries(SIGNATURE_HEADERS).map(([header, { description = '', ...schema }]) => ({
            name: header,
            in: 'header',
            required: true,
            description,
            schema,
          })),
          requestBody: {
            required: true,
            description: `${summary}.`,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } },
          },
          responses: {
            '2XX': { description: 'The receiver has the message.' },
            410: { description: 'The receiver is gone for good: its alert is paused.' },
          },
        },
      },
    ]),
  )
