// Removals that a transaction did not put back, recorded at its end. Liquidity that returned to pools of the same token
// was moved: into another range, another pool, or from a curve to an exchange. Only the returned quote counts, because
// the creator of the token has any amount of the token.

import { hasManyCoins } from '../../chain/exchanges/hooks.ts'
import { quoteSide } from '../prices/prices.ts'
import { noteRemoval } from '../rows/periods.ts'
import { quoteUsd } from '../rows/quotes.ts'
import { tokenOf, type Work } from '../rows/working-set.ts'
import type { Act } from './provision.ts'
import { notePull } from './pulls.ts'

/** Another range takes the two tokens in another ratio, so that a little stays with the owner. */
const DUST = 0.01

export function settleRemovals(work: Work, acts: readonly Act[]): void {
  for (const act of acts) {
    const { pool, wallet, isAdd, quoteBefore } = act
    // What a pool of many coins holds is unknown.
    if (isAdd || pool.quoteId === null || hasManyCoins(pool.hookRights)) continue
    const taken = quoteOf(act) * (1 - movedShare(work, acts, pool.baseId))
    const after = quoteSide(work, pool)
    if (!(taken > 0)) continue
    const { keptBefore, firstBefore } = noteRemoval(work, pool, { before: quoteBefore, taken, now: after })
    notePull(work, pool, wallet, { keptBefore, before: firstBefore, after })
  }
}

/** The share of the removals from a token's pools that returned to them, 0-1. */
function movedShare(work: Work, acts: readonly Act[], baseId: number | null): number {
  let [removed, added] = [0, 0]
  for (const act of acts) {
    const { pool, isAdd } = act
    if (pool.baseId !== baseId || pool.quoteId === null) continue
    const usd = quoteOf(act) * quoteUsd(work, tokenOf(work, pool.quoteId))
    if (isAdd) added += usd
    else removed += usd
  }
  const moved = added > 0 && removed > 0 ? added / removed : 0
  return moved > 1 - DUST ? 1 : moved
}

const quoteOf = ({ pool, sides }: Act): number => sides.find(({ token }) => token.id === pool.quoteId)?.quantity ?? 0
