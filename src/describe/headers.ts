// The headers of REST's answers and requests in OpenAPI's form.
import { integerSchema, type JsonSchema } from './json-schema.ts'

interface Header {
  description: string
  schema: JsonSchema
  required?: boolean
}

const text = (pattern: string, maxLength: number, example: string): JsonSchema => ({
  type: 'string',
  pattern,
  maxLength,
  examples: [example],
})

export const HEADERS = {
  'X-Request-Id': {
    description: "The request's identifier, the same as an error's `request_id` and in the log.",
    required: true,
    schema: { type: 'string', format: 'uuid', maxLength: 36, examples: ['e5ea556b-a18e-4ffe-b389-f0bac3b94d22'] },
  },
  'RateLimit-Policy': {
    description: "The account's windows: `q` requests in `w` seconds. None when the account has no limits.",
    schema: text('^"[a-z]+";q=[0-9]+;w=[0-9]+', 200, '"minute";q=10;w=60, "day";q=100;w=86400'),
  },
  RateLimit: {
    description: 'The rest of each window: `r` requests for `t` seconds. None when the account has no limits.',
    schema: text('^"[a-z]+";r=[0-9]+;t=[0-9]+', 200, '"minute";r=9;t=60, "day";r=99;t=51234'),
  },
  'Assay-Block': {
    description: 'The number of the block that the answer reflects. None before the first block is indexed.',
    schema: { ...integerSchema(0), examples: [5661], 'x-unit': 'block number' },
  },
  'Assay-Block-Time': {
    description: 'The time of that block: the "now" of every age and window.',
    schema: { type: 'string', format: 'date-time', maxLength: 24, examples: ['2025-11-08T08:53:20.000Z'] },
  },
  ETag: {
    description: 'Identifies these bytes; send it as If-None-Match to get 304 while the answer is the same.',
    schema: text('^"[A-Za-z0-9_-]+"$', 64, '"q83vEjRWeJASNFZ4mrze8BI0VniavN7w"'),
  },
  'Cache-Control': {
    description:
      'Whether the answer may be cached: `private, no-cache` may, and is validated by its ETag; `no-store` may not. A stream must not be transformed either.',
    required: true,
    schema: {
      type: 'string',
      enum: ['private, no-cache', 'no-store', 'no-store, no-transform'],
      examples: ['no-store'],
    },
  },
  Link: {
    description:
      'The address of the next page (RFC 8288), with `rel="next"`; none on the last page. Links of tokens keep the block of the list, those of wallets and events continue after a place. The page docs/rest.md says what following them guarantees.',
    schema: text('^<[^<>]+>; rel="next"$', 8300, '</v1/events?limit=50&before=5661-12-0>; rel="next"'),
  },
  Location: {
    description: 'The path of the created object.',
    required: true,
    schema: text(
      '^(/[a-z][a-z0-9_]*)?/v1/(alerts|me/keys|gate/policies)/',
      140,
      '/v1/alerts/5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac',
    ),
  },
  'Idempotent-Replayed': {
    description: 'Present when the answer is the stored one of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'], examples: ['true'] },
  },
  'Retry-After': {
    description: 'Whole seconds. After a 429 a client that waits this long is served; after a 503 it may try again.',
    schema: { ...integerSchema(1, 86_400), examples: [60], 'x-unit': 'seconds' },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the key; with `error="invalid_token"` when a key was sent.',
    required: true,
    schema: text('^Bearer realm="assay"', 100, 'Bearer realm="assay"'),
  },
  'PAYMENT-REQUIRED': {
    description: 'What to sign, as JSON in base64: a PaymentRequired of x402 version 2.',
    required: true,
    schema: text('^[A-Za-z0-9+/]+=*$', 8300, 'eyJ4NDAyVmVyc2lvbiI6Mn0='),
  },
  'PAYMENT-RESPONSE': {
    description: 'The transfer of a payment, or why there is none, as JSON in base64: a SettlementResponse of x402.',
    schema: text('^[A-Za-z0-9+/]+=*$', 8300, 'eyJzdWNjZXNzIjp0cnVlfQ=='),
  },
  'Access-Control-Allow-Origin': {
    description: 'Browsers may ask from any page; there are no cookies.',
    required: true,
    schema: { type: 'string', enum: ['*'], examples: ['*'] },
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

/** References to some of the headers, for a response. */
export const headerRefs = (names: readonly HeaderName[]): Record<string, { $ref: string }> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of every answer to a valid key. */
export const COMMON: readonly HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Policy',
  'RateLimit',
  'Cache-Control',
  'Access-Control-Allow-Origin',
]
/** The headers of every answer with data of the chain. */
export const OF_CHAIN: readonly HeaderName[] = ['Assay-Block', 'Assay-Block-Time']
