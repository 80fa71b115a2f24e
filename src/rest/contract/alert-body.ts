// Pure. Turns the body of POST and PATCH /alerts into the input of the mutation, and reports all its faults. The
// conditions are the filter of GET /tokens, with JSON numbers for the numbers and an array for the flags.
import { checkWebhookUrl } from '../../alerts/webhook-url.ts'
import { parseAddress } from '../../base/address.ts'
import { parseTime } from '../../base/time.ts'
import { ALERT_STATUSES } from '../../base/vocabulary.ts'
import { NOTIFICATION_CHANNELS, URL_CHANNELS } from '../../fields/channels.ts'
import { toSnake, WORDS } from '../../fields/field.ts'
import { ALERT_CONDITIONS, ALERT_ROWS, checkFilter, type TokenFilter } from '../../fields/filter.ts'
import { type AddFault, isObject, type Json, openFaults, readLabel, refuseBody, refuseUnknown } from './body-fields.ts'
import type { Params } from './params.ts'

const FIELDS = {
  backtest: ['conditions', 'from', 'to'],
  create: ['name', 'conditions', 'notification_channel', 'url'],
  update: ['name', 'conditions', 'status', 'url'],
} as const

/** Reads a parsed body. `values.input` is the mutation's input; in an update, fields left out stay unchanged. */
export function readAlert(body: unknown, kind: 'create' | 'update'): Params {
  const { faults, addFault } = openFaults()
  if (!isObject(body)) return refuseBody()
  refuseUnknown(body, FIELDS[kind], '', addFault)
  const input: Json = {}
  if (kind === 'create' || 'name' in body) input.name = readLabel(body.name, addFault)
  if (kind === 'create' || 'conditions' in body) input.conditions = readConditions(body.conditions, addFault)
  if (kind === 'create' && 'notification_channel' in body) {
    input.notificationChannel = readWord(body, 'notification_channel', NOTIFICATION_CHANNELS, addFault)
  }
  if (kind === 'create') checkUrl(body, addFault)
  if ('url' in body) input.url = readUrl(body.url, addFault)
  if (kind === 'update' && 'status' in body) input.status = readWord(body, 'status', ALERT_STATUSES, addFault)
  return { values: { input }, faults }
}

/** Reads the body of a backtest: its values are those of the query. */
export function readBacktest(body: unknown): Params {
  const { faults, addFault } = openFaults()
  if (!isObject(body)) return refuseBody()
  refuseUnknown(body, FIELDS.backtest, '', addFault)
  const times = (['from', 'to'] as const).filter((field) => field in body)
  for (const field of times) {
    const time = body[field]
    if (typeof time !== 'string' || !parseTime(time)) addFault(field, 'must be an ISO 8601 time')
  }
  const [from, to] = [body.from, body.to].map((time) => (typeof time === 'string' ? parseTime(time) : null))
  if (from && to && from > to) addFault('from', 'must not be after to')
  const filter = readConditions(body.conditions, addFault)
  return { values: { filter, ...Object.fromEntries(times.map((field) => [field, body[field]])) }, faults }
}

/** Checks that there is a URL for every channel but email. */
function checkUrl(body: Json, addFault: AddFault): void {
  const channel = URL_CHANNELS.find((name) => name === body.notification_channel)
  if (channel && !('url' in body)) addFault('url', `is required with notification_channel ${channel}`)
  if (!channel && 'url' in body) addFault('url', `is of notification_channel ${URL_CHANNELS.join(' or ')} only`)
}

function readUrl(url: unknown, addFault: AddFault): unknown {
  const fault =
    typeof url === 'string' ? checkWebhookUrl(url, { allowsLoopback: true, ports: 'any' }) : 'must be a string'
  if (fault !== null) addFault('url', fault)
  return url
}

export function readWord(body: Json, field: string, words: readonly string[], addFault: AddFault): unknown {
  if (!words.some((word) => word === body[field])) addFault(field, `must be ${words.join(' or ')}`)
  return body[field]
}

export function readConditions(given: unknown, addFault: AddFault): TokenFilter {
  if (!isObject(given)) {
    addFault('conditions', given === undefined ? 'is required' : 'must be an object')
    return {}
  }
  refuseUnknown(given, ALERT_CONDITIONS, 'conditions.', addFault)
  const filter: Json = {}
  for (const [name, row] of ALERT_ROWS) {
    const wire = toSnake(name)
    if (!Object.hasOwn(given, wire)) continue
    const value = given[wire]
    const type = row.is === 'yes' ? 'boolean' : 'number'
    if (row.is === 'among') filter[name] = readAddresses(wire, value, row.most, addFault)
    else if (row.is === 'none' || row.is === 'any') filter[name] = readWords(wire, value, WORDS[row.of], addFault)
    else if (typeof value === type) filter[name] = value
    else addFault(`conditions.${wire}`, type === 'number' ? 'must be a JSON number' : 'must be true or false')
  }
  for (const { field, fault } of checkFilter(filter, (name) => `conditions.${toSnake(name)}`)) addFault(field, fault)
  return filter
}

/** Addresses in lower case, each once. */
function readAddresses(wire: string, value: unknown, most: number, addFault: AddFault): unknown {
  const read = Array.isArray(value)
    ? value.slice(0, most + 1).map((one) => (typeof one === 'string' ? parseAddress(one) : null))
    : [null]
  if (!read.includes(null)) return [...new Set(read)]
  addFault(`conditions.${wire}`, 'must be an array of addresses, each 0x and 40 hex digits')
  return undefined
}

function readWords(wire: string, value: unknown, known: readonly unknown[], addFault: AddFault): unknown {
  if (Array.isArray(value) && value.every((word) => known.includes(word))) return [...new Set(value)]
  addFault(`conditions.${wire}`, `must be an array of ${known.join(', ')}`)
  return undefined
}
