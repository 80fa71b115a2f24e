// Finds the trader of each swap. Input: a transaction and its logs. Output: the account whose balances changed on both
// sides of the swap (both-sides.ts), else the one that another log names (attribute.ts), else the signer.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { isNative } from '../../chain/contracts/coin-pool.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import { NATIVE_SELLERS } from '../../chain/exchanges/attribution.ts'
import { type Attributed, isParty, namedTraders, namesTrader, onlyOne, readAttribution } from '../trades/attribute.ts'
import {
  byBalances,
  type Exchanged,
  type Nets,
  netsIn,
  ownSale,
  type Span,
  type Speaker,
  type TellTrader,
} from '../trades/both-sides.ts'
import { handlerOf } from './logs.ts'

const NOBODY: readonly Address[] = []

/**
 * Contracts that swap in the transaction; most have one or two. This runs for every transaction, so it makes no list
 * without need.
 */
function exchangesOf(logs: readonly DecodedLog[]): readonly Address[] {
  let found: Address[] | null = null
  for (const log of logs) {
    if (!handlerOf(log).isSwap) continue
    if (found === null) found = [log.address]
    else found.push(log.address)
  }
  return found ?? NOBODY
}

/** Contracts that keep no tokens for themselves, or keep them as an exchange does. */
const brokersOf = (logs: readonly DecodedLog[]): Address[] => [
  ZERO_ADDRESS,
  ...exchangesOf(logs),
  ...logs.flatMap((log) => (log.kind === 'settled' || log.kind === 'user_operation' ? [log.address] : [])),
  ...NATIVE_SELLERS,
]

/**
 * Whether all swaps are plainly the signer's, as in most transactions. The signer paid, and the only other parties of
 * transfers are the called contract and the swapping ones. True also without a swap.
 */
export function areSigners({ from, to, value }: Transaction, logs: readonly DecodedLog[]): boolean {
  const exchanges = exchangesOf(logs)
  if (exchanges.length === 0) return true
  let paid = false
  let got = false
  for (const log of logs) {
    if (log.kind !== 'transfer') {
      if (namesTrader(log)) return false
      continue
    }
    if (log.from === from) paid = true
    else if (!isPart(log.from, to, exchanges)) return false
    if (log.to === from) got = true
    else if (!isPart(log.to, to, exchanges)) return false
  }
  return paid || (got && value > 0n)
}

const isPart = (address: Address, called: Address | null, exchanges: readonly Address[]): boolean =>
  address === exchanges[0] || address === called || address === ZERO_ADDRESS || exchanges.includes(address)

/** The called account or contract, if the logs say that it moved, bought or made something; null otherwise. */
export function calledMover({ from, to, plain }: Transaction, logs: readonly DecodedLog[]): Address | null {
  if (plain || to === null || to === from) return null
  for (const log of logs) if (names(log, to)) return to
  return null
}

/** Whether the log names the address as a party. */
function names(log: DecodedLog, address: Address): boolean {
  switch (log.kind) {
    case 'transfer':
    case 'position_moved':
      return log.from === address || log.to === address
    case 'deposit':
      return log.to === address
    case 'withdrawal':
    case 'native_transfer':
      return log.from === address
    case 'curve_swap':
      return log.trader === address
    case 'curve_opened':
    case 'launched':
      return log.creator === address
    case 'coins_change':
    case 'coins_taken':
      return log.provider === address
    default:
      return false
  }
}

/** All possible traders of the swap besides the signer; empty if all swaps are plainly the signer's. */
export function possibleTraders(transaction: Transaction, logs: readonly DecodedLog[]): readonly Address[] {
  if (areSigners(transaction, logs)) return namedTraders(logs)
  const givers = new Set<Address>()
  const takers = new Set<Address>()
  const possible = new Set<Address>(namedTraders(logs))
  for (const log of logs) {
    if (log.kind === 'transfer') {
      givers.add(log.from)
      takers.add(log.to)
      if (log.from === log.address) possible.add(log.from)
    } else if (log.kind === 'withdrawal') givers.add(log.from)
    else if (log.kind === 'deposit') takers.add(log.to)
  }
  for (const giver of givers) if (takers.has(giver)) possible.add(giver)
  const { to } = transaction
  if (to && (givers.has(to) || takers.has(to))) possible.add(to)
  if (namedTraders(logs).some((owner) => NATIVE_SELLERS.has(owner))) for (const taker of takers) possible.add(taker)
  for (const broker of brokersOf(logs)) possible.delete(broker)
  // The called contract stands for a trader that nothing names. Elsewhere its balances would be asked for in vain.
  if (to && mayBeNobodys(transaction, logs)) possible.add(to)
  return [...possible]
}

interface Around {
  /** Whether another account sent the transaction. */
  isRelayed: boolean
  wrappedNative: Address
  /** An address that is no trader, such as a pool. */
  isAside(address: Address): boolean
  /** An address that signed before, so that it is no exchange. */
  isAccount(address: Address): boolean
}

