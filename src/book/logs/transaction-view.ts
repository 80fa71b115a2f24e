// What the handler of a log sees of its transaction, and the wallet of each trade or change of liquidity.
import type { Address } from '../../base/address.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import { poolAt } from '../pools/pools.ts'
import { type PositionKey, type Provider, positionTokenAt } from '../pools/position-tokens.ts'
import type { Actor } from '../rows/events.ts'
import { walletAt } from '../rows/new-rows.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Attribute } from '../trades/attribute.ts'
import type { TellTrader } from '../trades/both-sides.ts'
import type { TradeLegs } from '../trades/transfer.ts'
import type { Fact } from './fact.ts'
import { type Scan, scanPool } from './scan.ts'

/** Nothing in it changes from log to log. */
export interface TransactionView {
  transaction: Transaction
  logs: readonly DecodedLog[]
  /** The provider of a pool's log; null: the signer, for all logs. */
  attribute: Attribute | null
  /** The trader of a swap; null: the signer, for all swaps. */
  tellTrader: TellTrader | null
  /** The acting account. */
  self: Actor
  /** It stands for the account that the acting one may have acted for, which nothing proves. */
  claimant: WalletRecord | null
  /** The position tokens whose liquidity changed, by the log index of the pool's log. */
  positions: ReadonlyMap<number, PositionKey>
  legs: TradeLegs
  /** Whether a log is of this address. */
  isEmitter(address: Address): boolean
}

/** Whether an address is one of these, which nobody lists before the first question. */
export function among(list: () => readonly Address[]): (address: Address) => boolean {
  let listed: ReadonlySet<Address> | null = null
  return (address) => {
    listed ??= new Set(list())
    return listed.has(address)
  }
}

/** The address or the 32 bytes of the pool that the log is about. */
export const poolKey = (log: DecodedLog): Address => ('pool' in log && log.pool) || log.address

/** Scans a log that names nobody but its pool. */
export const scanOwn = (found: Scan, log: DecodedLog, { traders }: { traders: readonly Address[] }): void =>
  scanPool(found, poolKey(log), traders)

/** Tells what a log says of its pool. It says nothing of a pool of another kind. */
export const ofPool =
  <Log extends DecodedLog>(
    kind: PoolRecord['kind'],
    tell: (work: Work, log: Log, pool: PoolRecord, view: TransactionView) => readonly Fact[],
  ) =>
  (work: Work, log: Log, view: TransactionView): readonly Fact[] => {
    const pool = poolOfKind(work, poolKey(log), kind)
    return pool ? tell(work, log, pool, view) : []
  }

/** The pool at the address if it is of this kind; null otherwise. */
export function poolOfKind(work: Work, address: Address, kind: PoolRecord['kind']): PoolRecord | null {
  const pool = poolAt(work, address)
  return pool?.kind === kind ? pool : null
}

/** A log of a pool. `sellsFirst`: a swap that paid the pool's first token in; null: the log is no swap. */
interface Trade {
  log: DecodedLog
  pool: PoolRecord
  sellsFirst: boolean | null
  /** The paid and received amounts, if the log has both. */
  amounts?: readonly [paid: bigint, got: bigint]
}

/** The wallet of a trade or change of liquidity. */
export function actorOf(
  work: Work,
  { self, attribute, tellTrader }: TransactionView,
  { pool, log: { logIndex }, sellsFirst, amounts }: Trade,
): Actor {
  if (!attribute && !tellTrader) return self
  const token0 = tokenOf(work, pool.token0Id).address
  const token1 = tokenOf(work, pool.token1Id).address
  const [sold, bought] = sellsFirst ? [token0, token1] : [token1, token0]
  const found =
    sellsFirst === null || !tellTrader
      ? attribute?.(logIndex, [token0, token1])
      : tellTrader({ logIndex, holder: walletOf(work, pool.walletId).address, sold, bought, amounts })
  if (!found || found.attribution === 'signer') return self
  return { wallet: walletAt(work, found.address), signer: self.signer, attribution: found.attribution }
}

/** The provider: the holder of the position's token, else the trader. */
export function providerOf(
  work: Work,
  { positions }: TransactionView,
  { logIndex }: LogOf<'v3_mint' | 'v3_burn' | 'v4_modify'>,
  { wallet }: Actor,
): Provider {
  const key = positions.get(logIndex)
  if (!key) return { holder: wallet, position: null }
  const position = positionTokenAt(work, key, wallet)
  return { holder: walletOf(work, position.ownerId), position }
}
