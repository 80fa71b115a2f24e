// Pairs that log their reserves (Uniswap V2 and its like). A pair is its own share token.
import type { Address } from '../../base/address.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import type { Actor } from '../rows/events.ts'
import { isZero, walletAt } from '../rows/new-rows.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { isParty } from '../trades/attribute.ts'
import { liquidity, swap } from '../trades/trade.ts'
import type { LogHandlers, Surroundings } from './handler.ts'
import { type Scan, scanPool } from './scan.ts'
import { actorOf, poolOfKind, type TransactionState } from './transaction-state.ts'

/** The log names its pool by logging it. */
const scan = (found: Scan, { address }: DecodedLog, { traders }: Surroundings) => scanPool(found, address, traders)

export const PAIR_LOGS: LogHandlers<'v2_mint' | 'v2_burn' | 'v2_swap' | 'v2_sync'> = {
  v2_mint: { legs: 'pool', scan, apply: change },
  v2_burn: { legs: 'pool', scan, apply: change },
  v2_swap: { legs: 'pool', isSwap: true, scan, apply: trade },
  v2_sync: { scan, apply: sync },
}

function change(work: Work, log: LogOf<'v2_mint' | 'v2_burn'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const { amount0, amount1 } = log
  const by = { ...ofShares(work, log, state, actorOf(work, state, { log, pool, sellsFirst: null })), position: null }
  liquidity(work, { log, pool, isAdd: log.kind === 'v2_mint', amount0, amount1, shares: null, ...by }, state)
}

/** The account that received or gave the shares holds them. It also paid, if nothing shows that the signer did. */
function ofShares(
  work: Work,
  log: LogOf<'v2_mint' | 'v2_burn'>,
  { self, transaction, logs }: TransactionState,
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

function trade(work: Work, log: LogOf<'v2_swap'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const [amount0, amount1] = [log.amount0In - log.amount0Out, log.amount1In - log.amount1Out]
  const actor = actorOf(work, state, { log, pool, sellsFirst: amount0 > 0n })
  swap(work, { log, pool, amount0, amount1, actor }, state.effects.deals)
}

function sync(work: Work, log: LogOf<'v2_sync'>): void {
  const pool = poolOfKind(work, log.address, 'v2')
  if (!pool) return
  const before = quoteSide(work, pool)
  pool.reserve0 = log.reserve0
  pool.reserve1 = log.reserve1
  noteQuoteSide(work, pool, before, revalue(work, pool))
}
