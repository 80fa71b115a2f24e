// Payments in the native coin that the chain logs or a node traced, and fees that a Transfer pays. Input: the logs of a
// transaction. Output: the same logs, with each payment once, and fees apart from other Transfers.
import { ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import type { Known } from '../rows/known.ts'

type Payment = LogOf<'native_transfer'>

/** Behind every log: traces do not tell between which logs a payment was. */
const LAST = Number.MAX_SAFE_INTEGER

/** The logs, with traced payments behind them as a chain would log them; never beside payments that it did log. */
export function withTraced({ hash, payments }: Transaction, logs: DecodedLog[]): DecodedLog[] {
  if (!payments || logs.some(({ kind }) => kind === 'native_transfer')) return logs
  const place = { address: ZERO_ADDRESS, logIndex: LAST, txHash: hash }
  return logs.concat(payments.map((payment): Payment => ({ kind: 'native_transfer', ...place, ...payment })))
}

/** Returns the same list if it has no payment and no fee. */
export function tellNative(known: Known, logs: DecodedLog[]): DecodedLog[] {
  const { feeCollectors, nativeToken } = known
  const isFee = ({ from, to }: { from: string; to: string }) => feeCollectors.has(from) || feeCollectors.has(to)
  const hasFee = logs.some((log) => log.kind === 'transfer' && isFee(log))
  const payments = logs.filter((log) => log.kind === 'native_transfer')
  if (!hasFee && payments.length === 0) return logs
  const told = hasFee ? logs.map((log) => (log.kind === 'transfer' && isFee(log) ? toFee(log) : log)) : logs
  const kept = new Set(payments.filter((payment) => !isFee(payment)))
  if (!nativeToken) return told.filter((log) => log.kind !== 'native_transfer' || kept.has(log))
  return inTokens(told, kept, nativeToken)
}

const toFee = ({ address, logIndex, txHash, from, to, amount }: LogOf<'transfer'>): LogOf<'fee_paid'> => ({
  ...{ kind: 'fee_paid', address, logIndex, txHash, from, to, amount },
})

/**
 * Where the native coin has an ERC-20 of its own, a call of it logs each payment twice, in the decimals of both. Such a
 * pair is the Transfer alone. A payment without a call becomes a Transfer too, beside the payment.
 */
function inTokens(
  logs: DecodedLog[],
  kept: ReadonlySet<Payment>,
  { address, unit }: NonNullable<Known['nativeToken']>,
): DecodedLog[] {
  const keyOf = (from: string, to: string, amount: bigint) => `${from} ${to} ${amount}`
  const told = new Map<string, number>()
  for (const log of logs) {
    if (log.address !== address || (log.kind !== 'transfer' && log.kind !== 'fee_paid')) continue
    const key = keyOf(log.from, log.to, log.amount)
    told.set(key, (told.get(key) ?? 0) + 1)
  }
  return logs.flatMap((log): DecodedLog[] => {
    if (log.kind !== 'native_transfer') return [log]
    if (!kept.has(log)) return []
    const { logIndex, txHash, from, to } = log
    const amount = log.amount / unit
    const key = keyOf(from, to, amount)
    const copies = told.get(key) ?? 0
    if (copies > 0) {
      told.set(key, copies - 1)
      return [log]
    }
    return amount === 0n ? [log] : [log, { kind: 'transfer', address, logIndex, txHash, from, to, amount }]
  })
}
