// What prices what: a token may be quoted in one that is itself priced by pools (a hub), over three pools at most to the chain's money.
// The preset names hubs; others are found: a token with a price quotes the one without in a pool of both. What is only found may be
// anybody's own, so it lends no more money than lies in its own pools, and a price that leads back to the token is none. What hubs quote
// is kept in them: a hub is a unit like the native coin, and what a unit costs is worked out when somebody asks.
import { finite } from '../../base/amount.ts'
import type { Known } from './known.ts'
import type { BlockRecord, PoolRecord, TokenRecord } from './rows.ts'
import { need, tokenOf, touchToken, type Work } from './working-set.ts'

/** Pools from a token to the chain's money. */
export const MOST_HOPS = 3

/**
 * Units at most, but for what the preset names: each has some bytes in every block. What a hub beyond them quotes is kept in the unit of
 * the hub.
 */
export const MOST_UNITS = 500

/**
 * Prices in a unit that are kept in it, where others are kept in dollars; and dollars of a unit that count, where others are no price.
 * So nothing that is made of them leaves the range of a double, which PostgreSQL would refuse.
 */
const KEPT = { least: 1e-60, most: 1e60 }
const COUNTED = { least: 1e-40, most: 1e40 }

/** Of a token that quotes others without being named: dollars in its own pools, in times what prices a token at all [G]. */
const FOUND_DEPTH = 5

const isNamed = ({ quoteRank }: Known, { address }: TokenRecord): boolean => quoteRank.has(address)

/** Dollars per whole quote token, at the price that its unit has now; 0 if it is not priced. `hops`: units that were passed on the way. */
export function quoteUsd(work: Work, quote: TokenRecord, hops = 0): number {
  const { stablecoins, cash } = work.known
  if (stablecoins.has(quote.address)) return 1
  if (cash.has(quote.address)) return quote.priceUsd
  if (hops === MOST_HOPS - 1) return 0
  if (quote.unitId === null || quote.priceUnit === null) return quote.priceUsd
  return finite(quote.priceUnit * quoteUsd(work, tokenOf(work, quote.unitId), hops + 1))
}

/** Whether the quote's own price may price the token: it is near enough to the chain's money, and not priced by the token itself. */
export const leadsOn = (work: Work, token: TokenRecord, quote: TokenRecord): boolean =>
  hopsFrom(work, token, quote) < MOST_HOPS

/** Pools from the quote to the chain's money, as they lead now; infinite where they lead too far, nowhere, or back to the token. */
function hopsFrom(work: Work, token: TokenRecord, quote: TokenRecord): number {
  let at = quote
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    if (work.known.cash.has(at.address)) return hops
    if (at.id === token.id || at.quoteId === null) break
    at = tokenOf(work, at.quoteId)
  }
  return Number.POSITIVE_INFINITY
}

/** The most dollars that a pool can hold of the quote: of one that was found, what lies in its own pools. */
export const mostUsd = ({ known }: Work, quote: TokenRecord): number =>
  isNamed(known, quote) ? Number.POSITIVE_INFINITY : quote.liquidityUsd

/** What moves the quote's own price by 2 %: no pool behind it is deeper. */
export const hopDepth = ({ known }: Work, quote: TokenRecord): number =>
  known.cash.has(quote.address) ? Number.POSITIVE_INFINITY : quote.depth2PctUsd

/** Notes how the token's price leads to the chain's money, and what it is in its unit. */
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
  // The weakest hop tells how far the price can be trusted.
  token.priceOutlierShare = Math.max(token.priceOutlierShare, quote.priceOutlierShare)
  token.oldestPricedAt = Math.min(work.block.time, quote.oldestPricedAt ?? work.block.time)
}

/** Keeps the token's price in its quote, or in the unit of that where it is none itself. */
function keepIn(work: Work, token: TokenRecord, quote: TokenRecord): void {
  const inQuote = token.priceQuote ?? 0
  const isOwn = becomesUnit(work, quote)
  const price = isOwn ? inQuote : inQuote * (quote.priceUnit ?? 0)
  if (!(price >= KEPT.least && price <= KEPT.most)) return
  token.unitId = isOwn ? quote.id : quote.unitId
  token.priceUnit = price
}

/** Whether prices can be kept in the token: it has been a unit, or there is a place for it. */
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

/** A unit that loses its price gives its place to another, and takes one when it has a price again. `before`: its price until now. */
export function keepPlace(work: Work, token: TokenRecord, before: number): void {
  if (!token.isUnit || token.priceUsd > 0 === before > 0) return
  const { ids } = work.block.units
  if (token.priceUsd === 0) work.block.units = { ids: ids.filter((id) => id !== token.id), usd: [] }
  else token.isUnit = takePlace(work, token)
}

/** The units, and what they cost now. */
export function priceUnits(work: Work): BlockRecord['units'] {
  const { ids } = work.block.units
  const usd = ids.map((id) => quoteUsd(work, tokenOf(work, id)))
  return { ids, usd: usd.map((each) => (each >= COUNTED.least && each <= COUNTED.most ? each : 0)) }
}

/** Which token the pool's events are about (base), and which one prices it (quote): the one with the lower rank. */
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

/** Finds the quote of a pool of two other tokens: the one that has a price, where the other has none and no pool that could give one. */
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
