// The OpenAPI description of REST, from the table of routes: each route's document gives its answer and the meaning of
// its parameters. `docs/openapi.json` has it; a test compares the two.

import { getNamedType, isInputObjectType } from 'graphql'
import { type ChainPaths, chainsToDescribe } from '../base/chains.ts'
import { readVersion } from '../base/version.ts'
import { URL_CHANNELS } from '../fields/channels.ts'
import { ROUTES, type Route, takesIdempotencyKey } from '../rest/contract/routes.ts'
import { toChangedAlert, toChangedKey } from '../rest/contract/shape.ts'
import { SQL_LIMITS } from '../sql/limits.ts'
import { answerSchema, type Components, createComponents } from './answer-schema.ts'
import { addDeliverySchemas, describeWebhooks } from './deliveries.ts'
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorsOf } from './errors.ts'
import {
  addStreamSchemas,
  streamContent,
  streamDoors,
  streamOperation,
  streamParameters,
  ticketContent,
  ticketOperation,
} from './event-stream.ts'
import examples from './examples.json' with { type: 'json' }
import { COMMON, HEADERS, headerRefs, OF_CHAIN } from './headers.ts'
import { type JsonSchema, LATER_WORDS, textSchema } from './json-schema.ts'
import { OWN_PARAMETERS } from './own-parameters.ts'
import { addBodySchema, sentSchema, targetsOf } from './sent-values.ts'
import { addSignupSchemas, SIGNUP_OPERATIONS } from './signup.ts'
import { WEBHOOK_URL } from './texts.ts'
import {
  addScreenSchemas,
  SCREEN_PLACE,
  TOKEN_STREAM_ROUTE,
  tokenStreamContent,
  tokenStreamOperation,
} from './token-stream.ts'

/** Component names of routes that show other fields of a type than an earlier route. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listTokens: { SellCheck: 'ShortSellCheck', Verdict: 'ShortVerdict' },
  getToken: { Token: 'TokenProfile', SellCheck: 'ShortSellCheck' },
  getTokenSafety: { Token: 'TokenSafety' },
  search: { Token: 'FoundToken', Wallet: 'FoundWallet' },
  listTokenHolders: { Holder: 'TokenHolder' },
  listTokenPools: { Pool: 'TokenPool' },
  listTokenCandles: { Token: 'TokenCandles' },
  listTokenTraders: { Token: 'TokenTraders', Position: 'Trader' },
  listWallets: { Wallet: 'ListedWallet' },
  listWalletEvents: { EventPage: 'WalletEventPage', Event: 'WalletEvent' },
  listWalletPositions: { Position: 'WalletPosition' },
  listWalletLiquidity: { Wallet: 'WalletLiquidity' },
  createAlert: { Alert: 'NewAlert' },
  rotateAlertSecret: { Alert: 'AlertWithSecret' },
  createKey: { ApiKey: 'NewApiKey' },
  rotateKey: { ApiKey: 'NewApiKey' },
}

const TAGS = {
  Account: 'The account behind the key.',
  Alerts: 'Saved filters that send a mail when a token begins to match.',
  Events: 'What happened on the chain.',
  Gate: 'Whether a bot may buy a token.',
  Scores: 'Scores with their dimensions.',
  Search: 'Tokens and wallets by what is known of them.',
  SQL: 'SQL over events, candles, scores, tokens and wallets.',
  Tokens: 'Tokens: market data, risk, holders.',
  Wallets: 'Wallets: portfolio, profit, reputation.',
}

const tagOf = ({ path }: Route): string => {
  const [, first = ''] = path.split('/')
  if (first === 'me') return 'Account'
  if (first === 'sql') return 'SQL'
  return first.charAt(0).toUpperCase() + first.slice(1)
}

const DESCRIPTION = `On-chain intelligence about one EVM chain: tokens, wallets, scores, events and alerts.

Every request carries a key: \`Authorization: Bearer <API_KEY>\`. Answers are JSON. An answer to a GET depends on the
request and on the block in \`Assay-Block\`. Three values of a token's score are as of its last scoring instead: \`updated_at\`,
\`avg_reputation_top10\`, and the risk of a token that was not traded for seven days. Every GET takes HEAD too. A path that does not exist is 404, a method that a path
does not take is 405 with \`Allow\`. New fields, words and parameters may be added without a new version.`

/** The server as it starts without settings. */
const LOCAL_ORIGIN = 'http://127.0.0.1:4000'

