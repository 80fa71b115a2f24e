// The sentence of what became of tokens like one.

import { countOf, toCount, toPercent } from '../words/numbers.ts'
import type { Alike } from './alike.ts'

const toAge = (hours: number): string => (hours < 24 ? countOf(hours, 'hour') : countOf(hours / 24, 'day'))

/** `Of 122 tokens like it, 2 % were pulled within 30 days (1 to 6 %).` Too few to tell: `Unproven: ...`. */
export function tellAlike({ tokens, pulled, share, from, to, proven, ageHours }: Alike): string {
  const like = `${countOf(tokens, 'token')} of this level at an age of ${toAge(ageHours)}`
  if (!proven) {
    const hit = `${pulled === 0 ? 'none' : toCount(pulled)} ${pulled === 1 || tokens === 1 ? 'was' : 'were'}`
    return `Unproven: of only ${like}, ${hit} pulled within 30 days`
  }
  const said = share === 0 ? 'none were' : `${toPercent(share)} were`
  return `Of ${like}, ${said} pulled within 30 days (${Math.floor(100 * from)} to ${Math.ceil(100 * to)} %)`
}
