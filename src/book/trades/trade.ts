// Turns Swap, Mint and Burn of a pool into events. The event's token is the side that is not the quote. Its wallet is
// the trader or provider, and its dollars come from the quote side. In a pool without a quote each indexed token gets
// its own event.

import type { Address } from '../../base/address.ts'
import { toMicroUsd, toUsd } from '../../base/amount.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { hasManyCoins } from '../../chain/exchanges/hooks.ts'
import { countShares } from '../balances/balance.ts'
import { sharesOf } from '../pools/pools.ts'
import type { Amounts, Payment } from '../pools/position-tokens.ts'
import type { Act, Income, Side } from '../pools/provision.ts'
import { noteReturn } from '../pools/pulls.ts'
import { quoteSide } from '../prices/prices.ts'
import { quantityOf } from '../rows/circulating.ts'
import { type Actor, emit } from '../rows/events.ts'
import { payableByPools, pooledUsd } from '../rows/payable.ts'
import { noteVolume } from '../rows/periods.ts'
import { mostUsd, quoteUsd } from '../rows/quotes.ts'
import type { PoolRecord, PositionTokenRecord, TokenRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Deal } from './trade-settlement.ts'

/** The amounts in a pool's log, from the pool's side: positive amounts went in. */
interface Legs {
  pool: PoolRecord
  amount0: bigint
  amount1: bigint
}

/** A swap in a pool. */
export interface Swapped extends Legs {
  kind: 'swapped'
  log: DecodedLog
  actor: Actor
}

/** A change of liquidity: the amounts of both tokens, and the change of the shares if the pool has no share token. */
export interface Provided extends Legs {
  kind: 'provided'
  log: LogOf<'v2_mint' | 'v2_burn' | 'v3_mint' | 'v3_burn' | 'v4_modify' | 'coins_change'>
  isAdd: boolean
  shares: bigint | null
  actor: Actor
  /** The owner of the shares. */
  holder: WalletRecord
  /** The position token of the shares; null: none. */
  position: PositionTokenRecord | null
  /** The number of its first event, where one log changes several rows. */
  firstPart?: number
}

/**
 * A swap: one event, or one per indexed token if the pool has no quote. It is a `buy` if the token leaves the pool. It
 * is no event if one token alone moved, or both in one direction. A loan that came back in its own tokens leaves only a
 * fee. Returns the deals of its trader.
 */
export function swap(work: Work, legs: Swapped): Deal[] {
  if (!isTrade(legs)) return []
  const { log, pool, actor } = legs
  return subjects(work, pool).map((token, part) => {
    const isFirst = token.id === pool.token0Id
    const amount = isFirst ? legs.amount0 : legs.amount1
    const direction = amount < 0n ? 'buy' : 'sell'
    const quantity = quantityOf(token, abs(amount))
    const usd = swapUsd(work, legs, token)
    const amountUsd = usd ?? 0
    emit(work, { type: 'swap', direction, log, token, by: actor, pool, counterparty: null, quantity, amountUsd, part })
    noteQuoteVolume(work, pool, token, amountUsd)
    return { token, wallet: actor.wallet, isBuy: direction === 'buy', quantity, usd }
  })
}

/** Whether one token came in and the other went out. */
const isTrade = ({ amount0, amount1 }: Legs): boolean => (amount0 > 0n ? amount1 < 0n : amount0 < 0n && amount1 > 0n)

/** The transaction of a change of liquidity. */
interface Around {
  self: Actor
  logs: readonly DecodedLog[]
}

/**
 * Liquidity added or removed, in dollars of both sides; in V2 that is twice the quote side. An empty burn is no event.
 * The event belongs to the owner of the liquidity; an addition to a contract's position belongs to the signer. So does
 * what a contract removes and passes on to its caller: a farm, a vault. Returns what the payer's accounts are to settle.
 */
