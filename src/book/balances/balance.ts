// Token balances from Transfers and from the wrapped native's deposits and withdrawals. A balance never goes below
// zero: tokens that were sent without a receipt must be older than the start block. The zero address has no balance.
import type { Address } from '../../base/address.ts'
import { atMost, toRaw, toUsd } from '../../base/amount.ts'
import { dayOf } from '../../base/clock.ts'
import { quantityOf, rawCirculating } from '../rows/circulating.ts'
import { hasDollar } from '../rows/funded.ts'
import { addOldHolder, creditDeployer, indexWallet, isOlder, isZero, positionAt, walletAt } from '../rows/new-rows.ts'
import { mostCapUsd } from '../rows/payable.ts'
import type { PositionRecord, TokenRecord, WalletRecord } from '../rows/rows.ts'
import { askAgain } from '../rows/told.ts'
import { effectOn, tokenOf, touchPosition, touchToken, touchWallet, type Work, walletOf } from '../rows/working-set.ts'

/** Days of opening balances that a position keeps. */
const OPENING_DAYS = 8

/** The balances of the changed positions at the start of the transaction. */
export type Moved = Map<PositionRecord, bigint>

/** The wallets of a Transfer; null for the zero address. */
export interface Ends {
  from: WalletRecord | null
  to: WalletRecord | null
}

/** An amount of a token that changes hands. */
interface Transfer {
  from: Address
  to: Address
  amount: bigint
}

/** A change of what a wallet has of a token. */
interface Change {
  token: TokenRecord
  wallet: WalletRecord
  amount: bigint
}

/** Moves an amount of a token, above zero. From or to the zero address it changes the supply. Returns both parties. */
export function move(work: Work, token: TokenRecord, { from, to, amount }: Transfer, moved: Moved): Ends {
  const giver = isZero(from) ? null : walletAt(work, from)
  const taker = isZero(to) ? null : walletAt(work, to)
  const unexplained = giver ? debit(work, { token, wallet: giver, amount }, moved) : amount
  askAgain(work, token, unexplained)
  if (!giver) mint(work, token, taker === null, amount)
  if (taker) credit(work, { token, wallet: taker, amount }, moved)
  else if (giver) burn(work, token, amount)
  return { from: giver, to: taker }
}

/** A share of the peak liquidity. A pulled token with less is hollow: its price is that of hardly any tokens. */
const HOLLOW = 0.1

/**
 * Market cap in dollars: price x (supply - burned - locked), of a pulled and hollow token at most the quote side of its
 * pools. What lies in a locker can be sold by nobody before it leaves. A supply that grew beyond what the pools can
 * price adds nothing.
 */
export function valueSupply(work: Work, token: TokenRecord): void {
  const whole = token.priceUsd > 0 ? token.priceUsd * quantityOf(token, rawCirculating(token)) : 0
  const capUsd = toUsd(Math.min(whole, mostCapUsd(work, token)))
  const isHollow = token.pullerCount > 0 && token.liquidityUsd < HOLLOW * token.peakLiquidityUsd
  token.marketCapUsd = isHollow ? Math.min(capUsd, toUsd(token.liquidityUsd / 2)) : capUsd
  touchToken(work, token)
}

/** Values a supply that the block changed. The token's candles close with it, also if it had no trade. */
function changeSupply(work: Work, token: TokenRecord): void {
  effectOn(work, token)
  valueSupply(work, token)
}

/**
 * Stores who acted in the token's first mint. It is unknown for a token older than the start block. After the block of
 * the token's first log no mint is surely the first: an earlier one may have been burned. Whoever pays for an account
 * that nobody funded before is its first funder, so that a launch through another account hides nobody.
 */
export function learnDeployer(work: Work, token: TokenRecord, actor: WalletRecord, payer: WalletRecord): void {
  const isFirst = token.holderCount === 0 && token.createdBlock === work.block.number
  if (token.deployerId !== null || !isFirst || isOlder(work, token)) return
  token.deployerId = actor.id
  touchToken(work, token)
  if (token.indexed) creditDeployer(work, actor.id)
  if (actor === payer || actor.firstFunderId !== null) return
  actor.firstFunderId = payer.id
  touchWallet(work, actor)
}

function mint(work: Work, token: TokenRecord, toZero: boolean, amount: bigint): void {
  // The supply may be below zero in the block that first names the token: its contract reported less than the logs.
  token.supply = atMost(token.supply + amount)
  // Minted to the zero address, like a V2 pair's first 1,000 shares: part of the supply forever, and out of reach.
  if (toZero) token.burned = toRaw(token.burned + amount)
  changeSupply(work, token)
}

