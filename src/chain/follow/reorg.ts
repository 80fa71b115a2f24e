// What the follower remembers of the newest blocks, and where a new branch leaves them. Comes in: links, oldest first; goes
// out: windows. Links of a window are contiguous; its oldest is final and serves as the anchor of everything after it.
import type { Link } from '../raw.ts'

/** The links that may still be rolled back, and before them one that may not. Oldest first. */
export type ReorgWindow = readonly Link[]

/** The longest contiguous end of the links: what a ledger keeps of older blocks does not count. */
export function openWindow(links: readonly Link[]): ReorgWindow {
  let first = links.length - 1
  while (first > 0 && follows(links[first], links[first - 1])) first -= 1
  return links.slice(Math.max(0, first))
}

/** Whether the block comes right after the other, by number and by hash. */
export const follows = (next: Link | undefined, previous: Link | undefined): boolean =>
  next !== undefined &&
  previous !== undefined &&
  next.number === previous.number + 1 &&
  next.parentHash === previous.hash

/** The window after blocks were appended. */
export const extend = (window: ReorgWindow, blocks: readonly Link[]): ReorgWindow => [
  ...window,
  ...blocks.map(({ number, hash, parentHash }) => ({ number, hash, parentHash })),
]

/** The window without what is final, but for the newest such link. */
export function prune(window: ReorgWindow, finalized: number): ReorgWindow {
  const first = window.findLastIndex(({ number }) => number <= finalized)
  return first > 0 ? window.slice(first) : window
}

/** The window up to the number, included. */
export const truncate = (window: ReorgWindow, to: number): ReorgWindow => window.filter(({ number }) => number <= to)

/** The newest link that the chain still has; null: none of those that were asked for. */
export function findFork(window: ReorgWindow, chain: readonly Link[]): Link | null {
  const hashes = new Map(chain.map(({ number, hash }) => [number, hash]))
  return window.findLast(({ number, hash }) => hashes.get(number) === hash) ?? null
}
