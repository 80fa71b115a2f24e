// Finds the Transfers that are legs of a trade. They are from or to a pool that swapped, minted or burned in the
// transaction. In such a transaction they may also be from or to the called contract, because a router holds tokens for
// a moment. Of a relayed call the router is not known: it is whoever gave and took tokens, besides the account.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, Transaction } from '../../chain/event.ts'
import { handlerOf } from './logs.ts'

interface Around {
  /** Whether the call of the transaction is not known, because another account sent it. */
  isRelayed: boolean
  /** Recognises the pools that a factory confirms. */
  isPool(address: Address): boolean
}

/** Returns a function that says whether a Transfer between two addresses is a leg in this transaction. */
export function findLegs(
  transaction: Transaction,
  logs: readonly DecodedLog[],
  { isRelayed, isPool }: Around,
): (from: Address, to: Address) => boolean {
  const places = new Set<Address>()
  for (const log of logs) {
    const { legs } = handlerOf(log)
    if (legs === 'any' || (legs === 'pool' && isPool('pool' in log ? (log.pool ?? log.address) : log.address)))
      places.add(log.address)
  }
  if (places.size === 0) return () => false
  if (transaction.to) places.add(transaction.to)
  if (isRelayed) for (const between of passedThrough(transaction, logs)) places.add(between)
  return (from, to) => places.has(from) || places.has(to)
}

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
