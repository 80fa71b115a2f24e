// The part of a wallet's trading that can be skill. Washed tokens and the legs of sandwiches (bought and sold in one
// pool within one block or second) do not count. Such a wallet makes its own price. Arbitrage between pools counts, because it
// predicts later profit. A wallet with excluded trades is judged by the others among its newest ones.

import { weekOf } from '../base/clock.ts'
import { addBuy, addSell, closePosition, newBasis, newRecord, recordSale } from '../book/rows/average-cost.ts'
import type { Basis } from '../book/rows/rows.ts'
import type { WalletFacts, WalletSwapFacts } from '../ledger/facts/facts.ts'
import { toBeats } from './beat.ts'

export type Skill = Pick<
  WalletFacts,
  'exitCount' | 'exitWinCount' | 'weekCount' | 'profitableWeekCount' | 'closedTokenCount' | 'swaps'
>

/** All of its life; with excluded trades, the rest of the newest swaps. */
export function readSkill(facts: WalletFacts): Skill {
  const washed = new Set(facts.washedTokenIds)
  const trips = listPoolTrips(facts.swaps)
  if (washed.size === 0 && trips.size === 0) return facts
  return countAnew(facts.swaps.filter((swap) => !washed.has(swap.tokenId) && !trips.has(swap)))
}

/** Trades whose token was traded the other way in the same pool at the same time: in one block, or one of its second. */
function listPoolTrips(swaps: readonly WalletSwapFacts[]): ReadonlySet<WalletSwapFacts> {
  const sides = new Map<string, Set<string>>()
  const beatOf = toBeats(swaps)
  const keyOf = (swap: WalletSwapFacts) => `${beatOf(swap)} ${swap.poolId} ${swap.tokenId}`
  for (const swap of swaps) {
    const key = keyOf(swap)
    const side = sides.get(key)
    if (side) side.add(swap.direction)
    else sides.set(key, new Set([swap.direction]))
  }
  return new Set(swaps.filter((swap) => sides.get(keyOf(swap))?.size === 2))
}

/** The exits and weeks of these swaps alone, by the ledger's accounting. */
function countAnew(swaps: WalletSwapFacts[]): Skill {
  const record = newRecord()
  const bases = new Map<number, Basis>()
  const weeks = new Map<number, number>()
  for (const { tokenId, direction, quantity, amountUsd, time } of swaps) {
    const basis = bases.get(tokenId) ?? newBasis()
    bases.set(tokenId, basis)
    if (direction === 'buy') {
      addBuy(basis, quantity, amountUsd)
      continue
    }
    const sale = addSell(basis, quantity, amountUsd)
    recordSale(record, sale)
    closePosition(basis)
    weeks.set(weekOf(time), (weeks.get(weekOf(time)) ?? 0) + sale.realisedUsd)
  }
  const results = [...weeks.values()].filter((usd) => usd !== 0)
  return {
    exitCount: record.exitCount,
    exitWinCount: record.exitWinCount,
    weekCount: results.length,
    profitableWeekCount: results.filter((usd) => usd > 0).length,
    closedTokenCount: [...bases.values()].filter(({ closedPositions }) => closedPositions > 0).length,
    swaps,
  }
}
