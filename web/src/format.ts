// Numbers, times and names in the form of the reader's locale. A sentence is English, and so are the times in it. An unknown
// value is "unknown", never 0.

import type { Unit } from '../../src/fields/field.ts'
import { inUnit, PERCENT } from '../../src/words/numbers.ts'

export const UNKNOWN = 'unknown'

const formats = new Map<string, Intl.NumberFormat>()

function format(value: number, options: Intl.NumberFormatOptions, locale?: string): string {
  const name = JSON.stringify([options, locale])
  let made = formats.get(name)
  if (!made) {
    // What prints as zero has no sign.
    made = new Intl.NumberFormat(locale, { signDisplay: 'negative', ...options })
    formats.set(name, made)
  }
  return isolate(made.format(value))
}

/** Letters of scripts that run from right to left, and the mark that numbers of their locales begin with. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f]/

/** Kept apart from the text around it: otherwise a date in Arabic and the words beside it change places. */
const isolate = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** Within a unit: one decimal, four digits at most. */
const SHORT: Intl.NumberFormatOptions = {
  maximumFractionDigits: 1,
  maximumSignificantDigits: 4,
  roundingPriority: 'lessPrecision',
}

type Amount = number | null | undefined
const isKnown = (value: Amount): value is number => value !== null && value !== undefined && Number.isFinite(value)

/** The sign of the dollar stands before the first digit, and after a minus. */
const inDollars = (value: number, options: Intl.NumberFormatOptions): string =>
  format(value, options).replace(/\p{Nd}/u, '$$$&')

/** $1.2m */
export function dollars(value: Amount): string {
  if (!isKnown(value)) return UNKNOWN
  const [amount, letter] = inUnit(value)
  if (letter !== '') return `${inDollars(amount, SHORT)}${letter}`
  const isCents = Math.abs(value) < 10 && value !== 0
  return inDollars(value, {
    ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
    trailingZeroDisplay: isCents ? 'auto' : 'stripIfInteger',
  })
}

/** A price with four significant digits; 0 means that the token is not priced, and no token is worth less than 1e-15. */
export const price = (value: Amount): string =>
  isKnown(value) && value > 1e-15
    ? inDollars(
        value,
        value >= 1
          ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
          : { maximumSignificantDigits: 4, minimumSignificantDigits: 2, maximumFractionDigits: 20 },
      )
    : UNKNOWN

/** A price in another token, with four significant digits. */
export const significant = (value: number): string =>
  format(value, { maximumSignificantDigits: 4, maximumFractionDigits: 20 })

/** 1.2m */
function short(value: number): string {
  const [amount, letter] = inUnit(value)
  return `${format(amount, SHORT)}${letter}`
}

export const count = (value: Amount): string =>
  !isKnown(value) ? UNKNOWN : value >= 100_000 ? short(value) : format(value, { maximumFractionDigits: 0 })

export const whole = (value: Amount): string => (isKnown(value) ? format(value, {}) : UNKNOWN)

export const blocks = (value: Amount): string => `${whole(value)} ${value === 1 ? 'block' : 'blocks'}`

export const quantity = (value: Amount): string =>
  !isKnown(value) ? UNKNOWN : value >= 1_000 ? short(value) : format(value, { maximumSignificantDigits: 4 })

export const score = (value: Amount): string => (isKnown(value) ? format(value, { maximumFractionDigits: 0 }) : UNKNOWN)

/** A risk: rounded down, so that the number lies in the level beside it. */
export const risk = (value: Amount): string => (isKnown(value) ? score(Math.floor(value)) : UNKNOWN)

