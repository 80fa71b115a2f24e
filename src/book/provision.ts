// Liquidity in a wallet's accounts. What goes into a pool is disposed of at the market, what comes out is acquired at the
// market, and between the two lies the result of the pool shares, fees included. The side that never had a cost (minted,
// airdropped) has none in the pool either, and comes out without one: else whoever mints a token would profit by listing it.
// Settled at the end of a transaction, by the shares that the signer really got or gave.
import { acquire, addSell, earn } from './average-cost.ts'
import { type Moved, quantityOf } from './balance.ts'
import { dispose } from './leaving.ts'
import { sharesOf } from './pools.ts'
import type { PoolRecord, PositionRecord, TokenRecord, WalletRecord } from './rows.ts'
import { book } from './wallet-record.ts'
import { touchPosition, type Work } from './working-set.ts'

/** One token of a change of liquidity: whole tokens, and dollars at the market (null: not priced). */
export interface Side {
  token: TokenRecord
  quantity: number
  usd: number | null
  /** The chain's money: it costs what it is worth. */
  isQuote: boolean
}

/** A change of liquidity by the signer. `shares`: of a pool without a share token, whose Transfers would tell. */
export interface Act {
  pool: PoolRecord
  wallet: WalletRecord
  isAdd: boolean
  sides: readonly Side[]
  shares: bigint | null
  /** Shares held before it, where `shares` tells of its own. */
  heldBefore: bigint | null
  /** Of a removal: whole quote tokens in the pool before it. */
  quoteBefore: number
}

/** Fees that the owner of a position was paid out. */
export interface Income {
  pool: PoolRecord
  wallet: WalletRecord
  sides: readonly Side[]
}

/** Whole tokens that went into pools less those that came out, by the signer's position: what trades do not explain. */
export function pooledOf(work: Work, acts: readonly Act[]): ReadonlyMap<PositionRecord, number> {
  if (acts.length === 0) return NOTHING
  const pooled = new Map<PositionRecord, number>()
  for (const { wallet, isAdd, sides } of acts) {
    for (const { token, quantity } of sides) {
      const position = work.store.positions.get(token.id, wallet.id)
      if (position) pooled.set(position, (pooled.get(position) ?? 0) + (isAdd ? quantity : -quantity))
    }
  }
  return pooled
}

const NOTHING: ReadonlyMap<PositionRecord, number> = new Map()

/** Settles a change of liquidity; `moved` has the balances at the start of the transaction. */
export function settleAct(work: Work, act: Act, moved: Moved): void {
  const shares = work.store.positions.get(act.pool.lpTokenId, act.wallet.id)
  if (!shares) return
  const change = changeOf(work, act, shares, moved)
  if (act.isAdd && change > 0) add(work, act, shares, change)
  else if (!act.isAdd && change < 0) remove(work, act, shares, -change)
}

/** Whole shares that the signer got, below zero: gave. */
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
    if (position && known > 0) dispose(work, token, position, known, usd === null ? null : usd / quantity)
    const knownUsd = isQuote ? (usd ?? 0) : quantity > 0 ? (usd ?? 0) * (known / quantity) : 0
    cost += knownUsd
    if (isQuote) continue
    own += usd ?? 0
    free += (usd ?? 0) - knownUsd
  }
  // It gave nothing but tokens without a cost, so what the shares bring is a sale of such tokens, whose profit nobody knows.
  if (!(cost > 0)) return
  acquire(shares, got, cost)
  shares.freeShares += own > 0 ? got * (free / own) : 0
  touchPosition(work, shares)
}

function remove(work: Work, { wallet, sides }: Act, shares: PositionRecord, given: number): void {
  const held = shares.costQuantity
  const known = Math.min(given, held)
  const costed = held > 0 ? 1 - Math.min(1, shares.freeShares / held) : 0
  let usd = 0
  for (const side of sides) usd += (side.usd ?? 0) * (side.isQuote ? 1 : costed)
  if (held > 0) shares.freeShares *= 1 - known / held
  book(work, shares, { ...addSell(shares, given, usd), exits: 0, exitWins: 0 })
  for (const { token, quantity, usd: value, isQuote } of sides) {
    const position = isQuote ? undefined : work.store.positions.get(token.id, wallet.id)
    const back = quantity * costed * (known / given)
    if (position && value !== null && back > 0) takeIn(work, position, token, back, value / quantity)
  }
}

/**
 * Fees are a result of the shares: worth what they are at the market, and from then on they cost that. Of the token's side only as
 * much counts as came with a cost into the pool: else whoever mints a token would profit by trading in a pool of their own.
 */
export function settleIncome(work: Work, { pool, wallet, sides }: Income): void {
  const shares = work.store.positions.get(pool.lpTokenId, wallet.id)
  if (!shares) return
  const { costQuantity: held } = shares
  const costed = held > 0 ? 1 - Math.min(1, shares.freeShares / held) : 0
  let usd = 0
  for (const side of sides) usd += (side.usd ?? 0) * (side.isQuote ? 1 : costed)
  if (!(usd > 0)) return
  book(work, shares, earn(shares, usd))
  for (const { token, quantity, usd: value, isQuote } of sides) {
    const position = isQuote ? undefined : work.store.positions.get(token.id, wallet.id)
    if (!position || value === null) continue
    takeIn(work, position, token, quantity * costed, value / quantity)
  }
}

/** Adds tokens at a price, but no more than the wallet has beyond those whose cost is known. */
function takeIn(work: Work, position: PositionRecord, token: TokenRecord, quantity: number, unitUsd: number): void {
  const room = Math.max(0, quantityOf(token, position.balance) - position.costQuantity)
  const taken = Math.min(quantity, room)
  if (!(taken > 0)) return
  acquire(position, taken, unitUsd * taken)
  touchPosition(work, position)
}
