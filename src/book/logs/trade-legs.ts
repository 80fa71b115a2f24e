// Finds the Transfers that are legs of a trade. They are from or to a pool that swapped, minted or burned in the
// transaction. In such a transaction they may also be from or to the called contract, because a router holds tokens for
// a moment.
import type { Address } from '../../base/address.ts'
import type { DecodedLog, Transaction } from '../../chain/event.ts'
import { handlerOf } from './logs.ts'

/**
 * Returns a function that says whether a Transfer between two addresses is a leg in this transaction. `isPool`
 * recognises the pools that a factory confirms.
 */
export function findLegs(
  transaction: Transaction,
  logs: readonly DecodedLog[],
  isPool: (address: Address) => boolean,
): (from: Address, to: Address) => boolean {
  const places = new Set<Address>()
  for (const log of logs) {
    const { legs } = handlerOf(log)
    if (legs === 'any' || (legs === 'pool' && isPool('pool' in log ? (log.pool ?? log.address) : log.address)))
      places.add(log.address)
  }
  if (places.size === 0) return () => false
  if (transaction.to) places.add(transaction.to)
  return (from, to) => places.has(from) || places.has(to)
}