export function liquidity(work: Work, legs: Provided, { self, logs }: Around): Act | null {
  const { log, pool, isAdd, amount0, amount1, shares, holder, position } = legs
  const isPassed = !isAdd && holder.kind === 'contract' && isPassedOn(work, legs, self.wallet, logs)
  const actor = isPassed ? self : legs.actor
  const heldBefore = shares === null ? null : (work.store.positions.get(pool.lpTokenId, holder.id)?.balance ?? 0n)
  // Shares that are no token never go below zero, because positions can change hands unnoticed.
  if (shares) countShares(work, { token: sharesOf(work, pool), wallet: holder, amount: shares })
  if (amount0 === 0n && amount1 === 0n) return null
  const isActors = isPassed || holder === actor.wallet || (isAdd && holder.kind !== 'account')
  const by = isActors ? actor : ofHolder(actor, holder)
  // The signer paid; shares that another account receives for it do not change the payer's own.
  const payer = isAdd || isPassed ? actor.wallet : holder
  const own = shares !== null && payer !== holder ? 0n : shares
  const quoteBefore = isAdd ? 0 : quoteSideBefore(work, legs)
  const told = { shares: own, heldBefore, quoteBefore, position }
  const act = { pool, wallet: payer, isAdd, sides: sidesOf(work, legs), ...told }
  if (isAdd) noteOpening(work, legs, by.wallet)
  if (isAdd && pool.quoteId !== null)
    noteReturn(work, pool, by.wallet, 2 * (priced(legUsd(work, legs, tokenOf(work, pool.quoteId))) ?? 0))
  for (const [at, token] of changed(work, legs).entries()) {
    const part = (legs.firstPart ?? 0) + at
    const quantity = quantityOf(token, amountOf(legs, token))
    const amountUsd = toUsd(liquidityUsd(work, legs, token))
    const type = isAdd ? 'liquidity_add' : 'liquidity_remove'
    emit(work, { type, direction: null, log, token, by, pool, counterparty: null, quantity, amountUsd, part })
  }
  return act
}

/** Whether the account got most of a side, from the holder or from the pool. */
function isPassedOn(work: Work, legs: Provided, { address: to }: WalletRecord, logs: readonly DecodedLog[]) {
  const from: Address[] = [legs.holder.address, walletOf(work, legs.pool.walletId).address]
  return [legs.pool.token0Id, legs.pool.token1Id].some((id) => {
    const side = tokenOf(work, id)
    let got = 0n
    for (const log of logs)
      if (log.kind === 'transfer' && log.address === side.address && log.to === to && from.includes(log.from))
        got += log.amount
    return got > 0n && 2n * got > amountOf(legs, side)
  })
}

const ofHolder = ({ signer }: Actor, wallet: WalletRecord): Actor => ({
  wallet,
  signer,
  attribution: wallet === signer ? 'signer' : 'position',
})

/** The tokens of the pool's events: all except the chain's money. */
function subjects(work: Work, pool: PoolRecord): TokenRecord[] {
  if (pool.baseId === null || !isPaidInCash(work, pool))
    return [pool.token0Id, pool.token1Id].map((id) => tokenOf(work, id)).filter(isIndexed)
  const base = tokenOf(work, pool.baseId)
  return isIndexed(base) ? [base] : []
}

/** The tokens of a change's events. In a pool of many coins these are all that moved, each with its own value. */
function changed(work: Work, legs: Legs): TokenRecord[] {
  const { pool } = legs
  if (!hasManyCoins(pool.hookRights)) return subjects(work, pool)
  const moved = [pool.token0Id, pool.token1Id].map((id) => tokenOf(work, id))
  return moved.filter((token) => isIndexed(token) && amountOf(legs, token) !== 0n)
}

const isPaidInCash = (work: Work, { quoteId }: PoolRecord): boolean =>
  quoteId !== null && work.known.cash.has(tokenOf(work, quoteId).address)

const isIndexed = ({ indexed }: TokenRecord): boolean => indexed

/** Dollars of a swap: the quote side; without a quote, the smaller of the priced sides. Null if nothing is priced. */
function swapUsd(work: Work, legs: Legs, token: TokenRecord): number | null {
  const { quoteId } = legs.pool
  if (quoteId === null) {
    const usd = unquotedUsd(work, legs, token)
    return usd === null ? null : toUsd(usd)
  }
  const quote = tokenOf(work, quoteId)
  const usd = priced(legUsd(work, legs, quote))
  return usd === null ? null : toUsd(Math.min(usd, mostUsd(work, quote)))
}

/** A swap counts in the volume of the quote too, whose liquidity includes the same pool. */
function noteQuoteVolume(work: Work, pool: PoolRecord, subject: TokenRecord, usd: number): void {
  if (pool.quoteId === null || usd === 0 || !isPaidInCash(work, pool)) return
  const quote = tokenOf(work, pool.quoteId)
  if (quote === subject || !quote.indexed) return
  noteVolume(work, quote, toMicroUsd(usd))
}

