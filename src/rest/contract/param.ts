// Pure. Reads one query or path parameter: text in, value or fault out. A fault continues a sentence after the name.
import { parseAddress } from '../../base/address.ts'
import { MAX_INTEGER, parseEventId } from '../../base/event-id.ts'
import { INTERVALS } from '../../base/interval.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { parseTime } from '../../base/time.ts'
import { ALERT_STATUSES, CLASSIFICATIONS, EVENT_TYPES, TOKEN_SORTS } from '../../base/vocabulary.ts'
import { type ListCondition, toSnake, WORDS } from '../../fields/field.ts'
import { CONDITION_ROWS } from '../../fields/token.ts'
import { WALLET_CONDITION_ROWS, WALLET_MEASURES } from '../../fields/wallet.ts'
import { GATE_ACTIONS } from '../../gate/decide.ts'
import { faultOfRules } from '../../gate/rules.ts'
import { POSITION_ORDERS, POSITION_STATUSES, TRADER_ORDERS } from '../../ledger/read/position-list.ts'
import { parseCursor } from '../../stream/cursor.ts'
import { isScreenPlace, SCREEN_SORTS } from '../../stream/screens.ts'

/** The value, or the fault of the text. */
export type Read = { value: unknown } | { fault: string }

export interface Param {
  /** The variable's name in the route's document. */
  name: string
  read(text: string): Read
  isRequired?: true
  /** Whether it is a list of words, separated by commas. A caller may repeat it instead. */
  isList?: true
}

const COUNT = /^[1-9][0-9]*$/
const MAX_COUNT = 9_999_999_999
/** A number as JSON writes it. A plus that is not percent-encoded arrives as a space. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+ -]?[0-9]+)?$/
/** A decimal number that JSON does not allow, such as 007, +5 or .5. */
const OTHER_NUMBER = /^[ +-]?[0-9]*\.?[0-9]+\.?(?:[eE][+ -]?[0-9]+)?$/

function readCount(text: string): Read {
  if (!COUNT.test(text)) return { fault: 'must be an integer >= 1' }
  return Number(text) > MAX_COUNT ? { fault: `must not be above ${MAX_COUNT}` } : { value: Number(text) }
}

/** A finite number within bounds, as JSON prints it. */
function readNumberParam(text: string, { min = -Infinity, max = Infinity }: { min?: number; max?: number }): Read {
  const value = NUMBER.test(text) ? Number(text.replace(' ', '+')) : Number.NaN
  if (Number.isFinite(value) && value >= min && value <= max) return { value }
  if (Math.abs(value) === Infinity) return { fault: 'is too large to be a number' }
  if (Number.isNaN(value) && OTHER_NUMBER.test(text))
    return { fault: 'must be written as JSON writes a number, such as 7 or 0.5' }
  if (max < Infinity) return { fault: `must be a number from ${min} to ${max}` }
  return { fault: min > -Infinity ? `must be a number >= ${min}` : 'must be a number' }
}

const oneOf =
  (words: readonly string[]) =>
  (text: string): Read =>
    words.includes(text) ? { value: text } : { fault: `must be one of ${words.join(', ')}` }

const listOf =
  (known: readonly string[]) =>
  (text: string): Read => {
    const words = [...new Set(text.split(','))]
    if (words.every((word) => known.includes(word))) return { value: words }
    return { fault: `must be a comma-separated list of ${known.join(', ')}` }
  }

const numberFrom = (bounds: { min?: number; max?: number }) => (text: string) => readNumberParam(text, bounds)

/** A count that may be 0, as far as GraphQL's integers go. */
const readWhole = (text: string): Read =>
  /^(?:0|[1-9][0-9]{0,9})$/.test(text) && Number(text) <= MAX_INTEGER
    ? { value: Number(text) }
    : { fault: `must be an integer from 0 to ${MAX_INTEGER}` }

const BLOCK = /^(?:0|[1-9][0-9]{0,9})$/
const readBlock = (text: string): Read =>
  BLOCK.test(text) ? { value: Number(text) } : { fault: `must be the number of a block, 0 to ${MAX_COUNT}` }

