// Trailing windows, exact to the micro-dollar and the holder. A block's changes enter at once. They leave when the
// newest block is later by the window's length, even if their token has not changed since.
import type { TokenBlockRecord } from './rows.ts'
import { type Leaver, type Leaving, type Queue, tokenOf, touchToken, type Work } from './working-set.ts'

/** Length of the volume window in seconds. */
export const VOLUME_WINDOW_SECONDS = 86_400
/** Length of the holder-growth window in seconds. */
export const HOLDER_WINDOW_SECONDS = 3_600

/** Removes the changes that are no longer inside (now - length, now]. */
export function leaveWindows(work: Work): void {
  const { leaving, block } = work
  drain(leaving.volume, block.time - VOLUME_WINDOW_SECONDS, ({ tokenId, amount }) => {
    const token = tokenOf(work, tokenId)
    token.volume24hMicroUsd -= amount
    touchToken(work, token)
  })
  drain(leaving.holders, block.time - HOLDER_WINDOW_SECONDS, ({ tokenId, amount }) => {
    const token = tokenOf(work, tokenId)
    token.fundedHolderCount1hAgo += Number(amount)
    touchToken(work, token)
  })
}

/** Adds the block's changes, in the order of token ids. */
export function enterWindows(work: Work): void {
  const effects = [...work.effects].sort(([a], [b]) => a.id - b.id)
  const { tokenBlocks } = work.changes
  const { volume, holders } = work.leaving
  for (const [token, { volumeMicroUsd, holderDelta }] of effects) {
    if (volumeMicroUsd === 0n && holderDelta === 0) continue
    const { number, time } = work.block
    const tokenId = token.id
    tokenBlocks.push({ blockNumber: number, tokenId, time, volumeMicroUsd, holderDelta })
    if (volumeMicroUsd !== 0n) volume.leavers.push({ tokenId, time, amount: volumeMicroUsd })
    if (holderDelta !== 0) holders.leavers.push({ tokenId, time, amount: BigInt(holderDelta) })
    token.volume24hMicroUsd += volumeMicroUsd
    touchToken(work, token)
  }
  work.effects.clear()
}

/** The parts of these rows that will leave a window later. */
export const toLeavers = (rows: readonly TokenBlockRecord[], window: keyof Leaving): Leaver[] =>
  rows
    .map(({ tokenId, time, volumeMicroUsd, holderDelta }) => ({
      tokenId,
      time,
      amount: window === 'volume' ? volumeMicroUsd : BigInt(holderDelta),
    }))
    .filter(({ amount }) => amount !== 0n)

function drain(queue: Queue, until: number, leave: (leaver: Leaver) => void): void {
  for (let leaver = queue.leavers[queue.next]; leaver && leaver.time <= until; leaver = queue.leavers[++queue.next])
    leave(leaver)
}