/**
 * Dollars of a swap in a pool without a quote: the smaller of its priced legs, because either price may be fake. A leg
 * counts at most what its token's pools could pay. Null if neither leg is priced.
 */
function unquotedUsd(work: Work, legs: Legs, token: TokenRecord): number | null {
  const worth = (side: TokenRecord) => {
    const usd = legUsd(work, legs, side)
    return priced(usd) === null ? usd : Math.min(usd, payableByPools(work, side))
  }
  return priced(Math.min(worth(token), worth(otherOf(work, legs.pool, token))))
}

const priced = (usd: number): number | null => (usd === Number.POSITIVE_INFINITY ? null : usd)

/** Infinity means not priced. */
function legUsd(work: Work, legs: Legs, side: TokenRecord): number {
  const unit = unitUsd(work, legs.pool, side)
  return unit > 0 ? quantityOf(side, abs(amountOf(legs, side))) * unit : Number.POSITIVE_INFINITY
}

/**
 * Dollars of liquidity: V2's is twice the quote leg, V3's the priced value of both sides; without a quote it is the
 * smaller priced leg. Of a pool of many coins it is the token's own leg.
 */
function liquidityUsd(work: Work, legs: Legs, token: TokenRecord): number {
  const { pool } = legs
  const value = (side: TokenRecord) =>
    pooledUsd(work, side, quantityOf(side, amountOf(legs, side)) * unitUsd(work, pool, side))
  if (hasManyCoins(pool.hookRights)) return value(token)
  if (pool.quoteId === null) return unquotedUsd(work, legs, token) ?? 0
  if (pool.kind !== 'v2') return value(token) + value(otherOf(work, pool, token))
  return 2 * value(tokenOf(work, pool.quoteId))
}

/** A payment to the owner of a position, at the market price. */
export function incomeOf(work: Work, { pool, position, removed, fees }: Payment): Income {
  const toSides = ([amount0, amount1]: Amounts) => sidesOf(work, { pool, amount0, amount1 })
  const wallet = walletOf(work, position.ownerId)
  return { pool, wallet, position, removed: toSides(removed), fees: toSides(fees) }
}

/** Both tokens at the market price. In V2 the token's amount is worth as much as the quote's. */
function sidesOf(work: Work, legs: Legs): Side[] {
  const { pool } = legs
  return [pool.token0Id, pool.token1Id].map((id) => {
    const token = tokenOf(work, id)
    const isQuote = work.known.cash.has(token.address)
    const valued = pool.kind === 'v2' && pool.quoteId !== null ? tokenOf(work, pool.quoteId) : token
    return {
      token,
      isQuote,
      quantity: quantityOf(token, amountOf(legs, token)),
      usd: priced(pooledLegUsd(work, legs, valued)),
    }
  })
}

function pooledLegUsd(work: Work, legs: Legs, side: TokenRecord): number {
  const usd = legUsd(work, legs, side)
  return priced(usd) === null ? usd : pooledUsd(work, side, usd)
}

const unitUsd = (work: Work, pool: PoolRecord, side: TokenRecord): number =>
  side.id === pool.quoteId ? quoteUsd(work, side) : side.priceUsd

/** Records the opener of the pool: it has exactly the just added amount. The opener of an older pool is unknown. */
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

/**
 * Whole quote tokens before a removal. V2 logs Sync before Burn, and a manager's pool is reduced by the change, so both
 * are already reduced. In V3 the tokens leave later, with Collect.
 */
function quoteSideBefore(work: Work, legs: Legs): number {
  const { pool } = legs
  if (pool.quoteId === null) return 0
  const quote = tokenOf(work, pool.quoteId)
  const now = quoteSide(work, pool)
  return pool.kind === 'v3' ? now : now + quantityOf(quote, amountOf(legs, quote))
}

const amountOf = ({ pool, amount0, amount1 }: Legs, token: TokenRecord): bigint =>
  token.id === pool.token0Id ? amount0 : amount1

const otherOf = (work: Work, pool: PoolRecord, token: TokenRecord): TokenRecord =>
  tokenOf(work, token.id === pool.token0Id ? pool.token1Id : pool.token0Id)

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount)