/** Reads an address in upper or lower case; returns it in lower case. */
export function readAddressParam(text: string): Read {
  const address = parseAddress(text)
  return address ? { value: address } : { fault: 'must be 0x and 40 hex digits' }
}

function readTime(text: string): Read {
  const time = parseTime(text)
  if (time) return { value: time.toISOString() }
  return { fault: 'must be a time in ISO 8601, such as 2026-01-31T12:00:00Z' }
}

const readEventId = (text: string): Read =>
  parseEventId(text) ? { value: text } : { fault: 'must be the id of an event, such as 5661-12-0' }

/** A place in a list, as a link to the next page has it. */
const readListCursor = (text: string): Read =>
  /^[\w-]{1,100}$/.test(text) ? { value: text } : { fault: 'must be a cursor from a link to the next page' }

/** The place where a stream continues. */
export const readCursor = (text: string): Read => {
  const cursor = parseCursor(text)
  return cursor ? { value: cursor } : { fault: 'must be the id of an event or of a message, such as 5661-12-0' }
}

/** The place where the stream of a list continues. */
export const readScreenPlace = (text: string): Read =>
  isScreenPlace(text)
    ? { value: text }
    : { fault: 'must be the id of a message of this stream, such as 5661.5ce2d520.90ab12cd34ef5678' }

const readFlag = (text: string): Read =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'must be true or false' }

/** The most addresses of one list. */
const MAX_ADDRESSES = 100
function readAddresses(text: string): Read {
  const addresses = [...new Set(text.split(',', MAX_ADDRESSES + 1).map(parseAddress))]
  if (addresses.length <= MAX_ADDRESSES && !addresses.includes(null)) return { value: addresses }
  return { fault: `must be 1 to ${MAX_ADDRESSES} addresses, separated by commas` }
}

/** Characters of a search. */
export const MAX_SEARCH = 64
const readSearch = (text: string): Read => {
  const length = [...text.trim()].length
  const isText = length > 0 && length <= MAX_SEARCH && !/[\p{Cc}\p{Surrogate}]/u.test(text)
  return isText
    ? { value: text }
    : { fault: `must have 1 to ${MAX_SEARCH} characters, none of them a control character` }
}

/** A larger limit counts as the largest. */
const limitOf = (most: number): Record<string, Param> => ({
  limit: {
    name: 'limit',
    read: (text) => {
      const count = readCount(text)
      return 'value' in count ? { value: Math.min(Number(count.value), most) } : count
    },
  },
})

const PAGE: Record<string, Param> = { page: { name: 'page', read: readCount }, ...limitOf(MAX_LIMIT) }
const TICKET = { ticket: { name: 'ticket', read: (text: string) => ({ value: text }) } }
const ORDER: Record<string, Param> = { order: { name: 'order', read: oneOf(['asc', 'desc']) } }

/** How the value of a condition is read. */
function readerOf(row: ListCondition): Param['read'] {
  if (row.is === 'least' || row.is === 'most') return row.whole ? readWhole : numberFrom(row)
  if (row.is === 'yes') return readFlag
  if (row.is === 'since') return readTime
  if (row.is === 'rank') return oneOf(WORDS[row.of])
  return row.is === 'among' ? (text) => ({ value: text.split(',') }) : listOf(WORDS[row.of])
}

/** Whether the value of a condition is a list. */
const isList = ({ is }: ListCondition): boolean => is === 'any' || is === 'none' || is === 'among'

/** The conditions of lists in REST, under the contract's names. */
const filterOf = (rows: readonly (readonly [string, ListCondition])[], names: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    rows.flatMap(([name, row]): [string, Param][] =>
      row.for === 'all'
        ? [[names[name] ?? toSnake(name), { name, read: readerOf(row), ...(isList(row) && { isList: true }) }]]
        : [],
    ),
  )
const FILTER = filterOf(CONDITION_ROWS)
const WALLET_FILTER = filterOf(WALLET_CONDITION_ROWS, { classifications: 'classification', kinds: 'kind' })

