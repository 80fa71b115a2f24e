// Liquidity in a wallet's accounts. Tokens that enter a pool are disposed of at the market price, and tokens that leave
// are acquired at it. The result of the pool shares, fees included, is the difference. A side without a cost (minted,
// airdropped) has none in the pool either, and leaves without one. Otherwise the minter of a token would profit by
// listing it. Settled at the end of a transaction, by the shares that the signer really received or gave.

import type { Moved } from '../balances/balance.ts'
import { dispose } from '../balances/leaving.ts'
import { book } from '../balances/wallet-record.ts'
import { acquire, addSell, earn } from '../rows/average-cost.ts'
import { quantityOf } from '../rows/circulating.ts'
import type {
  OwedCost,
  PoolRecord,
  PositionRecord,
  PositionTokenRecord,
  TokenRecord,
  WalletRecord,
} from '../rows/rows.ts'
import { touchPosition, type Work } from '../rows/working-set.ts'
import { sharesOf } from './pools.ts'

/** One token of a change of liquidity: whole tokens, and dollars at the market price (null: not priced). */
export interface Side {
  token: TokenRecord
  quantity: number
  usd: number | null
  /** The chain's money: its cost is its value. */
  isQuote: boolean
}

/** A change of liquidity by the signer. `shares`: of a pool without a share token, which has no Transfers. */
export interface Act {
  pool: PoolRecord
  wallet: WalletRecord
  isAdd: boolean
  sides: readonly Side[]
  shares: bigint | null
  /** Shares held before it, if `shares` is set. */
  heldBefore: bigint | null
  /** Of a removal: whole quote tokens in the pool before it. */
  quoteBefore: number
  /** The position token whose liquidity changed; null: none. */
  position: PositionTokenRecord | null
}

/** A payment to the owner of a position: fees, and earlier removals. */
export interface Income {
  pool: PoolRecord
  wallet: WalletRecord
  position: PositionTokenRecord
  fees: readonly Side[]
  removed: readonly Side[]
}

/** Whether the removed tokens stay with the pool until its owner collects them, perhaps in a later transaction. */
const isOwed = ({ pool, position }: Act): boolean => pool.kind === 'v3' && position !== null

/** Whole tokens that entered pools less those that left, by the signer's position: movements outside trades. */
export function pooledOf(
  work: Work,
  acts: readonly Act[],
  incomes: readonly Income[],
): ReadonlyMap<PositionRecord, number> {
  if (acts.length === 0 && incomes.length === 0) return NOTHING
  const pooled = new Map<PositionRecord, number>()
  const note = (wallet: WalletRecord, sides: readonly Side[], sign: 1 | -1) => {
    for (const { token, quantity } of sides) {
      const position = work.store.positions.get(token.id, wallet.id)
      if (position) pooled.set(position, (pooled.get(position) ?? 0) + sign * quantity)
    }
  }
  for (const act of acts) if (act.isAdd || !isOwed(act)) note(act.wallet, act.sides, act.isAdd ? 1 : -1)
  for (const { wallet, fees, removed } of incomes) note(wallet, [...fees, ...removed], -1)
  return pooled
}

const NOTHING: ReadonlyMap<PositionRecord, number> = new Map()

/** A transaction's balances at its start, and what it then sold of tokens that came out of a pool, by position. */
export interface Moves {
  moved: Moved
  sold: ReadonlyMap<PositionRecord, number>
}

/** Settles a change of liquidity. */
export function settleAct(work: Work, act: Act, moves: Moves): void {
  const shares = work.store.positions.get(act.pool.lpTokenId, act.wallet.id)
  if (!shares) return
  const change = changeOf(work, act, shares, moves.moved)
  if (act.isAdd && change > 0) add(work, act, shares, change)
  else if (!act.isAdd && change < 0) remove(work, act, shares, -change, moves)
}

/** Whole shares that the signer received; below zero: gave. */
function changeOf(work: Work, { pool, shares: told, heldBefore }: Act, shares: PositionRecord, moved: Moved): number {
  const token = sharesOf(work, pool)
  if (told !== null) {
    const given = -told > (heldBefore ?? 0n) ? (heldBefore ?? 0n) : -told
    return told > 0n ? quantityOf(token, told) : -quantityOf(token, given)
  }
  const before = moved.get(shares)
  if (before === undefined) return 0
  const { balance } = shares
  return balance >= before ? quantityOf(token, balance - before) : -quantityOf(token, before - balance)
}

function add(work: Work, { wallet, sides }: Act, shares: PositionRecord, got: number): void {
  let cost = 0
  let free = 0
  let own = 0
  for (const { token, quantity, usd, isQuote } of sides) {
    const position = work.store.positions.get(token.id, wallet.id)
    const known = Math.min(quantity, position?.costQuantity ?? 0)
    if (position && known > 0) dispose(work, position, known, usd === null ? null : usd / quantity)
    const knownUsd = isQuote ? (usd ?? 0) : quantity > 0 ? (usd ?? 0) * (known / quantity) : 0
    cost += knownUsd
    if (isQuote) continue
    own += usd ?? 0
    free += (usd ?? 0) - knownUsd
  }
  // It gave only tokens without a cost, so the proceeds of the shares are a sale of such tokens, whose profit is
  // unknown.
  if (!(cost > 0)) return
  acquire(shares, got, cost)
  shares.freeShares += own > 0 ? got * (free / own) : 0
  touchPosition(work, shares)
}