export function tellTraders(
  transaction: Transaction,
  logs: readonly DecodedLog[],
  { isRelayed, wrappedNative, isAside, isAccount }: Around,
): TellTrader {
  const { from: signer, to } = transaction
  const self: Attributed = { address: signer, attribution: 'signer' }
  const nobody: Attributed = to === null ? self : { address: to, attribution: 'unknown' }
  const spans = spansOf(logs, wrappedNative)
  const brokers = new Set(brokersOf(logs))
  const attribute = readAttribution(signer, logs)
  const speaker: Speaker = { transaction, named: new Set(namedTraders(logs)), wrappedNative }
  return (swap) => {
    const span = spans.find(({ end }) => swap.logIndex < end) as Span
    const order = orderOf(span, swap)
    if (order) return settledFor(order, span, self)
    if (areOfSeveral(span, swap)) return nobody
    span.changes ??= netsIn(span, transaction, wrappedNative, (address) => brokers.has(address) || isAside(address))
    const trader = ownSale(span, swap) ?? byBalances(speaker, span, span.changes, swap)
    if (trader) return trader === signer && !isRelayed ? self : { address: trader, attribution: 'balances' }
    const { address, attribution } = attribute(swap.logIndex, [swap.sold, swap.bought])
    const named = NATIVE_SELLERS.has(address) ? receiverOf(span, span.changes, address) : address
    if (named !== null && named !== signer) return { address: named, attribution }
    const one = byOwnTransfers(span, swap, isAccount)
    if (one && one !== signer) return { address: one, attribution: 'balances' }
    return span.operation !== null || isParty(transaction, logs) ? self : nobody
  }
}

/** Of a batch for several accounts: the only one that both paid and got since the last swap. */
function byOwnTransfers(
  { logs }: Span,
  { logIndex, sold, bought }: Exchanged,
  isAccount: Around['isAccount'],
): Address | null {
  let [givers, takers] = [new Set<Address>(), new Set<Address>()]
  for (const log of logs) {
    if (log.logIndex >= logIndex) break
    if (handlerOf(log).isSwap) [givers, takers] = [new Set(), new Set()]
    else if (log.kind === 'transfer' && log.address === sold) givers.add(log.from)
    else if (log.kind === 'transfer' && log.address === bought) takers.add(log.to)
  }
  return onlyOne([...givers].filter((account) => takers.has(account) && isAccount(account)))
}

/** Whether a swap of the transaction may have no known trader. */
const mayBeNobodys = (transaction: Transaction, logs: readonly DecodedLog[]): boolean =>
  !isParty(transaction, logs) || logs.filter(({ kind }) => kind === 'settled').length > 1

function spansOf(logs: readonly DecodedLog[], wrappedNative: Address): Span[] {
  const spans: Span[] = []
  let rest: DecodedLog[] = []
  for (const log of logs) {
    rest.push(log)
    if (log.kind !== 'user_operation') continue
    spans.push(spanOf(log.logIndex, log, { logs: rest, wrappedNative }))
    rest = []
  }
  spans.push(spanOf(Number.POSITIVE_INFINITY, null, { logs: rest, wrappedNative }))
  return spans
}

/** An order for the native coin is filled with its wrapped token. */
const spanOf = (
  end: number,
  operation: Span['operation'],
  { logs, wrappedNative }: { logs: DecodedLog[]; wrappedNative: Address },
): Span => ({
  end,
  operation,
  logs,
  orders: logs
    .filter((log) => log.kind === 'settled')
    .map((log) => (isNative(log.bought) ? { ...log, bought: wrappedNative } : log)),
  changes: null,
})

/** One swap for the orders of several owners belongs to none of them alone. */
function areOfSeveral({ orders }: Span, { sold, bought }: Exchanged): boolean {
  const owners = orders.filter((order) => order.sold === sold && order.bought === bought).map(({ owner }) => owner)
  return owners.length > 1 && onlyOne(owners) === null
}

/** The only order with exactly this pair and amount, in a settlement of several owners; else null. */
function orderOf({ logs, orders }: Span, swap: Exchanged): LogOf<'settled'> | null {
  if (orders.length < 2 || onlyOne(orders.map(({ owner }) => owner)) !== null) return null
  const [paid, got] = swap.amounts ?? amountsOf(logs, swap)
  const fits = orders.filter(
    ({ sold, bought, soldAmount, boughtAmount }) =>
      sold === swap.sold && bought === swap.bought && (isNear(paid, soldAmount) || isNear(got, boughtAmount)),
  )
  return fits.length === 1 ? (fits[0] ?? null) : null
}

/** The amounts of the newest Transfers of both tokens between the pool and others, up to the swap's log; 0 without one. */
function amountsOf(logs: readonly DecodedLog[], { logIndex, holder, sold, bought }: Exchanged): [bigint, bigint] {
  let [paid, got] = [0n, 0n]
  for (const log of logs) {
    if (log.logIndex > logIndex) break
    if (log.kind !== 'transfer') continue
    if (log.address === sold && log.to === holder) paid = log.amount
    else if (log.address === bought && log.from === holder) got = log.amount
  }
  return [paid, got]
}

/** Within 1 %: a settlement's fee is between the order and the pool. */
const isNear = (amount: bigint, of: bigint): boolean =>
  amount > 0n && (amount > of ? amount - of : of - amount) * 100n <= of

/** An order that sells the native coin belongs to the account that got exactly its bought amount. */
function settledFor(
  { owner, address, bought, boughtAmount }: LogOf<'settled'>,
  { logs }: Span,
  self: Attributed,
): Attributed {
  if (!NATIVE_SELLERS.has(owner)) return owner === self.address ? self : { address: owner, attribution: 'settlement' }
  const receivers = logs.flatMap((log) =>
    log.kind === 'transfer' && log.address === bought && log.from === address && log.amount === boughtAmount
      ? [log.to]
      : [],
  )
  const receiver = onlyOne(receivers)
  return receiver === null || receiver === self.address ? self : { address: receiver, attribution: 'settlement' }
}

/** The receiver of an order whose owner sells the native coin for others; null unless it is a single account. */
function receiverOf({ orders }: Span, changes: Nets, owner: Address): Address | null {
  const bought = orders.filter((order) => order.owner === owner).map((order) => order.bought)
  const receivers = [...changes].filter(([, amounts]) => bought.some((token) => (amounts.get(token) ?? 0n) > 0n))
  return onlyOne(receivers.map(([account]) => account))
}
