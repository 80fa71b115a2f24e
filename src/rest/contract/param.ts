// Pure. Reads one query or path parameter: text in, value or fault out. A fault continues a sentence after the name.
import { parseAddress } from '../../base/address.ts'
import { parseEventId } from '../../base/event-id.ts'
import { FILTER_FIELDS, type FieldForm } from '../../base/filter.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { parseTime } from '../../base/time.ts'
import { ALERT_STATUSES, CLASSIFICATIONS, EVENT_TYPES, RISK_FLAGS, TOKEN_SORTS } from '../../base/vocabulary.ts'
import { parseCursor } from '../../stream/cursor.ts'

/** The value, or the fault of the text. */
export type Read = { value: unknown } | { fault: string }

export interface Param {
  /** The variable's name in the route's document. */
  name: string
  read(text: string): Read
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

const readFlags = listOf(RISK_FLAGS)

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

/** The place where a stream continues. */
export const readCursor = (text: string): Read => {
  const cursor = parseCursor(text)
  return cursor ? { value: cursor } : { fault: 'must be the id of an event or of a message, such as 5661-12-0' }
}

const PAGE: Record<string, Param> = {
  page: { name: 'page', read: readCount },
  limit: {
    name: 'limit',
    read: (text) => {
      const count = readCount(text)
      return 'value' in count ? { value: Math.min(Number(count.value), MAX_LIMIT) } : count
    },
  },
}

/** The token filter under the contract's names, without the fields of alerts only. */
const FILTER: Record<string, Param> = Object.fromEntries(
  (Object.entries(FILTER_FIELDS) as [string, FieldForm][])
    .filter(([, { isMore }]) => !isMore)
    .map(([name, { wire, type, ...bounds }]) => [
      wire,
      { name, read: type === 'flags' ? readFlags : (text: string) => readNumberParam(text, bounds) },
    ]),
)

/** The common parameters of both lists of events. */
const EVENTS: Record<string, Param> = {
  type: { name: 'type', read: oneOf(EVENT_TYPES) },
  after: { name: 'after', read: readEventId },
}

/** The query parameters of each list, by their names in the contract. */
export const QUERIES = {
  none: {},
  tokens: { sort: { name: 'sort', read: oneOf(TOKEN_SORTS) }, ...FILTER, ...PAGE },
  walletEvents: { ...EVENTS, ...PAGE },
  events: {
    ...EVENTS,
    token_address: { name: 'tokenAddress', read: readAddressParam },
    wallet_address: { name: 'walletAddress', read: readAddressParam },
    since: { name: 'since', read: readTime },
    ...PAGE,
  },
  eventStream: {
    ...EVENTS,
    after: { name: 'after', read: readCursor },
    token_address: { name: 'tokenAddress', read: readAddressParam },
    wallet_address: { name: 'walletAddress', read: readAddressParam },
    wallet_classification: { name: 'walletClassification', read: listOf(CLASSIFICATIONS) },
    min_amount_usd: { name: 'minAmountUsd', read: (text: string) => readNumberParam(text, { min: 0 }) },
    since: { name: 'since', read: readTime },
    from: { name: 'from', read: readTime },
    to: { name: 'to', read: readTime },
    from_block: { name: 'fromBlock', read: readBlock },
    to_block: { name: 'toBlock', read: readBlock },
  },
  alerts: { status: { name: 'status', read: oneOf(ALERT_STATUSES) }, ...PAGE },
} satisfies Record<string, Record<string, Param>>
