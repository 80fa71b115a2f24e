// Pairs that log their reserves (Uniswap V2 and its like). A pair is its own share token.
import type { Address } from '../../base/address.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { priced } from '../pools/priced.ts'
import type { Actor } from '../rows/events.ts'
import { isZero, walletAt } from '../rows/new-rows.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { isParty } from '../trades/attribute.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers } from './handler.ts'
import { actorOf, ofPool, scanOwn, type TransactionView } from './transaction-view.ts'

export const PAIR_LOGS: LogHandlers<'v2_mint' | 'v2_burn' | 'v2_swap' | 'v2_sync'> = {
  v2_mint: { legs: 'pool', scan: scanOwn, tell: ofPool('v2', change) },
  v2_burn: { legs: 'pool', scan: scanOwn, tell: ofPool('v2', change) },
  v2_swap: { legs: 'pool', isSwap: true, scan: scanOwn, tell: ofPool('v2', trade) },
  v2_sync: {
    scan: scanOwn,
    tell: ofPool('v2', (_, { reserve0, reserve1 }, pool) => [priced(pool, { reserve0, reserve1 })]),
  },
}

function change(work: Work, log: LogOf<'v2_mint' | 'v2_burn'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const { amount0, amount1 } = log
  const by = ofShares(work, log, view, actorOf(work, view, { log, pool, sellsFirst: null }))
  const isAdd = log.kind === 'v2_mint'
  return [{ kind: 'provided', log, pool, isAdd, amount0, amount1, shares: null, ...by, position: null }]
}

/** The account that received or gave the shares holds them. It also paid, if nothing shows that the signer did. */
function ofShares(
  work: Work,
  log: LogOf<'v2_mint' | 'v2_burn'>,
  { self, transaction, logs }: TransactionView,
  actor: Actor,
): { actor: Actor; holder: WalletRecord } {
  const owner = ownerOf(log, logs)
  const holder = owner === null || owner === actor.wallet.address ? actor.wallet : walletAt(work, owner)
  if (holder === actor.wallet || holder.kind !== 'account') return { actor, holder: actor.wallet }
  if (actor !== self || isParty(transaction, logs)) return { actor, holder }
  return { actor: { wallet: holder, signer: self.signer, attribution: 'position' }, holder }
}

/** The receiver of minted shares, or the sender of those that the pair burned: of the last Transfer before the log. */
function ownerOf(
  { kind, address, logIndex }: LogOf<'v2_mint' | 'v2_burn'>,
  logs: readonly DecodedLog[],
): Address | null {
  let owner: Address | null = null
  for (const log of logs) {
    if (log.logIndex > logIndex) break
    if (log.kind !== 'transfer' || log.address !== address) continue
    if (kind === 'v2_burn') owner = log.to === address ? log.from : owner
    else if (isZero(log.from) && !isZero(log.to)) owner = log.to
  }
  return owner
}

function trade(work: Work, log: LogOf<'v2_swap'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const [amount0, amount1] = [log.amount0In - log.amount0Out, log.amount1In - log.amount1Out]
  const actor = actorOf(work, view, { log, pool, sellsFirst: amount0 > 0n })
  return [{ kind: 'swapped', log, pool, amount0, amount1, actor }]
}
