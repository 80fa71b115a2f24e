// Numbers as people say them: two digits, a unit that fits, and no more.
import type { Unit } from './risk-inputs.ts'

/** Made once: a formatter is looked up by its locale at each call of `toLocaleString`. */
const GROUPED = new Intl.NumberFormat('en-US')
export const toCount = (count: number): string =>
  count >= 0 && count < 999 ? `${Math.round(count)}` : GROUPED.format(Math.round(count))
export const toPercent = (share: number): string => `${toCount(100 * share)} %`
export const countOf = (count: number, noun: string): string =>
  `${toCount(count)} ${noun}${Math.round(count) === 1 ? '' : 's'}`

const UNITS: readonly (readonly [unit: number, letter: string])[] = [
  [1e12, 't'],
  [1e9, 'b'],
  [1e6, 'm'],
  [1e3, 'k'],
]

/** $1.2k, $34k, $560, $7.8m. */
export function sayUsd(usd: number): string {
  const [unit, letter] = UNITS.find(([unit]) => usd >= 0.9995 * unit) ?? [1, '']
  const amount = usd / unit
  return `$${amount >= 10 ? Math.round(amount) : Number(amount.toPrecision(2))}${letter}`
}

/** 0.034, 1.5, 27, 1,200. */
function toRatio(ratio: number): string {
  if (ratio >= 10) return toCount(ratio)
  return ratio < 0.01 ? 'less than 0.01' : String(Number(ratio.toPrecision(2)))
}

function toDuration(seconds: number): string {
  if (seconds < 0.5) return 'less than a second'
  if (seconds < 90) return countOf(seconds, 'second')
  if (seconds < 90 * 60) return countOf(seconds / 60, 'minute')
  return seconds < 36 * 3_600 ? countOf(seconds / 3_600, 'hour') : countOf(seconds / 86_400, 'day')
}

const WORDS: Readonly<Record<Unit, (value: number) => string>> = {
  usd: (value) => (value < 1 ? 'less than $1' : sayUsd(value)),
  share: toPercent,
  ratio: toRatio,
  hours: (value) => toDuration(3_600 * value),
  seconds: toDuration,
  step: (value) => (value > 0 ? `a round amount (a multiple of ${value})` : 'an amount that is not round'),
  inverse: (value) => countOf(1 / Math.max(value, 1e-6), 'equal trade'),
  wallet: (value) => countOf(value, 'wallet'),
  time: (value) => countOf(value, 'time'),
  hour: (value) => countOf(value, 'hour'),
}

/** A sentence about the past seven days, told of a token that is younger than they are. */
export const toLife = (text: string): string =>
  text
    .replace(/of the week(’|')s (trades|volume|sales)/, 'of its $2 so far')
    .replace(/the week(’|')s /g, 'its ')
    .replace('of the past 7 days had a trade', 'of its life had a trade')
    .replace(/in (the past 7|seven) days/, 'so far')
    .replace('began the past week with', 'began with')
    .replace('began the week with', 'began with')

/** Who the largest owner is, and how much it has: linked wallets count as one owner, and are not one holder. */
export const tellLargestOwner = (share: number, walletCount: number): string =>
  walletCount > 1
    ? `${toCount(walletCount)} linked wallets together own ${toPercent(share)} of the supply`
    : `one wallet owns ${toPercent(share)} of the supply`

/** What the wallets of a cluster hold: of the supply, and of what does not lie in pools where that is another number. */
export function tellCluster(heldShare: number, supplyShare: number): string {
  const [held, outside] = [toPercent(heldShare), toPercent(supplyShare)]
  return `linked wallets own ${held} of the supply${held === outside ? '' : `, ${outside} of what lies outside its pools`}`
}

/** A value of the unit in words. */
export const toWords = (value: number, unit: Unit): string => WORDS[unit](value)
