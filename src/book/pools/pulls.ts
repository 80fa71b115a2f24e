// Who pulled liquidity. A pull empties a pool that was worth at least as much as the token's other pools hold; this
// wallet made the day's emptying removal. What it brings back to any pool of the token counts against it. The rule is
// that of the flag `liquidity_pulled`, decided at the removal, so that it does not end with the flag.
import { valueSupply } from '../balances/balance.ts'
import { positionAt } from '../rows/new-rows.ts'
import { quoteUsd } from '../rows/quotes.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, touchPosition, touchWallet, type Work } from '../rows/working-set.ts'

export const PULL = {
  /** Share of a pool that was removed within one day; from .9 to .98 the flag's recall falls from .97 to .91. */
  removed: 0.95,
  /** The least dollars in the pool before a pull. With a hundred, one pull in six was missed. */
  minUsd: 10,
  /** The reserve left, as a share of the reserve before, must be below this. */
  left: 0.1,
} as const

/** Returning this share of the pulled amount means that it was moved. */
const RETURNED = 0.5

/**
 * Of a removal: the share that the day's earlier removals left, and the pool's quote side before the first and after
 * this one.
 */
interface Removal {
  keptBefore: number
  before: number
  after: number
}

/** Records a removal that emptied its pool. */
export function notePull(work: Work, pool: PoolRecord, wallet: WalletRecord, removal: Removal): void {
  const kept = work.store.days.get(pool.id)?.keptFraction ?? 1
  if (pool.baseId === null || pool.quoteId === null) return
  // Only the removal that crosses the line counts: later removals have emptied nothing.
  if (kept > 1 - PULL.removed || removal.keptBefore <= 1 - PULL.removed) return
  // Tokens that a V3 pool burned leave it later, with Collect.
  if (pool.kind !== 'v3' && removal.after >= PULL.left * removal.before) return
  const base = tokenOf(work, pool.baseId)
  const usd = 2 * removal.before * quoteUsd(work, tokenOf(work, pool.quoteId))
  const elsewhereUsd = Math.max(0, base.liquidityUsd - pool.liquidityUsd)
  if (!base.indexed || usd < Math.max(elsewhereUsd, PULL.minUsd)) return
  const position = positionAt(work, base, wallet)
  if (position.pulledUsd === 0) {
    wallet.pulledCount += 1
    base.pullerCount += 1
  }
  position.pulledUsd += usd
  valueSupply(work, base)
  touchPosition(work, position)
  touchWallet(work, wallet)
}

/** Records a wallet's additions to a pool of a token that it once pulled. */
export function noteReturn(work: Work, pool: PoolRecord, wallet: WalletRecord, usd: number): void {
  const position = pool.baseId === null ? undefined : work.store.positions.get(pool.baseId, wallet.id)
  if (!position || position.pulledUsd === 0) return
  if (usd >= position.pulledUsd * RETURNED) {
    const base = tokenOf(work, position.tokenId)
    position.pulledUsd = 0
    wallet.pulledCount -= 1
    base.pullerCount -= 1
    valueSupply(work, base)
  } else position.pulledUsd -= usd
  touchPosition(work, position)
  touchWallet(work, wallet)
}