interface OpenApiOptions {
  /** Of an installation with several. Their first server is that of the chain which this describes. */
  chains?: ChainPaths | undefined
  /** Where the server is; empty: where the description came from. A client that is made of a file needs the whole URL. */
  origin?: string
}

export function createOpenApi({ chains, origin = LOCAL_ORIGIN }: OpenApiOptions = {}) {
  const components = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of ROUTES) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, components) }
  }
  addStreamSchemas(components)
  addDeliverySchemas(components)
  paths['/stream/events'] = { get: toStreamOperation(components) }
  addScreenSchemas(components)
  paths['/stream/tokens'] = { get: toTokenStreamOperation(components) }
  paths['/stream/ticket'] = { post: toTicketOperation() }
  addSignupSchemas(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: readVersion(),
      summary: 'On-chain intelligence that anyone can run.',
      description: DESCRIPTION,
      contact: { name: 'Whoever runs this server' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: serversOf(chains, origin),
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ key: [] }],
    paths: { ...paths, ...(chains?.path ? atDefaultChain(SIGNUP_OPERATIONS, origin) : SIGNUP_OPERATIONS) },
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, such as assay_live_ and 36 letters and digits.',
        },
      },
      headers: HEADERS,
      responses: ERROR_RESPONSES,
      schemas: { ...components.schemas, ...ERROR_SCHEMAS, ...LATER_WORDS },
    },
  }
}

function toOperation(route: Route, components: Components) {
  return {
    operationId: route.id,
    summary: route.summary,
    description: `${route.summary}. The page docs/rest.md has more.`,
    tags: [tagOf(route)],
    parameters: parametersOf(route, components),
    ...(route.body && { requestBody: bodyOf(route, components) }),
    responses: { ...successesOf(route, components), ...errorsOf(route) },
  }
}

const toStreamOperation = (components: Components) => ({
  ...streamOperation,
  parameters: streamParameters(components),
  responses: {
    200: { description: 'The stream.', headers: headerRefs(COMMON), content: streamContent },
    204: {
      description: 'Every block of the filter is final, and nothing is left to send: do not connect again.',
      headers: headerRefs(COMMON),
    },
    ...errorsOf({ method: 'GET' }),
  },
})

const toTokenStreamOperation = (components: Components) => ({
  ...tokenStreamOperation,
  parameters: [
    ...parametersOf(TOKEN_STREAM_ROUTE, components).map((parameter) =>
      parameter.name === 'after' ? { ...parameter, schema: SCREEN_PLACE } : parameter,
    ),
    ...streamDoors(SCREEN_PLACE),
  ],
  responses: {
    200: { description: 'The stream.', headers: headerRefs(COMMON), content: tokenStreamContent },
    ...errorsOf({ method: 'GET' }),
  },
})

const toTicketOperation = () => ({
  ...ticketOperation,
  responses: {
    200: { description: 'The ticket.', headers: headerRefs(COMMON), content: ticketContent },
    ...errorsOf({ method: 'GET' }),
  },
})

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  /** Lists are separated by commas. */
  style?: 'form'
  explode?: false
  schema: JsonSchema
}

type Parameters = Pick<Route, 'id' | 'method' | 'document' | 'query' | 'ofChain' | 'pathParam'>

