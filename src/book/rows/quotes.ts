// Quotes and units of prices. A token may be quoted in a hub: a token that its own pools price, at most three pools
// away from the chain's money. The preset names hubs. Others are found: in a pool of two tokens, the one with a price
// quotes the one without. Anybody may own a found hub, so it lends no more money than its own pools have. A price that
// leads back to the token does not count. Prices in hubs are stored in them: a hub is a unit like the native coin, and
// its price is applied at reading.
import { finite } from '../../base/amount.ts'
import type { Known } from './known.ts'
import type { BlockRecord, PoolRecord, TokenRecord } from './rows.ts'
import { need, tokenOf, touchToken, type Work } from './working-set.ts'

/** Pools from a token to the chain's money. */
export const MOST_HOPS = 3

/**
 * The most units, besides those of the preset: each takes some bytes in every block. A hub beyond the bound uses its
 * own unit.
 */
export const MOST_UNITS = 500

/**
 * Bounds on prices stored in a unit, and on the dollars of a unit. Other prices are stored in dollars, or are none. All
 * results thus stay in the range of a double; PostgreSQL would refuse larger ones.
 */
const KEPT = { least: 1e-60, most: 1e60 }
const COUNTED = { least: 1e-40, most: 1e40 }

/** The least dollars in the own pools of a found hub, as a multiple of the least that prices any token [G]. */
const FOUND_DEPTH = 5

const isNamed = ({ quoteRank }: Known, { address }: TokenRecord): boolean => quoteRank.has(address)

/**
 * Dollars per whole quote token, at the current price of its unit; 0 if it is not priced. `hops`: the units on the way.
 */
export function quoteUsd(work: Work, quote: TokenRecord, hops = 0): number {
  const { stablecoins, cash } = work.known
  if (stablecoins.has(quote.address)) return 1
  if (cash.has(quote.address)) return quote.priceUsd
  if (hops === MOST_HOPS - 1) return 0
  if (quote.unitId === null || quote.priceUnit === null) return quote.priceUsd
  return finite(quote.priceUnit * quoteUsd(work, tokenOf(work, quote.unitId), hops + 1))
}

/**
 * Whether the quote's own price may price the token: it is near enough to the chain's money, and the token does not
 * price it.
 */
export const leadsOn = (work: Work, token: TokenRecord, quote: TokenRecord): boolean =>
  hopsFrom(work, token, quote) < MOST_HOPS

/**
 * Pools from the quote to the chain's money now; infinite if the path is too long, a dead end, or leads back to the
 * token.
 */
function hopsFrom(work: Work, token: TokenRecord, quote: TokenRecord): number {
  let at = quote
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    if (work.known.cash.has(at.address)) return hops
    if (at.id === token.id || at.quoteId === null) break
    at = tokenOf(work, at.quoteId)
  }
  return Number.POSITIVE_INFINITY
}

/** The most dollars of the quote that count in a pool: for a found hub, the dollars in its own pools. */
export const mostUsd = ({ known }: Work, quote: TokenRecord): number =>
  isNamed(known, quote) ? Number.POSITIVE_INFINITY : quote.liquidityUsd

/** The size of a trade that moves the quote's own price by 2 %: no pool behind it counts as deeper. */
export const hopDepth = ({ known }: Work, quote: TokenRecord): number =>
  known.cash.has(quote.address) ? Number.POSITIVE_INFINITY : quote.depth2PctUsd

/** Stores the token's path to the chain's money, and its price in its unit. */
export function noteHops(work: Work, token: TokenRecord, deepest: PoolRecord | null): void {
  const { known } = work
  token.priceHops = 0
  token.unitId = null
  token.priceUnit = null
  if (!deepest || deepest.quoteId === null || known.cash.has(token.address)) return
  const quote = tokenOf(work, deepest.quoteId)
  token.priceHops = 1 + hopsFrom(work, token, quote)
  if (!known.stablecoins.has(quote.address)) keepIn(work, token, quote)
  if (known.cash.has(quote.address)) return
  // The weakest hop limits the confidence of the price.
  token.priceOutlierShare = Math.max(token.priceOutlierShare, quote.priceOutlierShare)
  token.oldestPricedAt = Math.min(work.block.time, quote.oldestPricedAt ?? work.block.time)
}

/** Stores the token's price in its quote, or in the quote's unit if the quote is no unit itself. */
function keepIn(work: Work, token: TokenRecord, quote: TokenRecord): void {
  const inQuote = token.priceQuote ?? 0
  const isOwn = becomesUnit(work, quote)
  const price = isOwn ? inQuote : inQuote * (quote.priceUnit ?? 0)
  if (!(price >= KEPT.least && price <= KEPT.most)) return
  token.unitId = isOwn ? quote.id : quote.unitId
  token.priceUnit = price
}

/** Whether prices can be stored in the token: it has been a unit, or there is a place for it. */
function becomesUnit(work: Work, hub: TokenRecord): boolean {
  if (hub.isUnit || !takePlace(work, hub)) return hub.isUnit
  hub.isUnit = true
  touchToken(work, hub)
  return true
}

function takePlace({ known, block }: Work, { id, address }: TokenRecord): boolean {
  const { ids } = block.units
  if (!known.quoteRank.has(address) && ids.length >= MOST_UNITS) return false
  block.units = { ids: [...ids, id], usd: [] }
  return true
}

/**
 * A unit that loses its price frees its place, and takes one when it has a price again. `before`: its price until now.
 */
export function keepPlace(work: Work, token: TokenRecord, before: number): void {
  if (!token.isUnit || token.priceUsd > 0 === before > 0) return
  const { ids } = work.block.units
  if (token.priceUsd === 0) work.block.units = { ids: ids.filter((id) => id !== token.id), usd: [] }
  else token.isUnit = takePlace(work, token)
}

/** The units, and their current prices. */
export function priceUnits(work: Work): BlockRecord['units'] {
  const { ids } = work.block.units
  const usd = ids.map((id) => quoteUsd(work, tokenOf(work, id)))
  return { ids, usd: usd.map((each) => (each >= COUNTED.least && each <= COUNTED.most ? each : 0)) }
}

/** The base and the quote of a pool: the quote is the token of lower rank. */
export function orient(
  { quoteRank }: Known,
  token0: TokenRecord,
  token1: TokenRecord,
): [baseId: number | null, quoteId: number | null] {
  const rank0 = quoteRank.get(token0.address) ?? Number.POSITIVE_INFINITY
  const rank1 = quoteRank.get(token1.address) ?? Number.POSITIVE_INFINITY
  if (rank0 === rank1) return [null, null]
  return rank0 < rank1 ? [token1.id, token0.id] : [token0.id, token1.id]
}

/**
 * Finds the quote of a pool of two other tokens. It is the token with a price, if the other has none and no pool that
 * could give one.
 */
export function findQuote(work: Work, pool: PoolRecord): void {
  const [token0, token1] = [tokenOf(work, pool.token0Id), tokenOf(work, pool.token1Id)]
  const quote = canQuote(work, token0) ? token0 : canQuote(work, token1) ? token1 : null
  const base = quote === token0 ? token1 : token0
  if (!quote || base.priceUsd > 0) return
  const pools = need(work.store.poolsOfBase.get(base.id), 'pools of token', base.id)
  pool.baseId = base.id
  pool.quoteId = quote.id
  pools.push(pool.id)
}

const canQuote = ({ known }: Work, token: TokenRecord): boolean =>
  token.priceUsd > 0 && token.priceHops < MOST_HOPS && token.liquidityUsd >= FOUND_DEPTH * known.minPoolDepthUsd
