// Links between wallets: a wallet's first funder, and the edges of the sybil graph. Only transfers that the sender
// itself signed count, because any contract can log a Transfer from anybody. Legs of trades, pools and contracts make
// no links.
import { isZero } from '../rows/new-rows.ts'
import type { WalletRecord } from '../rows/rows.ts'
import { touchWallet, type Work } from '../rows/working-set.ts'

/**
 * Whether two accounts are known to have one owner: one gave the other its first coin or token, which only its own
 * signature can do. Links of later transfers prove nothing, because the transfer itself makes them.
 */
export const isSameOwner = (from: WalletRecord, to: WalletRecord): boolean =>
  from.kind === 'account' && to.kind === 'account' && (to.firstFunderId === from.id || from.firstFunderId === to.id)

/** Records that one wallet sent value to another, in a transaction that it signed. */
export function acquaint(work: Work, from: WalletRecord, to: WalletRecord, kind: number): void {
  if (from === to || isZero(from.address) || isZero(to.address) || from.kind === 'pool') return
  if (to.firstFunderId === null) {
    to.firstFunderId = from.id
    touchWallet(work, to)
  }
  if (from.kind !== 'account' || to.kind !== 'account') return
  const key = `${from.id} ${to.id} ${kind}`
  if (work.changes.links.has(key)) return
  work.changes.links.set(key, { fromId: from.id, toId: to.id, kind, blockNumber: work.block.number })
}
