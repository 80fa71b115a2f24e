// Pure. The stream of events as OpenAPI describes it. It is no route of the table, since its answer is no document: its
// messages are the events of `listEvents` with `retracted`, and a last one that says why it ended.

import { EVENTS } from '../rest/contract/documents.ts'
import { QUERIES } from '../rest/contract/param.ts'
import { END_REASONS } from '../stream/message.ts'
import type { Components } from './answer-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { sentSchema, targetsOf } from './sent-values.ts'

/** The filter of the stream, of which each variable means what the field does that it goes to. */
const STREAM = `subscription ($after: ID, $walletClassification: [Classification!], $minAmountUsd: Float, $from: DateTime, $to: DateTime,
  $fromBlock: Int, $toBlock: Int) {
  answer: events(after: $after, filter: { walletClassifications: $walletClassification, minAmountUsd: $minAmountUsd, from: $from, to: $to,
    fromBlock: $fromBlock, toBlock: $toBlock }) { id }
}`

const SUMMARY = 'The events of all tokens and wallets as they happen'

const CURSOR: JsonSchema = {
  type: 'string',
  pattern: '^[0-9]+-[0-9]+-[0-9]+(\\.[0-9]+r?)?$',
  maxLength: 50,
  examples: ['5661-12-0.3'],
}

const BOUNDS: Readonly<Record<string, JsonSchema>> = { after: CURSOR, min_amount_usd: { minimum: 0 } }

/** What the parameters are, by their names in REST. */
export function streamParameters() {
  const targets = new Map([...targetsOf(EVENTS), ...targetsOf(STREAM)])
  const query = Object.entries(QUERIES.eventStream).map(([name, { name: variable }]) => {
    const target = targets.get(variable)
    if (!target) throw new Error(`the stream's documents take no ${variable}`)
    const { description = '', ...schema } = sentSchema(name, target)
    const list = schema.type === 'array' ? { style: 'form' as const, explode: false as const } : {}
    return { name, in: 'query' as const, ...list, description, schema: { ...schema, ...BOUNDS[name] } }
  })
  const last = 'The `id` of the last message, which browsers send when they connect again; it comes before `after`.'
  return [...query, { name: 'Last-Event-ID', in: 'header' as const, description: last, schema: CURSOR }]
}

/** Adds the components of the messages; they are made of the event that the routes answer. */
export function addStreamSchemas({ schemas }: Components): void {
  const { Event: event } = schemas
  if (!event) throw new Error('no route answers an event')
  const retracted = {
    type: 'boolean',
    description: 'Whether the event is taken back: its block is no longer part of the chain.',
    examples: [false],
  }
  schemas.StreamedEvent = {
    ...event,
    description: 'A message of the stream: an event, or the retraction of one whose block was rolled back.',
    properties: { ...event.properties, retracted },
    required: [...(event.required ?? []), 'retracted'],
  }
  schemas.StreamEnd = {
    type: 'object',
    description: 'The last message of a stream, of the type `end`.',
    properties: {
      reason: {
        type: 'string',
        description: 'Why it ended; treat a word that you do not know as `failed`.',
        enum: Object.keys(END_REASONS),
        examples: ['leaving'],
      },
      message: {
        type: 'string',
        description: 'A sentence for people.',
        pattern: '^[^\\u0000]*$',
        maxLength: 1000,
        examples: [END_REASONS.leaving],
      },
      resume: {
        ...CURSOR,
        type: ['string', 'null'],
        description: 'Where a later stream goes on; null when there is no such place.',
      },
    },
    required: ['reason', 'message', 'resume'],
  }
}

const EXAMPLE = [
  'retry: 3000\nid: 5661-11-0.3\n: welcome\n\n',
  'id: 5661-12-0.3\ndata: {"id":"5661-12-0","type":"swap","wallet_address":"0x084f1161d951edfd366eca2b01a278f46d67733b",',
  '"token_address":"0x53b99890e68641374569fabd8f6a27334d041914","token_symbol":"EXODUS","amount_usd":1390.8,"direction":"buy",',
  '"timestamp":"2025-11-08T08:53:20.000Z","tx_hash":"0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224","retracted":false}\n\n',
].join('')

/** The operation without its errors and headers. */
export const streamOperation = {
  operationId: 'streamEvents',
  summary: SUMMARY,
  description: `${SUMMARY}, as server-sent events. A stream goes on after the last \`id\` that a reader saw. The page docs/streams.md tells more.`,
  tags: ['Events'],
}

/** What comes: text in which each message has a JSON value as its data. */
export const streamContent = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-sent events (HTML standard). The data of a message without a type is a StreamedEvent, that of the type `end` a StreamEnd.',
      pattern: '^retry: ',
      maxLength: 2_147_483_647,
      contentMediaType: 'text/event-stream',
      contentSchema: {
        oneOf: [{ $ref: '#/components/schemas/StreamedEvent' }, { $ref: '#/components/schemas/StreamEnd' }],
      },
    },
    example: EXAMPLE,
  },
}
