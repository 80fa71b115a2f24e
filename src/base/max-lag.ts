// How far the index may be behind its source before it is not ready. Input: the setting and a lag. Output: whether the
// lag is too long. Blocks of some chains come ten a second, so time tells more than their number.

/** A number of blocks, or a time. */
export type MaxLag = number | { seconds: number }

/** The lag of an index. */
export interface Lag {
  blocks: number
  /** Null: how long a block takes is not known yet. */
  seconds: number | null
}

/** So few blocks are no lag, however long they take; so many are one while their time is not known. */
const [FEW_BLOCKS, MANY_BLOCKS] = [10, 50]

export function isBehind({ blocks, seconds }: Lag, most: MaxLag): boolean {
  if (typeof most === 'number') return blocks > most
  if (seconds === null) return blocks > MANY_BLOCKS
  return blocks > FEW_BLOCKS && seconds > most.seconds
}

/** The setting in words. */
export const sayMaxLag = (most: MaxLag): string => (typeof most === 'number' ? String(most) : `${most.seconds} s`)
