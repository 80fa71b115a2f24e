// The sentence of what became of tokens like one.

import { countOf, toCount, toPercent } from '../words/numbers.ts'
import type { Alike } from './alike.ts'

/** `1 hour`, `3 days`. */
export const toAge = (hours: number): string => (hours < 24 ? countOf(hours, 'hour') : countOf(hours / 24, 'day'))

/** The whole percents around an interval: `1 to 6 %`. */
export const toRange = ({ from, to }: Pick<Alike, 'from' | 'to'>): string =>
  `${Math.floor(100 * from)} to ${Math.ceil(100 * to)} %`

/** What the labels of the exam count: their makers call a fall by sales within a day a pull, too. */
const BECAME = 'pulled or fell by 90 % within 30 days'

/** `Of 122 tokens like it, 2 % were pulled or fell by 90 % within 30 days (1 to 6 %).` Too few to tell: `Unproven: ...`. */
export function tellAlike(alike: Alike): string {
  const { tokens, pulled, share, proven, ageHours } = alike
  const like = `${countOf(tokens, 'token')} of this level at an age of ${toAge(ageHours)}`
  if (!proven) {
    const hit = `${pulled === 0 ? 'none' : toCount(pulled)} ${pulled === 1 || tokens === 1 ? 'was' : 'were'}`
    return `Unproven: of only ${like}, ${hit} ${BECAME}`
  }
  const said = share === 0 ? 'none were' : `${toPercent(share)} were`
  return `Of ${like}, ${said} ${BECAME} (${toRange(alike)})`
}
