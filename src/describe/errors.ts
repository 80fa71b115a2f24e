// The errors of REST in OpenAPI's form: one response for each code, and the codes of each route.

import { type ErrorCode, STATUS_BY_CODE } from '../base/errors.ts'
import { keysOf } from '../base/keys-of.ts'
import { isPayable, type Route } from '../rest/contract/routes.ts'
import { COMMON, type HeaderName, headerRefs, OF_CHAIN } from './headers.ts'
import { type JsonSchema, openWords, SENTENCE, textSchema } from './json-schema.ts'

const WHEN: Readonly<Record<ErrorCode, { when: string; message: string; headers?: readonly HeaderName[] }>> = {
  INVALID_PARAMS: {
    when: 'The request is not valid; `details` names every fault.',
    message: 'limit must be an integer >= 1',
  },
  UNAUTHORIZED: {
    when: 'No key, or one that is malformed, unknown, revoked or expired.',
    message: 'Send a valid API key: Authorization: Bearer <API_KEY>.',
    headers: ['WWW-Authenticate'],
  },
  PAYMENT_REQUIRED: {
    when: 'Only where the operator takes payments, without a key: PAYMENT-REQUIRED has what to sign, by x402 version 2. `details` names every fault of a payment.',
    message: 'Send your API key, or pay: PAYMENT-REQUIRED has what to sign for PAYMENT-SIGNATURE.',
    headers: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'],
  },
  FORBIDDEN: {
    when: 'The plan does not allow it; or plain HTTP behind a trusted proxy.',
    message: 'Your plan allows 3 active alerts.',
  },
  NOT_FOUND: {
    when: 'The address is not indexed, as of the block in `Assay-Block`; or there is no such alert, which names no block.',
    message: 'This token is not indexed.',
    headers: OF_CHAIN,
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path exists, the method does not.',
    message: 'This path takes GET, HEAD, OPTIONS.',
  },
  CONFLICT: {
    when: 'An Idempotency-Key was used for something else, or its first request is under way.',
    message: 'This Idempotency-Key was used with another body within the past 24 hours.',
  },
  PAYLOAD_TOO_LARGE: { when: 'The body is above 16 KiB.', message: 'The body must not be larger than 16384 bytes.' },
  URI_TOO_LONG: { when: 'The URL is above 8 KiB.', message: 'The URL must not be longer than 8192 bytes.' },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not application/json in UTF-8.',
    message: 'Send the body as JSON in UTF-8, not compressed: Content-Type: application/json',
  },
  RATE_LIMITED: {
    when: 'A limit is used up; wait for Retry-After seconds.',
    message: 'The limit of 10 requests per minute is used up.',
    headers: ['Retry-After'],
  },
  SERVER_ERROR: {
    when: 'A fault of the server: try again in a moment, and name the request_id when you report it.',
    message: 'Something went wrong on our side. Try again in a moment.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'The answer took longer than 15 s, or the server is overloaded. It costs nothing.',
    message: 'The server is overloaded: try again in a moment.',
    headers: ['Retry-After'],
  },
}

const CODES = keysOf(STATUS_BY_CODE)
/** A method that a path does not take is no operation, so no operation has this response. */
const ANSWERED = CODES.filter((code) => code !== 'METHOD_NOT_ALLOWED')
const REQUEST_ID = 'e5ea556b-a18e-4ffe-b389-f0bac3b94d22'
const string = (description: string, more: JsonSchema): JsonSchema => ({ type: 'string', description, ...more })
const words = (description: string, known: readonly string[]): JsonSchema => ({
  ...openWords({ type: 'string', enum: known }),
  description,
  examples: known.slice(0, 1),
})

/** All faults of a request in one sentence. */
const MESSAGE = textSchema(100_000)

/** The schemas of the error body. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The body of every error.',
    properties: { error: { $ref: '#/components/schemas/ErrorDetail' } },
    required: ['error'],
  },
  ErrorDetail: {
    type: 'object',
    description: 'What went wrong.',
    properties: {
      code: words('The code; treat an unknown one by its status.', CODES),
      message: string('A sentence for people.', { ...MESSAGE, examples: ['limit must be an integer >= 1'] }),
      details: {
        type: 'array',
        description: 'Every fault of the request; only with INVALID_PARAMS and PAYMENT_REQUIRED.',
        items: { $ref: '#/components/schemas/Fault' },
        maxItems: 10_000,
      },
      request_id: string('The same as the header X-Request-Id.', {
        format: 'uuid',
        maxLength: 36,
        examples: [REQUEST_ID],
      }),
    },
    required: ['code', 'message', 'request_id'],
  },
  Fault: {
    type: 'object',
    description: 'One fault of a request.',
    properties: {
      location: words('Where it is.', ['query', 'path', 'body', 'header']),
      field: string('The name of the field; empty for the whole body.', { ...SENTENCE, examples: ['limit'] }),
      message: string('The fault and its fix.', {
        ...SENTENCE,
        examples: ['limit must be an integer >= 1'],
      }),
    },
    required: ['location', 'field', 'message'],
  },
}

/** The response of a code. */
function toResponse(code: ErrorCode) {
  const { when, message, headers = [] } = WHEN[code]
  const details = [{ location: 'query', field: 'limit', message }]
  const error = { code, message, ...(code === 'INVALID_PARAMS' && { details }), request_id: REQUEST_ID }
  return {
    description: when,
    headers: headerRefs([...COMMON, ...headers]),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { error } } },
  }
}

/** The common part of all routes. */
export const ERROR_RESPONSES = Object.fromEntries(ANSWERED.map((code) => [code, toResponse(code)]))

const EVERYWHERE: readonly ErrorCode[] = [
  'INVALID_PARAMS',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
]

/** The errors that a route can answer, by status. */
export function errorsOf(
  route: Pick<Route, 'method' | 'pathParam' | 'body'> & Partial<Pick<Route, 'query' | 'ofChain' | 'charge'>>,
): Record<string, { $ref: string }> {
  const codes: ErrorCode[] = [...EVERYWHERE]
  if (route.pathParam || (route.query && 'token' in route.query)) codes.push('NOT_FOUND')
  if (isPayable({ ofChain: false, ...route })) codes.push('PAYMENT_REQUIRED')
  if (route.method === 'POST') codes.push('CONFLICT')
  if (route.body) codes.push('UNSUPPORTED_MEDIA_TYPE')
  const byStatus = codes.sort((a, b) => STATUS_BY_CODE[a] - STATUS_BY_CODE[b])
  return Object.fromEntries(byStatus.map((code) => [STATUS_BY_CODE[code], { $ref: `#/components/responses/${code}` }]))
}