function parametersOf(route: Parameters, { schemas }: Components): Parameter[] {
  const targets = targetsOf(route.document)
  const describe = (variable: string, name: string) => {
    const target = targets.get(variable)
    const own = OWN_PARAMETERS[name]
    if (own && (!target || isInputObjectType(getNamedType(target.type)))) return own
    if (!target) throw new Error(`${route.id}: the document takes no ${variable}`)
    const { description = '', ...schema } = sentSchema({ name }, target, schemas)
    return { description, schema }
  }
  const { pathParam } = route
  const path = pathParam
    ? [{ name: pathParam.name, in: 'path' as const, required: true, ...describe(pathParam.name, pathParam.name) }]
    : []
  const query = Object.entries(route.query).map(([name, { name: variable, isRequired }]) => {
    const described = describe(variable, name)
    const list = described.schema.type === 'array' ? { style: 'form' as const, explode: false as const } : {}
    return { name, in: 'query' as const, ...(isRequired && { required: true }), ...list, ...described }
  })
  const ifNoneMatch = route.method === 'GET' && route.ofChain ? [IF_NONE_MATCH] : []
  return [...path, ...query, ...ifNoneMatch, ...(takesIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : [])]
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an answer that you have: 304 if it is the same.',
  schema: { ...HEADERS.ETag.schema, maxLength: 1000 },
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes a repeated request safe for 24 h: the same body gets the first answer again, another body 409.',
  schema: { type: 'string', pattern: '^[!-~]+$', minLength: 1, maxLength: 255, examples: ['first-alert'] },
}

/** The input types of the mutations behind the routes with a body. */
const INPUTS: Readonly<Record<string, string>> = {
  createAlert: 'CreateAlertInput',
  updateAlert: 'UpdateAlertInput',
  createKey: 'CreateApiKeyInput',
  updateKey: 'UpdateApiKeyInput',
  rotateKey: 'RotateApiKeyInput',
  createGatePolicy: 'CreateGatePolicyInput',
  updateGatePolicy: 'UpdateGatePolicyInput',
}

const EXAMPLES: Readonly<Record<string, object>> = {
  createAlert: { name: 'Deep and clean', conditions: { min_liquidity_usd: 200_000, exclude_flags: ['wash_trading'] } },
  updateAlert: { status: 'paused' },
  createKey: { name: 'Dashboard' },
  updateKey: { name: 'Dashboard' },
  rotateKey: { overlap_hours: 0 },
  createGatePolicy: { name: 'careful', rules: 'wash_trading:block', conditions: { min_liquidity_usd: 50_000 } },
  updateGatePolicy: { bounds: 'strict' },
}

const RECEIVER_URL: JsonSchema = {
  ...WEBHOOK_URL,
  description: 'The receiver: a URL of yours, or the URL that the service of a chat gives for messages.',
  examples: ['https://example.com/hooks/assay'],
}

