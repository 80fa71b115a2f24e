// Scalars beyond GraphQL's own: addresses in lower case, and times in UTC.
import { GraphQLError } from 'graphql'
import { parseAddress } from '../base/address.ts'
import { parseTime } from '../base/time.ts'
import { builder } from './builder.ts'

const refuse = (message: string): never => {
  throw new GraphQLError(message, { extensions: { code: 'INVALID_PARAMS' } })
}

builder.scalarType('Address', {
  description:
    'An EVM address: 0x and 40 hex digits. Upper and lower case are accepted, and checksums are not checked; answers use lower case.',
  serialize: (value) => value,
  parseValue: (value) =>
    (typeof value === 'string' ? parseAddress(value) : null) ?? refuse('an address must be 0x and 40 hex digits'),
})

builder.scalarType('DateTime', {
  description:
    'A time in UTC as ISO 8601, such as 2026-01-31T12:00:00.000Z. Input may have an offset; without one it is UTC, and a date alone means 00:00Z.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) =>
    (typeof value === 'string' ? parseTime(value) : null) ??
    refuse('a time must be ISO 8601, such as 2026-01-31T12:00:00Z'),
})
