// Finds the account whose balances changed on both sides of a swap. Input: the logs of a transaction, or of one
// operation in it. Output: the account, or null. An account without other evidence counts only if nobody else gained or
// lost either token. In the logs, an unknown exchange looks just like a trader.

import type { Address } from '../../base/address.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import type { Attributed } from './attribute.ts'
import { onlyOne } from './attribute.ts'

/** A swap: the paid token and its holder, and the received token. */
export interface Exchanged {
  logIndex: number
  holder: Address
  sold: Address
  bought: Address
  /** The paid and received amounts; undefined if the transfers have them. */
  amounts?: readonly [paid: bigint, got: bigint] | undefined
}

/** Returns the trader. */
export type TellTrader = (swap: Exchanged) => Attributed

/** A part of a transaction: the logs of one ERC-4337 operation, or all without one. */
export interface Span {
  end: number
  operation: LogOf<'user_operation'> | null
  logs: DecodedLog[]
  /** The orders that a settlement filled in it. */
  orders: LogOf<'settled'>[]
  changes: Nets | null
}

/** The change of each account's balance of each token. The native coin counts as its wrapped token if known. */
export type Nets = Map<Address, Map<Address, bigint>>

export function netsIn(
  { logs, operation }: Span,
  { from, value }: Transaction,
  wrappedNative: Address,
  isAside: (address: Address) => boolean,
): Nets {
  const changes: Nets = new Map()
  const add = (account: Address, token: Address, amount: bigint) => {
    const known = changes.get(account)
    if (known) known.set(token, (known.get(token) ?? 0n) + amount)
    else if (!isAside(account)) changes.set(account, new Map([[token, amount]]))
  }
  // Logged payments hold the transaction's value too.
  const isPaidInLogs = logs.some(({ kind }) => kind === 'native_transfer')
  if (value > 0n && operation === null && !isPaidInLogs) add(from, wrappedNative, -value)
  for (const log of logs) {
    if (log.kind === 'native_transfer') {
      if (log.from !== wrappedNative) add(log.from, wrappedNative, -log.amount)
      if (log.to !== wrappedNative) add(log.to, wrappedNative, log.amount)
    } else if (log.kind === 'transfer') {
      add(log.from, log.address, -log.amount)
      add(log.to, log.address, log.amount)
    } else if (log.kind === 'deposit' && log.address === wrappedNative) add(log.to, wrappedNative, log.amount)
    else if (log.kind === 'withdrawal' && log.address === wrappedNative) add(log.from, wrappedNative, -log.amount)
  }
  return changes
}

/**
 * The token's contract, if it sells tokens that it kept from transfers: it paid the pool itself, in another account's
 * transaction.
 */
export function ownSale({ logs }: Span, { logIndex, holder, sold }: Exchanged): Address | null {
  let payer: Address | null = null
  for (const log of logs) {
    if (log.logIndex > logIndex) break
    if (log.kind === 'transfer' && log.address === sold && log.to === holder) payer = log.from
  }
  return payer === sold ? sold : null
}

/** The transaction, and the traders that its logs name. */
export interface Speaker {
  transaction: Transaction
  named: ReadonlySet<Address>
  wrappedNative: Address
}

export function byBalances(
  speaker: Speaker,
  { logs, operation }: Span,
  changes: Nets,
  swap: Exchanged,
): Address | null {
  const { transaction, named, wrappedNative } = speaker
  const { sold, bought } = swap
  const isFilled = logs.some(({ kind }) => kind === 'filled')
  const isSpokenFor = (account: Address) =>
    isFilled || account === transaction.from || account === transaction.to || named.has(account)
  const both: Address[] = []
  const ends: Address[] = []
  let concerned = 0
  for (const [account, amounts] of changes) {
    const [paid, got] = [amounts.get(sold) ?? 0n, amounts.get(bought) ?? 0n]
    if (paid !== 0n || got !== 0n) concerned += 1
    if (paid < 0n && got > 0n) both.push(account)
    else if (isSpokenFor(account) && hasBothSigns(amounts)) ends.push(account)
  }
  const trusted = both.filter((account) => concerned === 1 || isSpokenFor(account))
  if (trusted.length > 0) return onlyOne(trusted)
  // A swap on the way from one token to another: no account keeps either of its sides.
  if (ends.length > 0) return onlyOne(ends)
  return operation ? null : paidInNative(changes, transaction, wrappedNative, swap)
}

/** The called contract, if it gave or received one side and the other was the native coin, which no log has. */
function paidInNative(
  changes: Nets,
  { to }: Transaction,
  wrappedNative: Address,
  { sold, bought }: Exchanged,
): Address | null {
  const own = to === null ? undefined : changes.get(to)
  if (!own) return null
  const isSold = bought === wrappedNative
  if (!isSold && sold !== wrappedNative) return null
  const sign = (amount: bigint | undefined) => (amount === undefined || amount === 0n ? 0 : amount > 0n ? 1 : -1)
  const gained = isSold ? 1 : -1
  for (const amounts of changes.values()) if (sign(amounts.get(wrappedNative)) === gained) return null
  return sign(own.get(isSold ? sold : bought)) === -gained ? to : null
}

function hasBothSigns(amounts: ReadonlyMap<Address, bigint>): boolean {
  let isLess = false
  let isMore = false
  for (const amount of amounts.values()) {
    if (amount < 0n) isLess = true
    else if (amount > 0n) isMore = true
  }
  return isLess && isMore
}
