// Values of DuckDB as JSON. Whole numbers and decimals are numbers if those hold them, and strings otherwise. Times are
// ISO 8601 in UTC.
import {
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBValueConverter,
  type Json,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api'

/** Digits that a number holds exactly. */
const EXACT_DIGITS = 15

export const toJson: DuckDBValueConverter<Json> = (value, type, converter) =>
  plain(value) ?? JsonDuckDBValueConverter(value as DuckDBValue, type as DuckDBType, converter)

/** Undefined: the type has a form of its own. */
function plain(value: unknown): number | string | undefined {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof DuckDBDecimalValue) {
    const text = String(value)
    return text.replace(/\D/g, '').length <= EXACT_DIGITS ? Number(text) : text
  }
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return toIso(value.micros)
  return undefined
}

/** Undefined: outside of the years that the form has. */
function toIso(micros: bigint): string | undefined {
  const ms = Math.floor(Number(micros) / 1_000)
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
