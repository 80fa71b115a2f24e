// Pure. The stream of a list of tokens in OpenAPI's form. A token in a message is that of `listTokens`.
import { QUERIES } from '../rest/contract/param.ts'
import { answerSchema, type Components } from './answer-schema.ts'
import { contentOf } from './event-stream.ts'
import { type JsonSchema, orNullSchema } from './json-schema.ts'

const SUMMARY = 'The first tokens of a filtered, sorted list as it changes'

/** The arguments, and the message without its tokens. */
const DOCUMENT = `subscription ($filter: TokenFilter, $sort: ScreenSort, $limit: Int, $after: ID) {
  answer: screen(filter: $filter, orderBy: $sort, first: $limit, after: $after) {
    block_number: blockNumber block_hash: blockHash reset retracted left
    placed { place is_new: isNew token_address: tokenAddress } } }`

const { ticket: _, ...query } = QUERIES.tokenStream
/** What its parameters are read from. */
export const TOKEN_STREAM_ROUTE = {
  id: 'streamTokens',
  method: 'GET',
  document: DOCUMENT,
  query,
  ofChain: false,
} as const

export const SCREEN_PLACE: JsonSchema = {
  type: 'string',
  pattern: '^(0|[1-9][0-9]{0,9})[.][0-9a-f]{8}[.][0-9a-f]{16}$',
  maxLength: 36,
  examples: ['5661.5ce2d520.90ab12cd34ef5678'],
}

/** Adds the components of the messages. */
export function addScreenSchemas(components: Components): void {
  const shaping = { names: {}, unwraps: false, adds: [], isList: false, isPaged: false }
  answerSchema(DOCUMENT, shaping, components)
  const placed = components.schemas.PlacedToken
  if (!placed?.properties) throw new Error('the stream of tokens has no placed tokens')
  const description = 'The token as GET /tokens has it now; null if a reorganisation removed it.'
  placed.properties.token = orNullSchema({ $ref: '#/components/schemas/Token' }, description)
  placed.required = [...(placed.required ?? []), 'token']
}

/** The operation without its parameters, errors and headers. */
export const tokenStreamOperation = {
  operationId: TOKEN_STREAM_ROUTE.id,
  summary: SUMMARY,
  description: `${SUMMARY}, as server-sent events. The first message has the whole list, and each further one leads to the list of a newer block. The page docs/streams.md has more.`,
  tags: ['Tokens'],
}

export const tokenStreamContent = contentOf(
  'ScreenUpdate',
  [
    'retry: 3000\n: welcome\n\n',
    'data: {"block_number":5661,"block_hash":"0x5ce2d520baf944ebd2ae18a21d9ef8ea3d5a5da33bd23c2fb484241edbb55224","reset":false,',
    '"retracted":false,"left":["0x53b99890e68641374569fabd8f6a27334d041914"],"placed":[]}\nid: 5661.5ce2d520.90ab12cd34ef5678\n\n',
  ].join(''),
)
