// Finds the Transfers that are legs of a trade: those from or to a pool that swapped, minted or burned in the
// transaction and, in such a transaction, those from or to the called contract (a router holds tokens for a moment).
import type { Address } from '../../base/address.ts'
import { type DecodedLog, isCurveLog, type LogKind, type Transaction } from '../../chain/event.ts'

const TRADES: ReadonlySet<LogKind> = new Set([
  'v2_swap',
  'v2_mint',
  'v2_burn',
  'v3_swap',
  'v3_mint',
  'v3_burn',
  'v4_swap',
  'v4_modify',
  'coins_swap',
  'coins_change',
  'pair_swap',
])

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
  for (const log of logs)
    if (isCurveLog(log)) places.add(log.address)
    else if (TRADES.has(log.kind) && isPool('pool' in log ? (log.pool ?? log.address) : log.address))
      places.add(log.address)
  if (places.size === 0) return () => false
  if (transaction.to) places.add(transaction.to)
  return (from, to) => places.has(from) || places.has(to)
}
