// Pure. The parameters of REST that are no variables of the routes' documents, because GraphQL has another form of them.
import { DEFAULT_LIMIT, MAX_LIMIT } from '../base/page.ts'
import { TOKEN_SORTS } from '../base/vocabulary.ts'
import { integerSchema, type JsonSchema, LARGEST } from './json-schema.ts'
import { ADDRESS_SENT, EVENT_ID_SENT, TIME_SENT } from './texts.ts'

interface Described {
  description: string
  schema: JsonSchema
}

const COUNT = integerSchema(1, LARGEST.tenDigits)
const ADDRESS = { ...ADDRESS_SENT, examples: ['0x53b99890e68641374569fabd8f6a27334d041914'] }
const TIME = { ...TIME_SENT, examples: ['2025-11-08T08:53:20.000Z'] }
const EVENT_ID = { ...EVENT_ID_SENT, examples: ['5661-12-0'] }

/** By their names in a query. */
export const OWN_PARAMETERS: Readonly<Record<string, Described>> = {
  page: {
    description: 'The number of the page, from 1.',
    schema: { ...COUNT, 'x-unit': 'page number, from 1', examples: [1], default: 1 },
  },
  limit: {
    description: `The largest number of items per page, from 1; a larger value than ${MAX_LIMIT} counts as ${MAX_LIMIT}.`,
    schema: { ...COUNT, 'x-unit': 'items', examples: [DEFAULT_LIMIT], default: DEFAULT_LIMIT },
  },
  sort: {
    description:
      'The order of the list; equal tokens are ordered by address. `gainers` and `losers` are by the change of price in 24 hours.',
    schema: { type: 'string', enum: TOKEN_SORTS, examples: ['trending'], default: 'trending' },
  },
  as_of: {
    description:
      "The block of the list's members and order, as the link to the next page has it; the newest if left out. Refused once the block is no longer kept.",
    schema: { ...integerSchema(0), 'x-unit': 'block number', examples: [5661] },
  },
  type: {
    description: 'Only events of this type; all types if left out.',
    schema: { $ref: '#/components/schemas/EventType', examples: ['swap'] },
  },
  since: { description: 'Only events after this time (exclusive).', schema: TIME },
  until: { description: 'Only events up to this time (inclusive).', schema: TIME },
  after: {
    description: 'Only events after the one with this `id` in the order of the chain.',
    schema: EVENT_ID,
  },
  before: {
    description: 'Only events before the one with this `id` in the order of the chain.',
    schema: EVENT_ID,
  },
  order: {
    description: 'The order of the list: `desc` is newest first, `asc` oldest first.',
    schema: { $ref: '#/components/schemas/SortDirection', examples: ['asc'], default: 'desc' },
  },
  token_address: { description: 'Only events of this token; empty if it is not indexed.', schema: ADDRESS },
  wallet_address: {
    description: 'Only events of this wallet, including transfers to it; empty if it is not indexed.',
    schema: ADDRESS,
  },
}