function burn(work: Work, token: TokenRecord, amount: bigint): void {
  token.supply = token.supply > amount ? token.supply - amount : 0n
  changeSupply(work, token)
}

function credit(work: Work, { token, wallet, amount }: Change, moved: Moved): void {
  const position = positionAt(work, token, wallet)
  const before = open(work, token, position, moved)
  position.balance = toRaw(before + amount)
  if (before === 0n) countHolder(work, token, 1)
  if (token.indexed) indexWallet(work, wallet)
  noteOutOfReach(work, token, wallet, position.balance - before)
}

/** Returns the amount beyond the known balance. */
function debit(work: Work, { token, wallet, amount }: Change, moved: Moved): bigint {
  const position = positionAt(work, token, wallet)
  const before = open(work, token, position, moved)
  position.balance = before > amount ? before - amount : 0n
  if (before > 0n && position.balance === 0n) countHolder(work, token, -1)
  const missing = amount > before ? amount - before : 0n
  if (missing > 0n && token.unlogged === null) {
    token.supply = toRaw(token.supply + missing)
    changeSupply(work, token)
  }
  noteOutOfReach(work, token, wallet, position.balance - before)
  return missing
}

/** Raises a wallet's balance to `least`. The missing amount must be older than the start block. */
export function holdAtLeast(work: Work, token: TokenRecord, wallet: WalletRecord, least: bigint): void {
  const position = positionAt(work, token, wallet)
  const missing = least - position.balance
  if (missing <= 0n) return
  if (position.balance === 0n) addOldHolder(work, position, missing)
  position.balance = least
  touchPosition(work, position)
  if (token.unlogged !== null) return
  token.supply = toRaw(token.supply + missing)
  changeSupply(work, token)
}

/** Changes a wallet's shares of a V3 pool, below zero: takes some, and the supply of these shares. */
export function countShares(work: Work, { token, wallet, amount }: Change, moved: Moved = new Map()): void {
  const before = positionAt(work, token, wallet).balance
  if (amount > 0n) credit(work, { token, wallet, amount }, moved)
  else debit(work, { token, wallet, amount: -amount < before ? -amount : before }, moved)
  token.supply = toRaw(token.supply + positionAt(work, token, wallet).balance - before)
  touchToken(work, token)
}

/** Follows the balances at burn addresses, and with the lockers of the preset. */
function noteOutOfReach(work: Work, token: TokenRecord, wallet: WalletRecord, change: bigint): void {
  if (wallet.kind === 'locker') token.locked = toRaw(token.locked + change)
  else if (work.known.burn.has(wallet.address)) token.burned = toRaw(token.burned + change)
  else return
  changeSupply(work, token)
}

function countHolder(work: Work, token: TokenRecord, delta: 1 | -1): void {
  token.holderCount += delta
  effectOn(work, token)
  touchToken(work, token)
}

/**
 * Decides whether a position counts among the holders with a dollar. It runs at the end of a transaction that changed
 * the balance, at the price of that time. Dust from airdrops makes no holder, and neither does a known contract or
 * pool.
 */
export function countFunded(work: Work, position: PositionRecord): void {
  const token = tokenOf(work, position.tokenId)
  const funded = hasDollar(token, position.balance) && walletOf(work, position.walletId).kind === 'account'
  if (funded === position.funded) return
  position.funded = funded
  const delta = funded ? 1 : -1
  token.fundedHolderCount += delta
  touchPosition(work, position)
  effectOn(work, token).holderDelta += delta
  touchToken(work, token)
}

/**
 * Marks the position as changed, and stores its opening balance of the day and of the transaction. Returns the balance.
 * A swap may have made the position without touching the balance: its time begins here.
 */
function open(work: Work, token: TokenRecord, position: PositionRecord, moved: Moved): bigint {
  if (!moved.has(position)) moved.set(position, position.balance)
  if (position.openingDays.length === 0 && position.balance === 0n) position.firstAt = work.block.time
  const day = dayOf(work.block.time)
  if (position.openingDays.at(-1) !== day) {
    position.openingDays = [...position.openingDays.slice(1 - OPENING_DAYS), day]
    position.openings = [...position.openings.slice(1 - OPENING_DAYS), quantityOf(token, position.balance)]
  }
  position.lastAt = work.block.time
  touchPosition(work, position)
  return position.balance
}
