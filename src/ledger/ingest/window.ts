// Trailing windows, exact to the micro-dollar and to the holder: what a block did enters, and leaves when the newest
// block's time has moved on by the window's length, whether or not the token is touched by then.
import type { TokenBlockRow } from './rows.ts'
import { type Queue, tokenOf, touchToken, type Work } from './work.ts'

/** Length of the volume window in seconds. */
export const VOLUME_WINDOW_SECONDS = 86_400
/** How far back holder growth looks, in seconds. */
export const HOLDER_WINDOW_SECONDS = 3_600

/** Lets go of what is no longer inside (now - length, now]. */
export function leaveWindows(work: Work): void {
  const { leaving, block } = work
  drain(leaving.volume, block.time - VOLUME_WINDOW_SECONDS, (row) => {
    if (row.volumeMicroUsd === 0n) return
    const token = tokenOf(work, row.tokenId)
    token.volume24hMicroUsd -= row.volumeMicroUsd
    touchToken(work, token)
  })
  drain(leaving.holders, block.time - HOLDER_WINDOW_SECONDS, (row) => {
    if (row.holderDelta === 0) return
    const token = tokenOf(work, row.tokenId)
    token.holderCount1hAgo += row.holderDelta
    touchToken(work, token)
  })
}

/** Enters what the block did, in the order of the tokens' identifiers. */
export function enterWindows(work: Work): void {
  const effects = [...work.effects].sort(([a], [b]) => a.id - b.id)
  for (const [token, { volumeMicroUsd, holderDelta }] of effects) {
    if (volumeMicroUsd === 0n && holderDelta === 0) continue
    const { number, time } = work.block
    const row: TokenBlockRow = { blockNumber: number, tokenId: token.id, time, volumeMicroUsd, holderDelta }
    token.volume24hMicroUsd += volumeMicroUsd
    touchToken(work, token)
    work.changes.tokenBlocks.push(row)
    work.leaving.volume.rows.push(row)
    work.leaving.holders.rows.push(row)
  }
  work.effects.clear()
}

function drain(rows: Queue, until: number, leave: (row: TokenBlockRow) => void): void {
  while (rows.next < rows.rows.length) {
    const row = rows.rows[rows.next]
    if (!row || row.time > until) return
    leave(row)
    rows.next += 1
  }
}