/** Points with their sign, exact: with the base they make the score. */
export const points = (value: number): string =>
  format(value, { signDisplay: 'exceptZero', minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** A score beside the points that make it. */
export const hundredths = (value: number): string =>
  format(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const decimal = (value: Amount): string =>
  isKnown(value) ? format(value, { maximumSignificantDigits: 3 }) : UNKNOWN

/** A number of a token in the form of its unit. */
export function showNumber(unit: Unit, value: Amount): string {
  if (unit === 'USD') return dollars(value)
  if (unit === 'percent') return percent(value)
  if (unit === 'hours') return duration(isKnown(value) ? value * 3_600 : value)
  return unit === 'count' ? count(value) : decimal(value)
}

const percentDigits = (value: number): number => (Math.abs(value) < 10 ? 1 : 0)

/** A number that is in percent already. */
export const percent = (value: Amount, signed = false): string =>
  isKnown(value)
    ? `${format(value, {
        maximumFractionDigits: percentDigits(value),
        ...(signed && { signDisplay: 'exceptZero' as const }),
      })}${PERCENT}`
    : UNKNOWN

/** The colour of a number that is rounded to so many digits: a printed zero has none. */
function toneOf(value: number, digits: number): 'up' | 'down' | 'faint' {
  const shown = Math.round(Math.abs(value) * 10 ** digits)
  if (shown === 0) return 'faint'
  return value > 0 ? 'up' : 'down'
}

export const percentTone = (value: number) => toneOf(value, percentDigits(value))
export const dollarsTone = (value: number) => toneOf(value, 2)

const UNITS = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** "3 days" of a number of seconds: English words, as all words of the page. */
export function duration(seconds: Amount, unitDisplay: 'narrow' | 'long' = 'narrow'): string {
  if (!isKnown(seconds)) return UNKNOWN
  const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least * 1.5) ?? [1, 'second']
  // The narrow letter of months is that of minutes: "14m" would make an old token a launch.
  const isTwofold = unit === 'month' && unitDisplay === 'narrow'
  return format(
    Math.round(seconds / size),
    { style: 'unit', unit, unitDisplay: isTwofold ? 'short' : unitDisplay },
    ENGLISH,
  )
}

/** The language of times and numbers, which need not be that of the words. */
export const LOCALE = new Intl.NumberFormat().resolvedOptions().locale
/** For times within sentences: the reader's own English, or one whose dates nobody misreads. */
const ENGLISH = LOCALE.startsWith('en') ? LOCALE : 'en-GB'

/** The first format of times takes a browser longer than all scripts of the first screen, which shows no time. */
export function timeFormat(options: Intl.DateTimeFormatOptions, locale?: string): (time: Date | number) => string {
  let made: Intl.DateTimeFormat | undefined
  return (time) => {
    made ??= new Intl.DateTimeFormat(locale, options)
    return isolate(made.format(time))
  }
}

let relative: Intl.RelativeTimeFormat | undefined

/** A list of last month's trades needs their times: "1mo ago" of each would say nothing. */
const [NEAR_SECONDS, THIS_YEAR_SECONDS] = [3 * 86_400, 180 * 86_400]

/** "2m ago" at `now`, in milliseconds; a time further away than three days as date and time. */
export function when(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1_000
  if (Math.abs(seconds) > THIS_YEAR_SECONDS) return dateTime(iso)
  if (Math.abs(seconds) > NEAR_SECONDS) return shortTime(iso)
  const [size, unit] = UNITS.find(([least]) => Math.abs(seconds) >= least * 1.5) ?? [1, 'second']
  relative ??= new Intl.RelativeTimeFormat(undefined, { style: 'narrow' })
  return isolate(relative.format(Math.round(seconds / size), unit))
}

const toSecond = timeFormat({ dateStyle: 'medium', timeStyle: 'medium' })
const toDateTime = timeFormat({ dateStyle: 'medium', timeStyle: 'short' })
const toDate = timeFormat({ dateStyle: 'medium' })
const toDateInWords = timeFormat({ dateStyle: 'medium' }, ENGLISH)
const toTimeInWords = timeFormat({ dateStyle: 'medium', timeStyle: 'short' }, ENGLISH)
const toShortTime = timeFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' })

export const dateTime = (iso: string | null | undefined): string => (iso ? toDateTime(new Date(iso)) : UNKNOWN)
export const date = (iso: string | null | undefined): string => (iso ? toDate(new Date(iso)) : UNKNOWN)
/** Within a sentence. */
export const dateInWords = (iso: string): string => toDateInWords(new Date(iso))
export const timeInWords = (iso: string | null): string => (iso ? toTimeInWords(new Date(iso)) : UNKNOWN)
export const exactTime = (iso: string): string => toSecond(new Date(iso))
export const shortTime = (iso: string): string => toShortTime(new Date(iso))

/** Seconds from one time to another; null if one is unknown. */
export const secondsBetween = (from: string | null | undefined, to: string | null | undefined): number | null =>
  from && to ? (Date.parse(to) - Date.parse(from)) / 1_000 : null

export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Control characters, and those that turn the direction of the text around them or show nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a contract could hide in a name.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** A name that a stranger chose: nothing in it is hidden or turned around, and it is shortened to fit. */
export function foreign(text: string, most = 40): string {
  const shown = text.replace(UNSEEN, '\ufffd').trim()
  const signs = [...shown]
  if (signs.length === 0) return '(no name)'
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : shown
}

/** "smart_money_exiting" and "exitShare" as words. */
export const words = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
