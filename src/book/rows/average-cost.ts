// Pure. Average-cost accounting of one wallet in one token, and of the wallet over all its tokens. Quantities are whole
// tokens; dollars are doubles, and `null` means "not priced". Tokens received without a price (transfers in, unpriced
// buys) have no cost: their sale is left out of the profit and lowers the coverage.

import type { Basis, TradeRecord } from './rows.ts'

/**
 * A sale: the dollars received, the part with a known cost, and the profit on that part. `known` is false if no cost
 * was known.
 */
export interface Sale {
  usd: number
  knownUsd: number
  realisedUsd: number
  known: boolean
  /** The change in the number of exits, and of exits with a profit. */
  exits: number
  exitWins: number
}

const UNKNOWN_COST = { knownUsd: 0, realisedUsd: 0, known: false, exits: 0, exitWins: 0 }

/**
 * A position is closed when no more than this share of its peak is left: the share at which a holder counts as gone.
 */
const LEFT_OVER = 0.05

/** Differences below this share of a quantity are rounding errors of doubles. */
const ROUNDING = 1e-12

export const newBasis = (): Basis => ({
  costQuantity: 0,
  costUsd: 0,
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
  openQuantity: 0,
  openResultUsd: null,
  closedPositions: 0,
  leftCostUsd: 0,
  exitResultUsd: null,
})

export const newRecord = (): TradeRecord => ({
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
  closedCount: 0,
  winCount: 0,
  exitCount: 0,
  exitWinCount: 0,
  peakRealisedUsd: 0,
  maxDrawdownUsd: 0,
})

/**
 * Adds a buy: `received` whole tokens arrived for `usd` dollars. A transfer fee on the way in raises the cost per
 * token; if nothing arrived, no cost is kept.
 */
export function addBuy(basis: Basis, received: number, usd: number | null): void {
  if (usd === null) return
  basis.boughtUsd += usd
  acquire(basis, received, usd)
}

/** Adds tokens at a cost that was no purchase: out of a pool, or from a wallet of the same owner. */
export function acquire(basis: Basis, received: number, usd: number): void {
  if (!(received > 0)) return
  // A tiny buy between two sales does not split one exit into two.
  if (received > LEFT_OVER * basis.openQuantity) basis.exitResultUsd = null
  basis.costQuantity += received
  basis.costUsd += usd
  basis.openQuantity = Math.max(basis.openQuantity, basis.costQuantity)
}

/**
 * Adds a sale: `given` whole tokens left the wallet (fees included) for `usd` dollars. Tokens with a known cost are
 * sold first. `isMade`: the wallet deployed the token, so tokens that it did not buy cost nothing. Selling those is all
 * profit, but no exit, because it proves no purchase right.
 */
export function addSell(basis: Basis, given: number, usd: number | null, isMade = false): Sale {
  const known = Math.min(given, basis.costQuantity)
  const cost = takeCost(basis, known)
  if (usd === null) {
    basis.leftCostUsd += cost
    return { ...UNKNOWN_COST, usd: 0 }
  }
  basis.soldUsd += usd
  if (!(known > 0) && !isMade) return { ...UNKNOWN_COST, usd }
  const boughtUsd = given - known <= given * ROUNDING ? usd : usd * (known / given)
  const knownUsd = isMade ? usd : boughtUsd
  const realisedUsd = knownUsd - cost
  basis.soldKnownUsd += knownUsd
  basis.realisedUsd += realisedUsd
  const counts = known > 0 ? noteResult(basis, boughtUsd - cost) : { exits: 0, exitWins: 0 }
  return { usd, knownUsd, realisedUsd, known: true, ...counts }
}

/** Adds a result to the open position and to the exit; returns the change of the numbers of exits. */
function noteResult(basis: Basis, usd: number): Pick<Sale, 'exits' | 'exitWins'> {
  if (basis.openQuantity > 0) basis.openResultUsd = (basis.openResultUsd ?? 0) + usd
  const before = basis.exitResultUsd
  const now = (before ?? 0) + usd
  basis.exitResultUsd = now
  return { exits: before === null ? 1 : 0, exitWins: Number(now > 0) - Number((before ?? 0) > 0) }
}

