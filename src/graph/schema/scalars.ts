// Scalars beyond GraphQL's own: addresses in lower case, and times in UTC.
import { GraphQLError } from 'graphql'
import { parseAddress } from '../../base/address.ts'
import { parseTime } from '../../base/time.ts'
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

builder.scalarType('Hash', {
  description: 'A hash of 32 bytes: 0x and 64 hex digits; answers use lower case.',
  serialize: (value) => value,
  parseValue: (value) =>
    typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
      ? value.toLowerCase()
      : refuse('a hash must be 0x and 64 hex digits'),
})

builder.scalarType('BigInt', {
  description: 'A whole number of any size, as a string of decimal digits, so that none of them is lost.',
  serialize: (value) => value.toString(),
  parseValue: (value) =>
    typeof value === 'string' && /^-?\d{1,78}$/.test(value)
      ? BigInt(value)
      : refuse('a BigInt must be a string of 1 to 78 decimal digits'),
})

builder.scalarType('Date', {
  description: 'A day in UTC as YYYY-MM-DD.',
  serialize: (value) => value.toISOString().slice(0, 10),
  parseValue: (value) =>
    (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? parseTime(value) : null) ??
    refuse('a day must be YYYY-MM-DD, such as 2026-01-31'),
})

builder.scalarType('Rows', {
  description: 'Rows as JSON: a list of objects, whose fields depend on the query. It is no input.',
  serialize: (value) => value,
  parseValue: () => refuse('rows are no input'),
})
