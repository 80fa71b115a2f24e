// Pure. The stream of events in OpenAPI's form. It is no route of the table, because its answer is no document. Its
// messages are the events of `listEvents` with `retracted`, and a last one with the reason of the end.

import { QUERIES } from '../rest/contract/param.ts'
import { END_REASONS } from '../stream/message.ts'
import type { Components } from './answer-schema.ts'
import { type JsonSchema, openWords, orNullSchema, SENTENCE } from './json-schema.ts'
import { OWN_PARAMETERS } from './own-parameters.ts'
import { sentSchema, targetsOf } from './sent-values.ts'

/** The filter of the stream. Each variable means the same as its field. */
const STREAM = `subscription ($after: ID, $walletClassification: [Classification!], $minAmountUsd: Float, $from: DateTime, $to: DateTime,
  $fromBlock: Int, $toBlock: Int) {
  answer: events(after: $after, filter: { walletClassifications: $walletClassification, minAmountUsd: $minAmountUsd, from: $from, to: $to,
    fromBlock: $fromBlock, toBlock: $toBlock }) { id }
}`

const SUMMARY = 'The events of all tokens and wallets as they happen'

const CURSOR: JsonSchema = {
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,9})(-(0|[1-9][0-9]{0,9})){2}([.](0|[1-9][0-9]{0,8})r?)?$',
  maxLength: 50,
  examples: ['5661-12-0.3'],
}

const TICKET: JsonSchema = {
  type: 'string',
  pattern: '^assay_ticket_[0-9A-Za-z]{36}$',
  maxLength: 49,
  examples: ['assay_ticket_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab'],
}

const BOUNDS: Readonly<Record<string, JsonSchema>> = { after: CURSOR, min_amount_usd: { minimum: 0 } }

/** The meaning of the parameters, by their names in REST. */
export function streamParameters({ schemas }: Components) {
  const targets = targetsOf(STREAM)
  const { ticket: _, ...filters } = QUERIES.eventStream
  const query = Object.entries(filters).map(([name, { name: variable }]) => {
    const target = targets.get(variable)
    const own = OWN_PARAMETERS[name]
    if (!target && own) return { name, in: 'query' as const, ...own }
    if (!target) throw new Error(`the stream's documents take no ${variable}`)
    const { description = '', ...schema } = sentSchema({ name }, target, schemas)
    const list = schema.type === 'array' ? { style: 'form' as const, explode: false as const } : {}
    return { name, in: 'query' as const, ...list, description, schema: { ...schema, ...BOUNDS[name] } }
  })
  return [...query, ...streamDoors(CURSOR)]
}

/** How a browser opens a stream, and opens it again. */
export function streamDoors(place: JsonSchema) {
  const last = 'The `id` of the last message, which browsers send when they connect again; it overrides `after`.'
  const opens = 'A ticket of POST /stream/ticket, in place of the header Authorization. It is used up by this request.'
  return [
    { name: 'ticket', in: 'query' as const, description: opens, schema: TICKET },
    { name: 'Last-Event-ID', in: 'header' as const, description: last, schema: place },
  ]
}

/** Adds the components of the messages, which derive from the routes' event. */
export function addStreamSchemas({ schemas }: Components): void {
  const { Event: event } = schemas
  if (!event) throw new Error('no route answers an event')
  const retracted = {
    type: 'boolean',
    description: 'Whether the event is retracted: its block is no longer part of the chain.',
    examples: [false],
  }
  schemas.StreamedEvent = {
    ...event,
    description: 'A message of the stream: an event, or the retraction of one whose block was rolled back.',
    properties: { ...event.properties, retracted },
    required: [...(event.required ?? []), 'retracted'],
  }
  schemas.StreamTicket = {
    type: 'object',
    description: 'A ticket that opens one stream.',
    properties: {
      ticket: { ...TICKET, description: 'The ticket. It is shown only here.' },
      expires_at: {
        type: 'string',
        format: 'date-time',
        maxLength: 24,
        description: 'The time until which it opens a stream, a minute from now.',
        examples: ['2025-11-08T08:54:20.000Z'],
      },
    },
    required: ['ticket', 'expires_at'],
  }
  schemas.StreamEnd = {
    type: 'object',
    description: 'The last message of a stream, of the type `end`.',
    properties: {
      reason: {
        ...openWords({ type: 'string', enum: Object.keys(END_REASONS) }),
        description: 'The reason of the end; treat an unknown word as `failed`.',
        examples: ['leaving'],
      },
      message: {
        ...SENTENCE,
        description: 'A sentence for people.',
        examples: [END_REASONS.leaving],
      },
      resume: {
        ...orNullSchema(CURSOR),
        description: 'The place to continue from in a later stream; null when there is none.',
      },
    },
    required: ['reason', 'message', 'resume'],
  }
}

const EXAMPLE = [
  'retry: 3000\nid: 5661-11-0.3\n: welcome\n\n',
  'data: {"id":"5661-12-0","type":"swap","wallet_address":"0x084f1161d951edfd366eca2b01a278f46d67733b",',
  '"token_address":"0x53b99890e68641374569fabd8f6a27334d041914","token_symbol":"EXODUS","amount_usd":1390.8,"direction":"buy",',
  '"timestamp":"2025-11-08T08:53:20.000Z","tx_hash":"0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224",',
  '"quantity":1069846.1,"price_usd":0.0013,"pool":"0x2e9a17174d9e77d3802d53929b53e2c5184a741b","counterparty":null,"retracted":false}\nid: 5661-12-0.3\n\n',
].join('')

/** The operation without its errors and headers. */
export const streamOperation = {
  operationId: 'streamEvents',
  summary: SUMMARY,
  description: `${SUMMARY}, as server-sent events. A stream continues after the reader's last \`id\`. The page docs/streams.md has more.`,
  tags: ['Events'],
}

/** The operation of tickets without its errors and headers. */
export const ticketOperation = {
  operationId: 'createStreamTicket',
  summary: 'A ticket that opens one stream without a header',
  description:
    'A ticket that opens one stream without a header, for the EventSource of browsers. It is valid for a minute, for one request, and only while its key is.',
  tags: ['Events'],
}

export const ticketContent = {
  'application/json': {
    schema: { $ref: '#/components/schemas/StreamTicket' },
    example: { ticket: TICKET.examples?.[0], expires_at: '2025-11-08T08:54:20.000Z' },
  },
}

/** The content: text in which each message has a JSON value as its data. */
export const contentOf = (message: string, example: string) => ({
  'text/event-stream': {
    schema: {
      type: 'string',
      description: `Server-sent events (HTML standard). The data of a message without a type is a ${message}, that of the type \`end\` a StreamEnd.`,
      pattern: '^retry: ',
      maxLength: 2_147_483_647,
      contentMediaType: 'text/event-stream',
      contentSchema: {
        oneOf: [{ $ref: `#/components/schemas/${message}` }, { $ref: '#/components/schemas/StreamEnd' }],
      },
    },
    example,
  },
})

export const streamContent = contentOf('StreamedEvent', EXAMPLE)
