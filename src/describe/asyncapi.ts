// The AsyncAPI description of what the server sends by itself: the stream of events, and calls of webhooks. Its schemas
// are those of the OpenAPI description. `docs/asyncapi.json` has it; a test compares the two.
import { type ChainPaths, chainsToDescribe } from '../base/chains.ts'
import { SIGNATURE_HEADERS, WEBHOOK_MESSAGES } from './deliveries.ts'
import type { JsonSchema } from './json-schema.ts'
import { createOpenApi } from './openapi.ts'

const STREAM_MESSAGES = {
  event: { component: 'StreamedEvent', summary: 'An event, or the retraction of one' },
  end: { component: 'StreamEnd', summary: 'The last message, of the type `end`' },
} as const

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

/** The components that these need, with those that they refer to. */
function pickSchemas(schemas: Readonly<Record<string, JsonSchema>>, names: readonly string[]) {
  const picked = new Map<string, JsonSchema>()
  const add = (name: string): void => {
    const schema = schemas[name]
    if (!schema || picked.has(name)) return
    picked.set(name, schema)
    for (const [, inner = ''] of JSON.stringify(schema).matchAll(REFERENCE)) add(inner)
  }
  names.forEach(add)
  return Object.fromEntries(picked)
}

type Messages = Readonly<Record<string, { component: string; summary: string }>>

const refs = (messages: Messages) =>
  Object.fromEntries(Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]))

const toMessages = (messages: Messages, headers?: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(
    Object.entries(messages).map(([name, { component, summary }]) => [
      name,
      {
        name,
        title: summary,
        summary: `${summary}.`,
        contentType: 'application/json',
        ...(headers && { headers: { type: 'object', properties: headers, required: Object.keys(headers) } }),
        payload: { $ref: `#/components/schemas/${component}` },
      },
    ]),
  )

const send = (channel: string, summary: string, messages: Messages) => ({
  action: 'send',
  channel: { $ref: `#/channels/${channel}` },
  summary,
  description: `${summary}. The server sends each message at least once.`,
  tags: [{ name: channel }],
  messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
})

/** The description. */
export function createAsyncApi(chains?: ChainPaths) {
  const { info, components: all } = createOpenApi()
  const servers = serversOf(chains)
  const components = [...Object.values(STREAM_MESSAGES), ...Object.values(WEBHOOK_MESSAGES)].map(
    (each) => each.component,
  )
  return {
    asyncapi: '3.0.0',
    info: {
      ...info,
      summary: undefined,
      contact: undefined,
      description: 'What Assay sends by itself: the stream of events, and messages to the webhooks of alerts.',
      tags: [
        { name: 'receiver', description: 'Requests to the URL of an alert or of a webhook of events.' },
        { name: 'stream', description: 'Server-sent events of a connection that the reader opens.' },
      ],
    },
    defaultContentType: 'application/json',
    servers,
    channels: {
      stream: {
        address: '/stream/events',
        description: 'Server-sent events (HTML standard). The page docs/streams.md has the parameters.',
        servers: Object.keys(servers).map((name) => ({ $ref: `#/servers/${name}` })),
        messages: refs(STREAM_MESSAGES),
      },
      receiver: {
        address: null,
        description: 'The receiver whose URL an alert names. Each request is signed by Standard Webhooks.',
        messages: refs(WEBHOOK_MESSAGES),
      },
    },
    operations: {
      streamEvents: send('stream', 'Sends events as they happen', STREAM_MESSAGES),
      callWebhook: send('receiver', 'Calls the webhook of an alert', WEBHOOK_MESSAGES),
    },
    components: {
      schemas: pickSchemas(all.schemas, components),
      messages: { ...toMessages(STREAM_MESSAGES), ...toMessages(WEBHOOK_MESSAGES, SIGNATURE_HEADERS) },
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
    },
  }
}

const serversOf = (chains: ChainPaths = { path: '', all: new Map([['assay', '']]) }) =>
  Object.fromEntries(
    chainsToDescribe(chains).map(([name, path]) => [
      name,
      {
        host: '127.0.0.1:4000',
        pathname: `${path}/v1`,
        protocol: 'http',
        description: 'The server as it starts without settings.',
        security: [{ $ref: '#/components/securitySchemes/key' }],
      },
    ]),
  )

/** The committed and served description. */
export const printAsyncApi = (chains?: ChainPaths): string => `${JSON.stringify(createAsyncApi(chains), null, 2)}\n`
