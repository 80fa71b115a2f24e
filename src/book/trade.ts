// Turns Swap, Mint and Burn of a pool into events. The event's token is the side that is not the quote, its wallet is
// the signer, and its dollars come from the quote side. In a pool without a quote each indexed token gets its own
// event.

import { toMicroUsd, toUsd } from '../base/amount.ts'
import type { DecodedLog, LogOf } from '../chain/event.ts'
import { quantityOf } from './balance.ts'
import { type Actor, emit } from './events.ts'
import { noteRemoval, noteVolume } from './periods.ts'
import { quoteSide, quoteUsd } from './prices.ts'
import { provide } from './provider.ts'
import type { Act, Side } from './provision.ts'
import { notePull, noteReturn } from './pulls.ts'
import type { PoolRecord, TokenRecord, WalletRecord } from './rows.ts'
import { type Deals, noteDeal } from './trade-settlement.ts'
import { tokenOf, type Work } from './working-set.ts'

/** What a pool's log moved, from the pool's side: positive amounts went in. */
interface Legs {
  pool: PoolRecord
  amount0: bigint
  amount1: bigint
}

type SwapLog =
  | LogOf<'v2_swap' | 'v3_swap' | 'v4_swap'>
  | (LogOf<'coins_swap' | 'curve_trade'> & { amount0: bigint; amount1: bigint })

/** A change of liquidity: the amounts of both tokens, and the change of the shares where the pool has no share token. */
export interface LiquidityChange {
  log: DecodedLog
  isAdd: boolean
  amount0: bigint
  amount1: bigint
  shares: bigint | null
}

/** A swap: one event, or one per indexed token if the pool has no quote. It is a `buy` if the token leaves the pool. */
export function swap(work: Work, pool: PoolRecord, log: SwapLog, actor: Actor, deals: Deals): void {
  const legs = legsOf(pool, log)
  const tokens = subjects(work, pool)
  for (let part = 0; part < tokens.length; part += 1) {
    const token = tokens[part] as TokenRecord
    const isFirst = token.id === pool.token0Id
    const amount = isFirst ? legs.amount0 : legs.amount1
    const other = isFirst ? legs.amount1 : legs.amount0
    const direction = amount < 0n || (amount === 0n && other > 0n) ? 'buy' : 'sell'
    const quantity = quantityOf(token, abs(amount))
    const usd = swapUsd(work, legs, token)
    const amountUsd = usd ?? 0
    emit(work, { type: 'swap', direction, log, token, by: actor, pool, counterparty: null, quantity, amountUsd, part })
    noteDeal(work, deals, { token, wallet: actor.wallet, isBuy: direction === 'buy', quantity, usd })
    noteQuoteVolume(work, pool, token, amountUsd)
  }
}

/**
 * Liquidity added or removed, in dollars of both sides; in V2 that is twice the quote side. A burn of nothing is no
 * event.
 */
export function liquidity(work: Work, pool: PoolRecord, change: LiquidityChange, by: Actor, acts: Act[]): void {
  const { wallet } = by
  const { log, isAdd, amount0, amount1, shares } = change
  const heldBefore = shares === null ? null : (work.store.positions.get(pool.lpTokenId, wallet.id)?.balance ?? 0n)
  if (shares !== null) provide(work, pool, wallet, shares)
  if (amount0 === 0n && amount1 === 0n) return
  const legs = { pool, amount0, amount1 }
  acts.push({ pool, wallet, isAdd, sides: sidesOf(work, legs), shares, heldBefore })
  if (isAdd) noteOpening(work, legs, wallet)
  else removal(work, legs, wallet)
  if (isAdd && pool.quoteId !== null)
    noteReturn(work, pool, wallet, 2 * (priced(legUsd(work, legs, tokenOf(work, pool.quoteId))) ?? 0))
  for (const [part, token] of subjects(work, pool).entries()) {
    const quantity = quantityOf(token, amountOf(legs, token))
    const amountUsd = toUsd(liquidityUsd(work, legs, token))
    const type = isAdd ? 'liquidity_add' : 'liquidity_remove'
    emit(work, { type, direction: null, log, token, by, pool, counterparty: null, quantity, amountUsd, part })
  }
}

/** The tokens that the pool's events are about. */
function subjects(work: Work, pool: PoolRecord): TokenRecord[] {
  if (pool.baseId === null) return [pool.token0Id, pool.token1Id].map((id) => tokenOf(work, id)).filter(isIndexed)
  const base = tokenOf(work, pool.baseId)
  return isIndexed(base) ? [base] : []
}

const isIndexed = ({ indexed }: TokenRecord): boolean => indexed

