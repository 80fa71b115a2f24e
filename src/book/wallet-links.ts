// Who knows whom: a wallet's first funder, and the edges of the sybil graph. Only what the sender itself signed counts,
// since any contract can claim that anybody sent anything; legs of trades, pools and contracts are no acquaintances.
import { isZero } from './new-rows.ts'
import type { WalletRecord } from './rows.ts'
import { touchWallet, type Work } from './working-set.ts'

/** Kinds of a link, as the table stores them. */
export const NATIVE_LINK = 1
export const TOKEN_LINK = 2

/** Takes down that one wallet sent something of value to another; `signed` says that the sender signed the transaction. */
export function acquaint(work: Work, from: WalletRecord, to: WalletRecord, kind: number, signed: boolean): void {
  if (from === to || isZero(from.address) || isZero(to.address) || from.kind === 'pool' || !signed) return
  if (to.firstFunderId === null) {
    to.firstFunderId = from.id
    touchWallet(work, to)
  }
  if (from.kind !== 'account' || to.kind !== 'account') return
  const key = `${from.id} ${to.id} ${kind}`
  if (work.changes.links.has(key)) return
  work.changes.links.set(key, { fromId: from.id, toId: to.id, kind, blockNumber: work.block.number })
}
