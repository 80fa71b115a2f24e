// Removes the second log of one movement of the wrapped native coin. Most wrapped coins log Deposit and Withdrawal
// alone. Others log a Transfer from or to the zero address, or themselves, for the same movement, before or after.
// Input: the logs of a transaction. Output: the same logs, with each movement once.

import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { pushTo } from '../../base/push-to.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'

type Wrap = LogOf<'deposit' | 'withdrawal'>
type Transfer = LogOf<'transfer'>

/** Returns the list itself if no movement has two logs, as for most transactions. */
export function countOnce(wrapped: Address, logs: DecodedLog[]): DecodedLog[] {
  if (!logs.some((log) => isWrap(log) && log.address === wrapped)) return logs
  const isEnd = (address: Address) => address === ZERO_ADDRESS || address === wrapped
  const transfers = logs.filter((log) => log.kind === 'transfer').filter(({ address }) => address === wrapped)
  const mints = transfers.filter(({ from, to }) => isEnd(from) && !isEnd(to))
  const burns = transfers.filter(({ from, to }) => isEnd(to) && !isEnd(from))
  if (mints.length === 0 && burns.length === 0) return logs
  const twins: Twins = { second: new Set(), kept: new Set() }
  const wraps = logs.filter(isWrap).filter(({ address }) => address === wrapped)
  const deposits = wraps.filter(({ kind }) => kind === 'deposit')
  const withdrawals = wraps.filter(({ kind }) => kind === 'withdrawal')
  // Nobody can send from the zero address, so a mint of the depositor is the Deposit's, also less a fee.
  match(twins, deposits, mints, { holderOf: ({ to }) => to, isLessFee: true })
  match(twins, withdrawals, burns, { holderOf: ({ from }) => from, isLessFee: false })
  return logs.flatMap((log) => {
    if (twins.second.has(log)) return []
    return log.kind === 'transfer' && twins.kept.has(log) ? throughZero(log, isEnd) : log
  })
}

/** Wraps whose movement a Transfer logs too, and these Transfers. */
interface Twins {
  second: Set<DecodedLog>
  kept: Set<DecodedLog>
}

const isWrap = (log: DecodedLog): log is Wrap => log.kind === 'deposit' || log.kind === 'withdrawal'

/**
 * Finds the Transfer of each wrap: of the same holder and amount, else of the same amount for another's account. With
 * `isLessFee` also one of the same holder.
 */
function match(
  { second, kept }: Twins,
  wraps: readonly Wrap[],
  transfers: readonly Transfer[],
  { holderOf, isLessFee }: { holderOf: (transfer: Transfer) => Address; isLessFee: boolean },
): void {
  const by = (keyOf: (amount: bigint, holder: Address) => string) => {
    const free = new Map<string, Transfer[]>()
    for (const each of transfers) {
      if (kept.has(each)) continue
      const key = keyOf(each.amount, holderOf(each))
      pushTo(free, key, each)
    }
    for (const wrap of wraps) {
      if (second.has(wrap)) continue
      const twin = free.get(keyOf(wrap.amount, wrap.kind === 'deposit' ? wrap.to : wrap.from))?.pop()
      if (!twin) continue
      second.add(wrap)
      kept.add(twin)
    }
  }
  by((amount, holder) => `${amount} ${holder}`)
  by((amount) => String(amount))
  if (isLessFee) by((_, holder) => holder)
}

/** The coin's own contract, as a party of such a Transfer, stands for the coin that it keeps. */
const throughZero = (log: Transfer, isEnd: (address: Address) => boolean): Transfer => ({
  ...log,
  from: isEnd(log.from) ? ZERO_ADDRESS : log.from,
  to: isEnd(log.to) ? ZERO_ADDRESS : log.to,
})
