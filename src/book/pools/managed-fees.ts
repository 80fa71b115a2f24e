// Fees of positions whose manager holds the tokens (Uniswap V4 and similar ones). The manager pays fees with each
// change of a position's liquidity and logs no amount. They are the difference between the Transfers of the transaction
// and the amounts of the changes. Payments in the native coin write no log. Fees are unknown if the manager also
// swapped, or changed positions of several owners.
import type { DecodedLog } from '../../chain/event.ts'
import type { PoolRecord, PositionTokenRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Amounts, Payment } from './position-tokens.ts'

/** A change of a position: its amounts at the price. */
export interface ManagedChange {
  pool: PoolRecord
  position: PositionTokenRecord
  isAdd: boolean
  amount0: bigint
  amount1: bigint
}

const NOTHING: Amounts = [0n, 0n]

/** The fees that the changes of a transaction paid. */
export function feesOf(work: Work, changes: readonly ManagedChange[], logs: readonly DecodedLog[]): Payment[] {
  if (changes.length === 0 || logs.some(({ kind }) => kind === 'v4_swap')) return []
  const left = new Map<number, bigint>()
  return changes.flatMap((change) => {
    const { position, pool } = change
    if (changes.some((other) => other.position.ownerId !== position.ownerId)) return []
    const take = (tokenId: number): bigint => {
      const fees = left.get(tokenId) ?? beyond(work, changes, { pool, tokenId }, logs)
      left.set(tokenId, 0n)
      return fees
    }
    const fees: Amounts = [take(pool.token0Id), take(pool.token1Id)]
    return fees[0] > 0n || fees[1] > 0n ? [{ kind: 'paid', pool, position, removed: NOTHING, fees }] : []
  })
}

/** The manager's payments of a token beyond the changes; 0 without a Transfer. */
function beyond(
  work: Work,
  changes: readonly ManagedChange[],
  { pool, tokenId }: { pool: PoolRecord; tokenId: number },
  logs: readonly DecodedLog[],
): bigint {
  const { address } = tokenOf(work, tokenId)
  const manager = walletOf(work, pool.walletId).address
  let [paid, isTold] = [0n, false]
  for (const log of logs) {
    if (log.kind !== 'transfer' || log.address !== address || (log.from !== manager && log.to !== manager)) continue
    paid += log.from === manager ? log.amount : -log.amount
    isTold = true
  }
  if (!isTold) return 0n
  for (const change of changes) {
    if (change.pool.walletId !== pool.walletId) continue
    const { isAdd, amount0, amount1 } = change
    const amount = change.pool.token0Id === tokenId ? amount0 : change.pool.token1Id === tokenId ? amount1 : 0n
    paid += isAdd ? amount : -amount
  }
  return paid > 0n ? paid : 0n
}
