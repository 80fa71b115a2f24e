// How often the page may send queries by itself: as often as blocks come, but with at most half of the plan's remaining
// requests. A page that is left open thus leaves the other half for its reader.

/** The shortest time between two refreshes. */
const SHORTEST_MS = 2_000

interface Window {
  remaining: number
  seconds: number
}

let gapMs = SHORTEST_MS
let isLimited = false

/** Whether the plan limits requests: needless queries use up the reader's. */
export const isPlanLimited = (): boolean => isLimited

/** Milliseconds to leave between two refreshes. */
export const pace = (): number => gapMs

/** Reads the header `RateLimit` of an answer and the cost of its query. */
export function notePace(header: string | null, cost: number): void {
  const windows = readWindows(header)
  isLimited = windows.length > 0
  gapMs = Math.max(SHORTEST_MS, ...windows.map((window) => gapOf(window, Math.max(1, cost))))
}

const gapOf = ({ remaining, seconds }: Window, cost: number): number =>
  remaining < cost ? seconds * 1_000 : (seconds * 1_000 * cost * 2) / remaining

/** `"minute";r=9;t=37, "day";r=80;t=3600` */
function readWindows(header: string | null): Window[] {
  return (header ?? '').split(',').flatMap((part) => {
    const remaining = /;\s*r=(\d+)/.exec(part)?.[1]
    const seconds = /;\s*t=(\d+)/.exec(part)?.[1]
    return remaining && seconds ? [{ remaining: Number(remaining), seconds: Number(seconds) }] : []
  })
}
