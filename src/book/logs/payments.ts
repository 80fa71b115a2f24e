// Links between accounts from payments in the native coin that the chain logs, or a node traced: internal ones too. Input:
// a transaction and its logs. The payment of a transaction's own value is not among them, because the transaction tells it.
import type { Address } from '../../base/address.ts'
import { LINK_KIND_ID } from '../../base/vocabulary.ts'
import type { DecodedLog, Transaction } from '../../chain/event.ts'
import { acquaint } from '../balances/wallet-links.ts'
import { walletAt } from '../rows/new-rows.ts'
import type { Work } from '../rows/working-set.ts'
import { handlerOf } from './logs.ts'

/**
 * Acquaints the accounts of internal payments. What a contract passes on of the sent value is the sender's payment, and
 * the rest is its own. A trade makes no links, and a contract that passes a payment on receives none.
 */
export function acquaintPaid(work: Work, { from, to, value }: Transaction, logs: readonly DecodedLog[]): void {
  const inner = logs.flatMap((log) =>
    log.kind === 'native_transfer' && (log.from !== from || log.to !== to) ? [log] : [],
  )
  if (inner.length === 0 || logs.some(isOfTrade)) return
  const passing = new Set<Address>(inner.map((log) => log.from))
  let left = value
  for (const log of inner) {
    if (log.to === from || log.to === to || passing.has(log.to)) continue
    const isPassedOn = log.from !== from && log.amount <= left
    if (isPassedOn) left -= log.amount
    const payer = walletAt(work, isPassedOn ? from : log.from)
    // Another payer is a contract, or an account with code. Of one that neither signed nor logged, nothing tells which.
    if (payer.signed || payer.kind !== 'account') acquaint(work, payer, walletAt(work, log.to), LINK_KIND_ID.native)
  }
}

const isOfTrade = (log: DecodedLog): boolean => handlerOf(log).isSwap === true || handlerOf(log).legs !== undefined

/**
 * Whether the called address ran code: it paid, or a contract logged something in the transaction. That is neither a
 * payment in the native coin, which needs no contract, nor the fee.
 */
export function isCode(called: Address, logs: readonly DecodedLog[]): boolean {
  let paidAt = -1
  return logs.some((log) => {
    if (log.kind === 'native_transfer' && log.from === called) return true
    if (log.kind === 'native_transfer') paidAt = log.logIndex
    // A payment in a coin with an ERC-20 of its own is a Transfer too, of the same index.
    return log.kind !== 'native_transfer' && log.kind !== 'fee_paid' && log.logIndex !== paidAt
  })
}
