// The newest blocks that the follower remembers, and the fork point of a new branch. Input: links, oldest first.
// Output: windows of contiguous links. The oldest link of a window is final and anchors all later links.
import type { Link } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'

/** One final link, then the links that may still be rolled back. Oldest first. */
export type ReorgWindow = readonly Link[]

/** The longest contiguous run at the end of the links; the ledger's older blocks are ignored. */
export function openWindow(links: readonly Link[]): ReorgWindow {
  let first = links.length - 1
  while (first > 0 && follows(links[first], links[first - 1])) first -= 1
  return links.slice(Math.max(0, first))
}

/** Whether the block follows directly on the other, by number and by parent hash. */
export const follows = (next: Link | undefined, previous: Link | undefined): boolean =>
  next !== undefined &&
  previous !== undefined &&
  next.number === previous.number + 1 &&
  next.parentHash === previous.hash

/** The links of blocks, without the rest of them. */
export const toLinks = (blocks: readonly Link[]): Link[] =>
  blocks.map(({ number, hash, parentHash }) => ({ number, hash, parentHash }))

/** The window without its final links, except the newest of them. */
export function prune(window: ReorgWindow, finalized: number): ReorgWindow {
  const first = window.findLastIndex(({ number }) => number <= finalized)
  return first > 0 ? window.slice(first) : window
}

/** The window up to and including the number. */
export const truncate = (window: ReorgWindow, to: number): ReorgWindow => window.filter(({ number }) => number <= to)

/** The newest link that is still on the chain; null when none of the links read from the chain matches. */
export function findFork(window: ReorgWindow, chain: readonly Link[]): Link | null {
  const hashes = new Map(chain.map(({ number, hash }) => [number, hash]))
  return window.findLast(({ number, hash }) => hashes.get(number) === hash) ?? null
}

/** A block that counted as final is no longer on the chain. */
export class BelowFinalityError extends RpcError {
  override name = 'BelowFinalityError'

  constructor(anchor: Link | undefined, startBlock: number) {
    const number = anchor?.number ?? startBlock
    const from = Math.max(startBlock, number - 1000)
    super(
      'rejected',
      `Block ${number} (${anchor?.hash ?? 'none'}) counted as final but is no longer on the chain: either the chain ` +
        'reorganised deeper than its finality, or RPC_URL leads to another chain. Nothing was changed. ' +
        `If the chain is the right one, run "assay reindex --from ${from}".`,
      {},
      number,
    )
  }
}
