// What a trade moved where a hook settles a part of it, or all, and the pool's log tells of the rest alone. The token's Transfers tell what
// changed hands with everybody but the hook. The other side is in the same proportion to the log, unless Transfers tell it too, or
// the coins that were sent with the transaction agree with it: payments in the native coin write no log.
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Amounts } from './position-tokens.ts'

/** The transaction that a swap is of. */
export interface Around {
  transaction: Transaction
  logs: readonly DecodedLog[]
}

/** The amounts of the whole trade, from the pool's side; those of the log where no hook settles, or the transaction has other swaps. */
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
    return isMore(net, said[side] as bigint) ? net : null
  })
  const [whole0, whole1] = whole as [bigint | null, bigint | null]
  if (whole0 === null && whole1 === null) return said
  const native = (id: number) => (tokenOf(work, id).address === work.known.wrappedNative ? transaction.value : 0n)
  return [
    whole0 ?? inProportion(log.amount0, [whole1 ?? 0n, log.amount1], native(pool.token0Id)),
    whole1 ?? inProportion(log.amount1, [whole0 ?? 0n, log.amount0], native(pool.token1Id)),
  ]
}

/** What everybody but the hook gave the manager of a token; below zero: got. */
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

/** Whether both have a sign, the same, and the first is larger. */
const isMore = (whole: bigint, part: bigint): boolean => (part > 0n ? whole > part : part < 0n && whole < part)

/** An amount of the log, as much larger as the other side is; what was sent in the native coin where it agrees within a tenth. */
function inProportion(amount: bigint, [whole, part]: [bigint, bigint], sent: bigint): bigint {
  const scaled = part === 0n ? amount : (amount * whole) / part
  return scaled > 0n && sent * 10n >= scaled * 9n && sent * 10n <= scaled * 11n ? sent : scaled
}