/** An alert has a URL for every channel but email. */
const URL_OF_CHANNELS: JsonSchema = {
  if: { properties: { notification_channel: { enum: [...URL_CHANNELS] } }, required: ['notification_channel'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { url: RECEIVER_URL }, required: ['url'] },
  else: { not: { properties: { url: RECEIVER_URL }, required: ['url'] } },
}

/** Bodies that are the arguments of a query. */
const ARGUMENTS: Readonly<
  Record<string, (schemas: Components['schemas'], schemaOf: (name: string) => JsonSchema) => ArgumentsBody>
> = {
  backtestAlert: (schemas, schemaOf) => ({
    name: 'BacktestInput',
    description: 'What to look for in the past month.',
    properties: { conditions: addBodySchema('TokenFilter', schemas), from: schemaOf('from'), to: schemaOf('to') },
    required: 'conditions',
    example: { conditions: { min_liquidity_usd: 200_000, exclude_flags: ['wash_trading'] } },
  }),
  runSql: (_, schemaOf) => ({
    name: 'SqlInput',
    description: 'A question about the views.',
    properties: { query: { ...schemaOf('query'), minLength: 1, maxLength: SQL_LIMITS.text } },
    required: 'query',
    example: { query: 'SELECT token_symbol, count(*) AS swaps FROM events GROUP BY ALL ORDER BY swaps DESC LIMIT 10' },
  }),
}

interface ArgumentsBody {
  name: string
  description: string
  properties: Record<string, JsonSchema>
  required: string
  example: object
}

function argumentsBody({ document, summary }: Route, { schemas }: Components, make: (typeof ARGUMENTS)[string]) {
  const targets = targetsOf(document)
  const schemaOf = (name: string) => {
    const target = targets.get(name)
    if (!target) throw new Error(`the document takes no ${name}`)
    return sentSchema({ name }, target, schemas)
  }
  const { name, description, properties, required, example } = make(schemas, schemaOf)
  schemas[name] = { type: 'object', description, properties, required: [required], additionalProperties: false }
  const schema = { $ref: `#/components/schemas/${name}` }
  return { required: true, description: `${summary}.`, content: { 'application/json': { schema, example } } }
}

function bodyOf(route: Route, components: Components) {
  const { id, summary } = route
  const { schemas } = components
  const make = ARGUMENTS[id]
  if (make) return argumentsBody(route, components, make)
  const name = INPUTS[id]
  if (name === undefined) throw new Error(`${id} has a body and no input type`)
  const example = EXAMPLES[id]
  const schema = addBodySchema(name, schemas)
  if (id === 'createAlert') Object.assign(schemas[name] ?? {}, URL_OF_CHANNELS)
  return { required: true, description: `${summary}.`, content: { 'application/json': { schema, example } } }
}

/** The list as CSV. */
const CSV = {
  schema: {
    ...textSchema(10_000_000),
    description:
      'The list in CSV (RFC 4180), with a header: a column for each field. Lists within an item are JSON. Texts that begin like a formula get an apostrophe.',
  },
}

/** An answer of each operation over the demo chain; a test writes them. */
const ANSWERS: Readonly<Record<string, unknown>> = examples

/** The answers of a success, by status. */
function successesOf(route: Route, components: Components) {
  const { status, ofChain, method, list } = route
  const isPaged = list !== undefined && list !== 'whole'
  const headers = [...COMMON, ...(ofChain ? OF_CHAIN : [])]
  if (status === 204) return { 204: { description: 'It is deleted.', headers: headerRefs(headers) } }
  const tagged = method === 'GET' ? [...headers, 'ETag' as const] : headers
  const made =
    status === 201
      ? [...tagged, 'Location' as const, 'Idempotent-Replayed' as const]
      : isPaged
        ? [...tagged, 'Link' as const]
        : tagged
  const shaping = {
    names: NAMES[route.id] ?? {},
    unwraps: route.unwraps !== undefined || route.shape === toChangedAlert || route.shape === toChangedKey,
    adds: route.adds ?? [],
    isList: route.list !== undefined,
    isPaged,
  }
  const schema = answerSchema(route.document, shaping, components)
  return {
    [status]: {
      description: `${route.summary}.`,
      headers: headerRefs(made),
      content: {
        'application/json': { schema, example: ANSWERS[route.id] },
        ...(route.list && { 'text/csv': CSV }),
      },
    },
    ...(method === 'GET' && {
      304: { description: 'The answer in If-None-Match is still valid.', headers: headerRefs(tagged) },
    }),
  }
}

const serversOf = (chains: ChainPaths | undefined, origin: string) => {
  const listed = chainsToDescribe(chains)
  const here =
    origin === LOCAL_ORIGIN
      ? 'The local server as it starts without settings.'
      : 'The server that this came from, local or in production.'
  return (listed.length > 0 ? listed : [[null, ''] as const]).map(([name, each]) => ({
    url: `${origin}${each}/v1`,
    description: name === null ? here : `The chain ${name}.`,
    'x-internal': false,
  }))
}

/** Accounts are shared: only the default chain opens them. */
const atDefaultChain = (paths: object, origin: string) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, { servers: [{ url: `${origin}/v1` }], ...item }]),
  )

/** The committed and served description. */
export const printOpenApi = (options?: OpenApiOptions): string => `${JSON.stringify(createOpenApi(options), null, 2)}\n`
