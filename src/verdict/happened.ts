// What happened to a token at a moment, in the words of the verdict. Shares are 0-1.
import { toPercent } from '../words/numbers.ts'

/** From this part on a change of the supply in circulation is told. */
export const LEAST_SUPPLY_CHANGE = 0.01

/** `share`: the change, as a part of the supply before it. */
export const tellSupplyChange = (share: number): string =>
  `its supply in circulation ${share > 0 ? 'grew' : 'fell'} by ${toPercent(Math.abs(share))}`

export const tellLockEnd = (share: number): string => `a lock of ${toPercent(share)} of a pool's liquidity ended`
