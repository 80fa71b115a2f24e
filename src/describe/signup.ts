// Pure. Signing up in OpenAPI's form. Its two requests are no routes of the table: they need no key, and their answers
// are no documents.
import type { ErrorCode } from '../base/errors.ts'
import { STATUS_BY_CODE } from '../base/errors.ts'
import { CONFIRM_PATH, SIGNUP_PATH } from '../rest/contract/signup.ts'
import type { Components } from './answer-schema.ts'
import { COMMON, headerRefs } from './headers.ts'
import { type JsonSchema, openWords, orNullSchema, SENTENCE } from './json-schema.ts'
import { EMAIL as EMAIL_TEXT, KEY, KEY_ID } from './texts.ts'

const TOKEN: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$', maxLength: 43 }
const EXAMPLE_KEY = 'assay_live_Wq3vEjRWeJASNFZ4mrze8BI0VniavN7w12ab'
const EXAMPLE_MESSAGE = 'If the address can get one, a mail with a link is on its way.'
const EXAMPLE_TOKEN = 'kM3vQ0Zb2yq1cXw8dN5rT7uJ4hF6gS9aLpEoVxBnIiY'
const EMAIL: JsonSchema = { ...EMAIL_TEXT, examples: ['you@example.com'] }

const SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  SignupInput: {
    type: 'object',
    description: 'The wish to get a link by mail.',
    properties: {
      email: { ...EMAIL, description: 'Your mail address, in ASCII.' },
      invite: { ...TOKEN, description: 'The code of an invite, for a new account.', examples: [EXAMPLE_TOKEN] },
    },
    required: ['email'],
    additionalProperties: false,
  },
  SignupAnswer: {
    type: 'object',
    description: 'The same answer for every address.',
    properties: {
      message: {
        ...SENTENCE,
        description: 'A sentence for people.',
        examples: [EXAMPLE_MESSAGE],
      },
    },
    required: ['message'],
  },
  SignupToken: {
    type: 'object',
    description: 'The token of a link.',
    properties: { token: { ...TOKEN, description: 'The part of the link after #token=.', examples: [EXAMPLE_TOKEN] } },
    required: ['token'],
    additionalProperties: false,
  },
  SignupKey: {
    type: 'object',
    description: 'The account of a link, with a key.',
    properties: {
      key: {
        ...KEY,
        description: 'The key. It is shown only here.',
        examples: [EXAMPLE_KEY],
      },
      key_id: {
        ...KEY_ID,
        description: 'The identifier of the key.',
        examples: ['12'],
      },
      email: { ...EMAIL, description: 'The address of the account.' },
      plan: {
        ...openWords({ $ref: '#/components/schemas/Plan' }),
        description: 'The plan of the account.',
        examples: ['free'],
      },
      expires_at: {
        ...orNullSchema({ type: 'string', format: 'date-time', maxLength: 24 }),
        description: 'When the key ends by itself, after a sign-in; null: it does not.',
        examples: ['2025-11-09T08:54:20.000Z'],
      },
    },
    required: ['key', 'key_id', 'email', 'plan', 'expires_at'],
  },
}

/** Adds the components of bodies and answers. */
export function addSignupSchemas({ schemas }: Components): void {
  Object.assign(schemas, SCHEMAS)
}

const COMMON_ERRORS: readonly ErrorCode[] = [
  'INVALID_PARAMS',
  'FORBIDDEN',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
]

interface Step {
  id: string
  summary: string
  description: string
  body: string
  example: object
  status: 201 | 202
  answer: string
  exampleAnswer: object
}

const toOperation = ({ id, summary, description, body, example, status, answer, exampleAnswer }: Step) => ({
  operationId: id,
  summary,
  description,
  tags: ['Account'],
  // No key is needed.
  security: [],
  requestBody: {
    required: true,
    description: `${summary}.`,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` }, example } },
  },
  responses: {
    [status]: {
      description: `${summary}.`,
      headers: headerRefs(COMMON),
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${answer}` }, example: exampleAnswer } },
    },
    ...Object.fromEntries(
      COMMON_ERRORS.map((code) => [STATUS_BY_CODE[code], { $ref: `#/components/responses/${code}` }]),
    ),
  },
})

/** The operations by their paths. */
export const SIGNUP_OPERATIONS: Readonly<Record<string, object>> = {
  [SIGNUP_PATH]: {
    post: toOperation({
      id: 'signUp',
      summary: 'Asks for a mail with a link that gives a key',
      description:
        'Asks for a mail with a link that gives a key. It is 404 unless the server lets people sign up. The answer is the same for every address.',
      body: 'SignupInput',
      example: { email: 'you@example.com' },
      status: 202,
      answer: 'SignupAnswer',
      exampleAnswer: { message: EXAMPLE_MESSAGE },
    }),
  },
  [CONFIRM_PATH]: {
    post: toOperation({
      id: 'confirmSignup',
      summary: 'Uses the link of a mail up, and answers a key',
      description:
        'Uses the link of a mail up, and answers a key. A new account gets one for good, an account that exists one for a day.',
      body: 'SignupToken',
      example: { token: EXAMPLE_TOKEN },
      status: 201,
      answer: 'SignupKey',
      exampleAnswer: { key: EXAMPLE_KEY, key_id: '12', email: 'you@example.com', plan: 'free', expires_at: null },
    }),
  },
}
