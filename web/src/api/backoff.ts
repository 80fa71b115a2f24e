// The pause before the next try: twice as long each time, up to a bound, and never at the same moment for all readers.

const FIRST_MS = 3_000
const LONGEST_MS = 60_000
/** A server that asks for a longer wait gets no longer one. */
const LONGEST_TOLD_MS = 300_000

/**
 * Milliseconds before a try after `tries` failed ones. `chance`: 0 to 1. `toldSeconds`: the server's requested pause,
 * if any.
 */
export function retryDelay(tries: number, chance: number, toldSeconds = 0): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10))
  const told = Math.min(LONGEST_TOLD_MS, (toldSeconds || 0) * 1_000)
  return Math.max(told, most / 2) + (chance * most) / 2
}