/**
 * Tokens with a cost leave without a sale, worth `usd` dollars at the market price. Null: not priced, so the cost
 * leaves without a result. `isTrade`: the result counts among exits and closed positions.
 */
export function addLeave(basis: Basis, quantity: number, usd: number | null, isTrade = true): Sale {
  const cost = takeCost(basis, quantity)
  if (usd === null) {
    basis.leftCostUsd += cost
    return { ...UNKNOWN_COST, usd: 0 }
  }
  const realisedUsd = usd - cost
  basis.realisedUsd += realisedUsd
  const counts = isTrade ? noteResult(basis, realisedUsd) : { exits: 0, exitWins: 0 }
  return { usd: 0, knownUsd: 0, realisedUsd, known: true, ...counts }
}

/** Adds a holding's income without a sale. */
export function earn(basis: Basis, usd: number): Sale {
  basis.realisedUsd += usd
  return { usd: 0, knownUsd: 0, realisedUsd: usd, known: true, exits: 0, exitWins: 0 }
}

/**
 * Tokens move to another wallet of the same owner, with their cost. The receiver realises the profit. The value at the
 * transfer decides whether the sender's position was won.
 */
export function moveCost(
  from: Basis,
  to: Basis,
  { given, arrived, marketUsd }: { given: number; arrived: number; marketUsd: number | null },
): Sale {
  const cost = takeCost(from, given)
  acquire(to, arrived, cost)
  if (!(arrived > 0)) from.leftCostUsd += cost
  const counts = marketUsd === null ? { exits: 0, exitWins: 0 } : noteResult(from, marketUsd - cost)
  return { usd: 0, knownUsd: 0, realisedUsd: 0, known: true, ...counts }
}

/**
 * Closes the position if hardly anything with a known cost is left, and returns its result. Null: it is still open,
 * there was none, or none of it was ever sold for a price.
 */
export function closePosition(basis: Basis): number | null {
  if (basis.openQuantity === 0 || basis.costQuantity > basis.openQuantity * LEFT_OVER) return null
  const result = basis.openResultUsd
  basis.openQuantity = 0
  basis.openResultUsd = null
  if (result !== null) basis.closedPositions += 1
  return result
}

/** Adds a buy to the wallet's record. */
export function recordBuy(record: TradeRecord, usd: number | null): void {
  record.boughtUsd += usd ?? 0
}

/** Adds a closed position to the wallet's record: with a profit it is a win. */
export function recordClosed(record: TradeRecord, resultUsd: number): void {
  record.closedCount += 1
  if (resultUsd > 0) record.winCount += 1
}

/** Adds a sale to the wallet's record; the drawdown is that of the running realised profit. */
export function recordSale(record: TradeRecord, sale: Sale): void {
  record.soldUsd += sale.usd
  if (!sale.known) return
  record.soldKnownUsd += sale.knownUsd
  record.realisedUsd += sale.realisedUsd
  record.exitCount += sale.exits
  record.exitWinCount += sale.exitWins
  record.peakRealisedUsd = Math.max(record.peakRealisedUsd, record.realisedUsd)
  record.maxDrawdownUsd = Math.max(record.maxDrawdownUsd, record.peakRealisedUsd - record.realisedUsd)
}

/**
 * Takes `quantity` out of the basis at its average cost and returns that cost. The last token takes the whole remaining
 * cost.
 */
function takeCost(basis: Basis, quantity: number): number {
  if (!(quantity > 0)) return 0
  const left = basis.costQuantity - quantity
  const cost = left <= basis.costQuantity * ROUNDING ? basis.costUsd : basis.costUsd * (quantity / basis.costQuantity)
  if (cost === basis.costUsd && left <= basis.costQuantity * ROUNDING) {
    basis.costQuantity = 0
    basis.costUsd = 0
  } else {
    basis.costQuantity = left
    basis.costUsd -= cost
  }
  return cost
}