/** The common parameters of both lists of events. */
const EVENTS: Record<string, Param> = {
  type: { name: 'type', read: oneOf(EVENT_TYPES) },
  since: { name: 'since', read: readTime },
  until: { name: 'until', read: readTime },
  after: { name: 'after', read: readEventId },
  before: { name: 'before', read: readEventId },
  ...ORDER,
}

function readGateRules(text: string): Read {
  const fault = faultOfRules(text)
  return fault === null ? { value: text } : { fault }
}

/** The common parameters of the gate and its backtest. */
const POLICY: Record<string, Param> = {
  amount_usd: { name: 'amountUsd', read: numberFrom({ min: 0 }) },
  policy: { name: 'policy', read: (text) => ({ value: text }) },
  rules: { name: 'rules', read: readGateRules },
}

/** The query parameters of each list, by their names in the contract. */
export const QUERIES = {
  none: {},
  search: { query: { name: 'query', read: readSearch, isRequired: true }, ...limitOf(50) },
  tokens: {
    sort: { name: 'sort', read: oneOf(TOKEN_SORTS) },
    ...FILTER,
    addresses: { name: 'addresses', read: readAddresses, isList: true },
    as_of: { name: 'asOf', read: readWhole },
    ...PAGE,
  },
  gate: {
    token: { name: 'token', read: readAddressParam, isRequired: true },
    action: { name: 'action', read: oneOf(GATE_ACTIONS) },
    ...POLICY,
  },
  gateBacktest: {
    ...POLICY,
    age_hours: { name: 'ageHours', read: readWhole },
  },
  pages: PAGE,
  candles: {
    interval: { name: 'interval', read: oneOf(INTERVALS) },
    from: { name: 'from', read: readTime },
    to: { name: 'to', read: readTime },
    fill: { name: 'fill', read: readFlag },
    ...limitOf(1_000),
  },
  traders: { sort: { name: 'sort', read: oneOf(TRADER_ORDERS) }, ...limitOf(100) },
  wallets: {
    sort: { name: 'sort', read: oneOf(WALLET_MEASURES.map(toSnake)) },
    ...ORDER,
    ...WALLET_FILTER,
    after: { name: 'after', read: readListCursor },
    ...PAGE,
  },
  positions: {
    status: { name: 'status', read: oneOf(POSITION_STATUSES) },
    sort: { name: 'sort', read: oneOf(POSITION_ORDERS) },
    ...PAGE,
  },
  liquidity: limitOf(MAX_LIMIT),
  walletEvents: { ...EVENTS, ...PAGE },
  events: {
    ...EVENTS,
    token_address: { name: 'tokenAddress', read: readAddressParam },
    wallet_address: { name: 'walletAddress', read: readAddressParam },
    ...PAGE,
  },
  tokenStream: {
    ...TICKET,
    sort: { name: 'sort', read: oneOf(SCREEN_SORTS) },
    ...FILTER,
    ...limitOf(MAX_LIMIT),
    after: { name: 'after', read: readScreenPlace },
  },
  eventStream: {
    ...TICKET,
    type: { name: 'type', read: oneOf(EVENT_TYPES) },
    after: { name: 'after', read: readCursor },
    token_address: { name: 'tokenAddress', read: readAddressParam },
    wallet_address: { name: 'walletAddress', read: readAddressParam },
    wallet_classification: { name: 'walletClassification', read: listOf(CLASSIFICATIONS), isList: true },
    min_amount_usd: { name: 'minAmountUsd', read: numberFrom({ min: 0 }) },
    since: { name: 'since', read: readTime },
    from: { name: 'from', read: readTime },
    to: { name: 'to', read: readTime },
    from_block: { name: 'fromBlock', read: readBlock },
    to_block: { name: 'toBlock', read: readBlock },
  },
  alerts: { status: { name: 'status', read: oneOf(ALERT_STATUSES) }, ...PAGE },
} satisfies Record<string, Record<string, Param>>
