// Finds the Transfers that are legs of a trade. They are from or to a pool that swapped, minted or burned in the
// transaction. In such a transaction they may also be from or to the called contract, because a router holds tokens for
// a moment. Of a relayed call the router is not known: it is whoever gave and took tokens, besides the account.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, Transaction } from '../../chain/event.ts'
import type { TradeLegs } from '../trades/transfer.ts'
import { handlerOf } from './logs.ts'
import { among, poolKey } from './transaction-view.ts'

interface Around {
  /** Whether the call of the transaction is not known, because another account sent it. */
  isRelayed: boolean
  /** Recognises the pools that a factory confirms. */
  isPool(address: Address): boolean
}

export function findLegs(
  transaction: Transaction,
  logs: readonly DecodedLog[],
  { isRelayed, isPool }: Around,
): TradeLegs {
  const places = new Set<Address>()
  for (const log of logs) {
    const { legs } = handlerOf(log)
    if (legs === 'any' || (legs === 'pool' && isPool(poolKey(log)))) places.add(log.address)
  }
  if (places.size === 0) return NO_LEGS
  if (transaction.to) places.add(transaction.to)
  if (isRelayed) for (const between of passedThrough(transaction, logs)) places.add(between)
  const isLeg = (from: Address, to: Address) => places.has(from) || places.has(to)
  const paid = () =>
    logs.flatMap((log) =>
      log.kind === 'transfer' && log.from === transaction.from && isLeg(log.from, log.to) ? [log.address] : [],
    )
  return { isLeg, isPaid: among(paid) }
}

const NO_LEGS: TradeLegs = { isLeg: () => false, isPaid: () => false }

/** Those who gave and took tokens. */
function passedThrough({ from }: Transaction, logs: readonly DecodedLog[]): Address[] {
  const givers = new Set<Address>()
  const takers = new Set<Address>()
  for (const log of logs) {
    if (log.kind === 'transfer' || log.kind === 'withdrawal') givers.add(log.from)
    if (log.kind === 'transfer' || log.kind === 'deposit') takers.add(log.to)
  }
  return [...givers].filter((giver) => takers.has(giver) && giver !== from && giver !== ZERO_ADDRESS)
}
