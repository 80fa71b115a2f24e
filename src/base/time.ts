// Lengths of time. Parses times of callers: ISO 8601 (RFC 3339); offset, fraction and time of day are optional.

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400

/** The last second of the year 9999, in seconds since 1970. A later end counts as never. */
export const NEVER = 253_402_300_799

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:([Zz])|[+ -](\d{2}):(\d{2}))?)?$/

/** The range of a four-digit year, in milliseconds since 1970. A time that its offset moves out of it is clamped. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The time, or null when the text is not one (30 February included). Without an offset it is UTC, a date alone means
 * 00:00Z, and a space before the offset means `+`, which URLs decode to a space.
 */
export function parseTime(text: string): Date | null {
  const match = ISO.exec(text)
  if (!match) return null
  const [
    ,
    year,
    month,
    day,
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    ,
    offHour = '00',
    offMinute = '00',
  ] = match
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  const faithful = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day) && Number(hour) < 24
  if (!faithful || Number(offHour) > 23 || Number(offMinute) > 59) return null
  const west = match[9] !== undefined && text.at(-6) === '-'
  const offsetMs = (Number(offHour) * 60 + Number(offMinute)) * 60_000
  const timeMs = date.getTime() + (west ? offsetMs : -offsetMs)
  return new Date(Math.min(Math.max(timeMs, EARLIEST_MS), LATEST_MS))
}
