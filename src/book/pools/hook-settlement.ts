// The amounts of a trade that a hook settles in part or in full, while the pool's log has only the rest. The token's
// Transfers show the amounts of all other parties. The other side is scaled in proportion to the log. Transfers of it,
// or coins sent with the transaction, take precedence, because payments in the native coin write no log.
import { itemAt } from '../../base/item-at.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Amounts } from './position-tokens.ts'

/** The transaction of a swap. */
export interface Around {
  transaction: Transaction
  logs: readonly DecodedLog[]
}

/**
 * The amounts of the whole trade, from the pool's side. They are those of the log without a settling hook, or with
 * other swaps in the transaction.
 */
export function tradedAmounts(
  work: Work,
  pool: PoolRecord,
  log: LogOf<'v4_swap'>,
  { transaction, logs }: Around,
): Amounts {
  const said: Amounts = [log.amount0, log.amount1]
  if (!pool.hooks || !hasOwnCurve(pool.hookRights) || logs.filter(({ kind }) => kind === 'v4_swap').length > 1)
    return said
  const whole = ([pool.token0Id, pool.token1Id] as const).map((id, side) => {
    const net = netOf(work, pool, tokenOf(work, id).address, logs)
    return isMore(net, itemAt(said, side)) ? net : null
  })
  const [whole0, whole1] = whole as [bigint | null, bigint | null]
  if (whole0 === null && whole1 === null) return said
  const native = (id: number) => (tokenOf(work, id).address === work.known.wrappedNative ? transaction.value : 0n)
  return [
    whole0 ?? inProportion(log.amount0, [whole1 ?? 0n, log.amount1], native(pool.token0Id)),
    whole1 ?? inProportion(log.amount1, [whole0 ?? 0n, log.amount0], native(pool.token1Id)),
  ]
}

/** The amount of a token that all but the hook gave the manager; below zero: received. */
function netOf(work: Work, pool: PoolRecord, token: string, logs: readonly DecodedLog[]): bigint {
  const manager = walletOf(work, pool.walletId).address
  let net = 0n
  for (const log of logs) {
    if (log.kind !== 'transfer' || log.address !== token || log.from === pool.hooks || log.to === pool.hooks) continue
    if (log.to === manager) net += log.amount
    else if (log.from === manager) net -= log.amount
  }
  return net
}

/** Whether both have the same sign, and the first is larger. */
const isMore = (whole: bigint, part: bigint): boolean => (part > 0n ? whole > part : part < 0n && whole < part)

/**
 * An amount of the log, scaled like the other side; the coins sent with the transaction if they agree within a tenth.
 */
function inProportion(amount: bigint, [whole, part]: [bigint, bigint], sent: bigint): bigint {
  const scaled = part === 0n ? amount : (amount * whole) / part
  return scaled > 0n && sent * 10n >= scaled * 9n && sent * 10n <= scaled * 11n ? sent : scaled
}
