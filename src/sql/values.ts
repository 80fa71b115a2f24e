// Values of DuckDB as JSON. A column has one form, which its type alone decides; BIGINT is the exception. Times are ISO
// 8601 in UTC.
import {
  DuckDBDecimalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api'

/** Digits that a number holds exactly. */
const EXACT_DIGITS = 15

/** A value before its column is known as a whole: JSON, in which a BIGINT is still a `bigint`. */
export type Wide = bigint | Json | Wide[] | { [name: string]: Wide }

export const toWide: DuckDBValueConverter<Wide> = (value, type, converter) =>
  plain(value, type) ?? (JsonDuckDBValueConverter as DuckDBValueConverter<Wide>)(value, type, converter)

/** Undefined: the type has a form of its own. */
function plain(value: unknown, { typeId }: DuckDBType): bigint | number | string | undefined {
  if (typeof value === 'bigint')
    return typeId === DuckDBTypeId.HUGEINT || typeId === DuckDBTypeId.UHUGEINT ? String(value) : value
  if (value instanceof DuckDBDecimalValue) return value.width <= EXACT_DIGITS ? Number(String(value)) : String(value)
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return toIso(value.micros * 1_000n, 6) ?? String(value)
  if (value instanceof DuckDBTimestampMillisecondsValue) return toIso(value.millis * 1_000_000n, 6) ?? String(value)
  if (value instanceof DuckDBTimestampSecondsValue) return toIso(value.seconds * 1_000_000_000n, 6) ?? String(value)
  if (value instanceof DuckDBTimestampNanosecondsValue) return toIso(value.nanos, 9) ?? String(value)
  return undefined
}

const NANOS_A_SECOND = 1_000_000_000n

/** Undefined: outside of the years that the form has, as infinity is. */
function toIso(nanos: bigint, digits: number): string | undefined {
  const rest = ((nanos % NANOS_A_SECOND) + NANOS_A_SECOND) % NANOS_A_SECOND
  const date = new Date(Number((nanos - rest) / 1_000_000n))
  if (Number.isNaN(date.getTime())) return undefined
  return date.toISOString().replace('000Z', `${String(rest).padStart(9, '0').slice(0, digits)}Z`)
}

const isExact = (value: bigint): boolean => Number.isSafeInteger(Number(value))

/** Whether the value has a BIGINT that no number holds exactly. */
export function isLarge(value: Wide): boolean {
  if (typeof value === 'bigint') return !isExact(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(isLarge)
}

/** The value as JSON. Every BIGINT is a number, or a text where one of its column is too large for a number. */
export function toJson(value: Wide, asText: boolean): Json {
  if (typeof value === 'bigint') return asText ? String(value) : Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => toJson(each, asText))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toJson(each, asText)]))
}
