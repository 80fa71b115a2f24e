// Pure. Turns the body of POST and PATCH /alerts into the input of the mutation, and reports every fault of it. The
// conditions are the filter of GET /tokens, with JSON numbers for the numbers and an array for the flags.
import { checkWebhookUrl } from '../../alerts/webhook-url.ts'
import { checkAlertName } from '../../base/alert.ts'
import type { Fault } from '../../base/errors.ts'
import { checkFilter, FILTER_FIELDS, type TokenFilter } from '../../base/filter.ts'
import { ALERT_STATUSES, NOTIFICATION_CHANNELS, RISK_FLAGS } from '../../base/vocabulary.ts'
import { clip, hint, MAX_FAULTS, type Params } from './params.ts'

type Json = Record<string, unknown>
type Blame = (field: string, message: string) => void

const FIELDS = {
  create: ['name', 'conditions', 'notification_channel', 'url'],
  update: ['name', 'conditions', 'status', 'url'],
} as const

const CONDITIONS = Object.values(FILTER_FIELDS).map(({ wire }) => wire)

/** Reads a parsed body. `values.input` is the mutation's input; in an update, fields left out stay unchanged. */
export function readAlert(body: unknown, kind: 'create' | 'update'): Params {
  const faults: Fault[] = []
  const blame: Blame = (field, message) =>
    faults.push({ location: 'body', field, message: `${field || 'the body'} ${message}` })
  if (!isObject(body)) {
    return { values: {}, faults: [{ location: 'body', field: '', message: 'the body must be a JSON object' }] }
  }
  refuseUnknown(body, FIELDS[kind], '', blame)
  const input: Json = {}
  if (kind === 'create' || 'name' in body) input.name = readName(body.name, blame)
  if (kind === 'create' || 'conditions' in body) input.conditions = readConditions(body.conditions, blame)
  if (kind === 'create' && 'notification_channel' in body) {
    input.notificationChannel = readWord(body, 'notification_channel', NOTIFICATION_CHANNELS, blame)
  }
  if (kind === 'create') checkUrl(body, blame)
  if ('url' in body) input.url = readUrl(body.url, blame)
  if (kind === 'update' && 'status' in body) input.status = readWord(body, 'status', ALERT_STATUSES, blame)
  return { values: { input }, faults }
}

function readName(name: unknown, blame: Blame): string {
  if (typeof name !== 'string') {
    blame('name', name === undefined ? 'is required' : 'must be a string')
    return ''
  }
  const checked = checkAlertName(name)
  if ('name' in checked && !/\p{Surrogate}/u.test(name)) return checked.name
  blame('name', 'fault' in checked ? checked.fault : 'must be valid Unicode')
  return ''
}

/** Whether there is a URL exactly where there has to be one. */
function checkUrl(body: Json, blame: Blame): void {
  const isWebhook = body.notification_channel === 'webhook'
  if (isWebhook && !('url' in body)) blame('url', 'is required with notification_channel webhook')
  if (!isWebhook && 'url' in body) blame('url', 'is of notification_channel webhook only')
}

function readUrl(url: unknown, blame: Blame): unknown {
  const fault =
    typeof url === 'string' ? checkWebhookUrl(url, { allowsLoopback: true, ports: 'any' }) : 'must be a string'
  if (fault !== null) blame('url', fault)
  return url
}

function readWord(body: Json, field: string, words: readonly string[], blame: Blame): unknown {
  if (!words.some((word) => word === body[field])) blame(field, `must be ${words.join(' or ')}`)
  return body[field]
}

function readConditions(given: unknown, blame: Blame): TokenFilter {
  if (!isObject(given)) {
    blame('conditions', given === undefined ? 'is required' : 'must be an object')
    return {}
  }
  refuseUnknown(given, CONDITIONS, 'conditions.', blame)
  const filter: Json = {}
  for (const [name, { wire }] of Object.entries(FILTER_FIELDS)) {
    if (!Object.hasOwn(given, wire)) continue
    const value = given[wire]
    if (name === 'excludeFlags' || name === 'includeFlags') filter[name] = readFlags(wire, value, blame)
    else if (typeof value === 'number') filter[name] = value
    else blame(`conditions.${wire}`, 'must be a JSON number')
  }
  for (const { field, fault } of checkFilter(filter, (name) => `conditions.${FILTER_FIELDS[name].wire}`))
    blame(field, fault)
  return filter
}

function readFlags(wire: string, value: unknown, blame: Blame): unknown {
  const known: readonly unknown[] = RISK_FLAGS
  if (Array.isArray(value) && value.every((flag) => known.includes(flag))) return [...new Set(value)]
  blame(`conditions.${wire}`, `must be an array of ${RISK_FLAGS.join(', ')}`)
  return undefined
}

function refuseUnknown(given: Json, known: readonly string[], prefix: string, blame: Blame): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name))
  for (const name of unknown.slice(0, MAX_FAULTS)) {
    blame(prefix + clip(name), `is not a field here${hint(name, known)}`)
  }
  const more = unknown.length - MAX_FAULTS
  if (more > 0) blame(prefix.slice(0, -1), `has ${more} more fields that are not fields here`)
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