/** `given`: the shares for what the pool gave back. */
function remove(work: Work, act: Act, shares: PositionRecord, given: number, moves: Moves): void {
  const { wallet, sides, position: owing } = act
  const held = shares.costQuantity
  const known = Math.min(given, held)
  const costed = costedShare(shares)
  if (owing) owing.costedShare = costed
  let usd = 0
  for (const side of sides) usd += (side.usd ?? 0) * (side.isQuote ? 1 : costed)
  if (held > 0) shares.freeShares *= 1 - known / held
  book(work, shares, { ...addSell(shares, given, usd), exits: 0, exitWins: 0 })
  for (const { token, quantity, usd: value, isQuote } of sides) {
    const back = quantity * costed * (known / given)
    if (isQuote || value === null || !(back > 0)) continue
    const cost = { quantity: back, usd: back * (value / quantity) }
    if (owing && isOwed(act)) owe(owing, token.id === act.pool.token0Id, cost)
    else takeIn(work, moves, token, wallet, cost)
  }
}

/** The share of these shares' tokens in the pool that entered with a cost. */
const costedShare = ({ costQuantity, freeShares }: PositionRecord): number =>
  costQuantity > 0 ? 1 - Math.min(1, freeShares / costQuantity) : 0

/** Stores a cost with the position until the tokens are paid out. */
function owe(position: PositionTokenRecord, isFirst: boolean, { quantity, usd }: OwedCost): void {
  const { owedCost0, owedCost1 } = position
  const plus = (before: OwedCost) => ({ quantity: before.quantity + quantity, usd: before.usd + usd })
  if (isFirst) position.owedCost0 = plus(owedCost0)
  else position.owedCost1 = plus(owedCost1)
}

/** Takes the cost of tokens that are paid out from the position: those with a cost are paid out first. */
function takeOwed(position: PositionTokenRecord, isFirst: boolean, quantity: number): OwedCost {
  const owed = isFirst ? position.owedCost0 : position.owedCost1
  const part = owed.quantity > quantity * (1 + ROUNDING) ? quantity / owed.quantity : 1
  const taken = { quantity: owed.quantity * part, usd: owed.usd * part }
  const left = part === 1 ? { quantity: 0, usd: 0 } : { quantity: owed.quantity - quantity, usd: owed.usd - taken.usd }
  if (isFirst) position.owedCost0 = left
  else position.owedCost1 = left
  return taken
}

/** Differences below this share of a quantity are rounding errors of doubles. */
const ROUNDING = 1e-12

/** Dollars below which fees are rounding errors. */
const LEAST_FEES_USD = 1e-6

/**
 * Earlier removals arrive with their cost. Fees are a result of the shares: their value is their market price, which
 * becomes their cost. The token's side counts only up to the share that entered the pool with a cost. Otherwise the
 * minter of a token would profit by trading in its own pool.
 */
export function settleIncome(work: Work, income: Income, moves: Moves): void {
  const { pool, wallet, position: owing, fees, removed } = income
  for (const { token, quantity, isQuote } of removed)
    if (!isQuote) takeIn(work, moves, token, wallet, takeOwed(owing, token.id === pool.token0Id, quantity))
  const shares = work.store.positions.get(pool.lpTokenId, wallet.id)
  if (!shares) return
  const costed = shares.costQuantity > 0 ? costedShare(shares) : (owing.costedShare ?? 0)
  let usd = 0
  for (const side of fees) usd += (side.usd ?? 0) * (side.isQuote ? 1 : costed)
  if (!(usd >= LEAST_FEES_USD)) return
  book(work, shares, earn(shares, usd))
  for (const { token, quantity, usd: value, isQuote } of fees)
    if (!isQuote && value !== null)
      takeIn(work, moves, token, wallet, { quantity: quantity * costed, usd: value * costed })
}

/** Adds tokens at a cost, but no more than the wallet has, or sells now, beyond those whose cost is known. What went to somebody else is left out. */
function takeIn(work: Work, { moved, sold }: Moves, token: TokenRecord, wallet: WalletRecord, cost: OwedCost): void {
  const position = work.store.positions.get(token.id, wallet.id)
  if (!position || !moved.has(position)) return
  const had = quantityOf(token, position.balance) + (sold.get(position) ?? 0)
  const room = Math.max(0, had - position.costQuantity)
  const taken = Math.min(cost.quantity, room)
  if (!(taken > 0)) return
  acquire(position, taken, cost.usd * (taken / cost.quantity))
  touchPosition(work, position)
}
