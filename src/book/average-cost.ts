// Pure. Average-cost accounting of one wallet in one token, and of the wallet over all its tokens. Quantities are whole
// tokens; dollars are doubles, and `null` means "not priced". Tokens received without a price (transfers in, unpriced
// buys) have no cost: their sale is left out of the profit and lowers the coverage.

/** What a wallet paid for its holding of a token, and its profit on what it sold. */
export interface Basis {
  /** Whole tokens whose cost is known. */
  costQuantity: number
  costUsd: number
  boughtUsd: number
  soldUsd: number
  /** The part of `soldUsd` whose cost is known. */
  soldKnownUsd: number
  realisedUsd: number
}

/** The totals over all tokens of a wallet. */
export interface Record {
  boughtUsd: number
  soldUsd: number
  soldKnownUsd: number
  realisedUsd: number
  closedCount: number
  winCount: number
  peakRealisedUsd: number
  maxDrawdownUsd: number
}

/**
 * A sale: the dollars received, the part with a known cost, and the profit on that part. `closed` is false if no cost
 * was known.
 */
export interface Sale {
  usd: number
  knownUsd: number
  realisedUsd: number
  closed: boolean
}

/** Differences below this share of a quantity are rounding errors of doubles. */
const ROUNDING = 1e-12

export const newBasis = (): Basis => ({
  costQuantity: 0,
  costUsd: 0,
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
})

export const newRecord = (): Record => ({
  boughtUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  realisedUsd: 0,
  closedCount: 0,
  winCount: 0,
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
  if (received <= 0) return
  basis.costQuantity += received
  basis.costUsd += usd
}

/**
 * Adds a sale: `given` whole tokens left the wallet (fees included) for `usd` dollars. Tokens with a known cost are
 * sold first.
 */
export function addSell(basis: Basis, given: number, usd: number | null): Sale {
  const known = Math.min(given, basis.costQuantity)
  const cost = takeCost(basis, known)
  if (usd === null) return { usd: 0, knownUsd: 0, realisedUsd: 0, closed: false }
  basis.soldUsd += usd
  if (!(known > 0)) return { usd, knownUsd: 0, realisedUsd: 0, closed: false }
  const knownUsd = given - known <= given * ROUNDING ? usd : usd * (known / given)
  const realisedUsd = knownUsd - cost
  basis.soldKnownUsd += knownUsd
  basis.realisedUsd += realisedUsd
  return { usd, knownUsd, realisedUsd, closed: true }
}

/**
 * Tokens left the wallet without a sale: caps the quantity with a known cost at what is held, and reduces the cost in
 * proportion.
 */
export function shrinkTo(basis: Basis, held: number): void {
  if (basis.costQuantity > held) takeCost(basis, basis.costQuantity - held)
}

/** Adds a buy to the wallet's record. */
export function recordBuy(record: Record, usd: number | null): void {
  record.boughtUsd += usd ?? 0
}

/**
 * Adds a sale to the wallet's record. A sale with a profit is a win; the drawdown is that of the running realised
 * profit.
 */
export function recordSale(record: Record, sale: Sale): void {
  record.soldUsd += sale.usd
  if (!sale.closed) return
  record.soldKnownUsd += sale.knownUsd
  record.realisedUsd += sale.realisedUsd
  record.closedCount += 1
  if (sale.realisedUsd > 0) record.winCount += 1
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