/** Dollars of a swap: the quote side; without a quote, the smaller of the priced sides. Null if nothing is priced. */
function swapUsd(work: Work, legs: Legs, token: TokenRecord): number | null {
  const { quoteId } = legs.pool
  const usd = quoteId === null ? unquotedUsd(work, legs, token) : priced(legUsd(work, legs, tokenOf(work, quoteId)))
  return usd === null ? null : toUsd(usd)
}

/** A swap is volume of the quote too, whose liquidity counts the same pool. */
function noteQuoteVolume(work: Work, pool: PoolRecord, subject: TokenRecord, usd: number): void {
  if (pool.quoteId === null || usd === 0) return
  const quote = tokenOf(work, pool.quoteId)
  if (quote === subject || !quote.indexed) return
  noteVolume(work, quote, toMicroUsd(usd))
}

/**
 * Dollars that a swap in a pool without a quote moved: the smaller of its priced legs, because either price may be made up.
 * Null if neither leg is priced.
 */
const unquotedUsd = (work: Work, legs: Legs, token: TokenRecord): number | null =>
  priced(Math.min(legUsd(work, legs, token), legUsd(work, legs, otherOf(work, legs.pool, token))))

const priced = (usd: number): number | null => (usd === Number.POSITIVE_INFINITY ? null : usd)

/** Infinity means not priced. */
function legUsd(work: Work, legs: Legs, side: TokenRecord): number {
  const unit = unitUsd(work, legs.pool, side)
  return unit > 0 ? quantityOf(side, abs(amountOf(legs, side))) * unit : Number.POSITIVE_INFINITY
}

/** Dollars of liquidity: V2's is twice the quote leg, V3's what both sides are priced at; without a quote it is the smaller of the legs that are priced. */
function liquidityUsd(work: Work, legs: Legs, token: TokenRecord): number {
  const { pool } = legs
  if (pool.quoteId === null) return unquotedUsd(work, legs, token) ?? 0
  const value = (side: TokenRecord) => quantityOf(side, amountOf(legs, side)) * unitUsd(work, pool, side)
  if (pool.kind !== 'v2') return value(token) + value(otherOf(work, pool, token))
  return 2 * value(tokenOf(work, pool.quoteId))
}

/** Both tokens at the market. What a V2 pool takes or gives of a token is worth what it takes or gives of the quote. */
function sidesOf(work: Work, legs: Legs): Side[] {
  const { pool } = legs
  return [pool.token0Id, pool.token1Id].map((id) => {
    const token = tokenOf(work, id)
    const isQuote = work.known.quoteRank.has(token.address)
    const valued = pool.kind === 'v2' && pool.quoteId !== null ? tokenOf(work, pool.quoteId) : token
    return {
      token,
      isQuote,
      quantity: quantityOf(token, amountOf(legs, token)),
      usd: priced(legUsd(work, legs, valued)),
    }
  })
}

const unitUsd = (work: Work, pool: PoolRecord, side: TokenRecord): number =>
  side.id === pool.quoteId ? quoteUsd(work, side) : side.priceUsd

/** Notes who opened the pool: it holds exactly what was just added. The opener of an older pool is unknown. */
function noteOpening(work: Work, legs: Legs, wallet: WalletRecord): void {
  const { pool, amount0, amount1 } = legs
  if (pool.openerId !== null || pool.quoteId === null) return
  if (pool.reserve0 !== amount0 || pool.reserve1 !== amount1) return
  const quote = tokenOf(work, pool.quoteId)
  pool.openerId = wallet.id
  pool.openingQuote = quantityOf(quote, amountOf(legs, quote))
  pool.updatedBlock = work.block.number
  work.changes.pools.add(pool)
}

/** V2 logs Sync before Burn, and a manager's pool is reduced by the change, so both are already reduced; in V3 the tokens leave later, with Collect. */
function removal(work: Work, legs: Legs, wallet: WalletRecord): void {
  const { pool } = legs
  if (pool.quoteId === null) return
  const quote = tokenOf(work, pool.quoteId)
  const taken = quantityOf(quote, amountOf(legs, quote))
  const now = quoteSide(work, pool)
  const before = pool.kind === 'v3' ? now : now + taken
  const { keptBefore, firstBefore } = noteRemoval(work, pool, before, taken, now)
  notePull(work, pool, wallet, { keptBefore, before: firstBefore, after: now })
}

const amountOf = ({ pool, amount0, amount1 }: Legs, token: TokenRecord): bigint =>
  token.id === pool.token0Id ? amount0 : amount1

const otherOf = (work: Work, pool: PoolRecord, token: TokenRecord): TokenRecord =>
  tokenOf(work, token.id === pool.token0Id ? pool.token1Id : pool.token0Id)

const legsOf = (pool: PoolRecord, log: SwapLog): Legs =>
  log.kind === 'v2_swap'
    ? { pool, amount0: log.amount0In - log.amount0Out, amount1: log.amount1In - log.amount1Out }
    : { pool, amount0: log.amount0, amount1: log.amount1 }

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
