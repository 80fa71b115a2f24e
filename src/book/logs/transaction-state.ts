// The state that a transaction passes from log to log, and the wallet of each trade or change of liquidity.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { DecodedLog, LogOf, Transaction } from '../../chain/event.ts'
import type { Moved } from '../balances/balance.ts'
import type { LaunchLog } from '../pools/launch.ts'
import type { ManagedChange } from '../pools/managed-fees.ts'
import { poolAt } from '../pools/pools.ts'
import { followPosition, type PositionKey, type Provider } from '../pools/position-tokens.ts'
import type { Actor } from '../rows/events.ts'
import { walletAt } from '../rows/new-rows.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, type Work, walletOf } from '../rows/working-set.ts'
import type { Attribute, Attributed } from '../trades/attribute.ts'
import type { TellTrader } from '../trades/both-sides.ts'
import type { TradeEffects } from '../trades/trade-settlement.ts'

export interface TransactionState {
  transaction: Transaction
  logs: readonly DecodedLog[]
  /** The acting account. */
  sender: WalletRecord
  /** It stands for the account that the sender may have acted for, which nothing proves. */
  claimant: WalletRecord | null
  /** The provider of a pool's log; null: the signer, for all logs. */
  attribute: Attribute | null
  /** The trader of a swap; null: the signer, for all swaps. */
  tellTrader: TellTrader | null
  self: Actor
  /** The position tokens whose liquidity changed, by the log index of the pool's log. */
  positions: ReadonlyMap<number, PositionKey>
  isLeg: (from: Address, to: Address) => boolean
  /** The tokens that the signer sent into trades; null: not computed yet. */
  paid: Set<Address> | null
  moved: Moved
  /** The hooks of the managed pools swapped in so far; null: no such pool was. */
  hooks: Set<string> | null
  /** Changes of positions whose manager holds the tokens; null: none so far. */
  managed: ManagedChange[] | null
  /** The pools among the wallets that sent or received tokens. */
  pools: WalletRecord[]
  /** The addresses of the logs; null: not computed yet. */
  emitters: Set<Address> | null
  /** The logs of launch venues; null: none. */
  launches: LaunchLog[] | null
  effects: TradeEffects
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
export function actorOf(work: Work, state: TransactionState, trade: Trade): Actor {
  const { self } = state
  const { address, attribution } = attributed(work, state, trade) ?? SIGNERS
  if (attribution === 'signer') return self
  return { wallet: walletAt(work, address), signer: self.signer, attribution }
}

const SIGNERS: Attributed = { address: ZERO_ADDRESS, attribution: 'signer' }

function attributed(
  work: Work,
  { attribute, tellTrader }: TransactionState,
  { pool, log, sellsFirst, amounts }: Trade,
): Attributed | null {
  if (!attribute && !tellTrader) return null
  const token0 = tokenOf(work, pool.token0Id).address
  const token1 = tokenOf(work, pool.token1Id).address
  if (sellsFirst === null || !tellTrader) return attribute?.(log.logIndex, [token0, token1]) ?? null
  const holder = walletOf(work, pool.walletId).address
  const [sold, bought] = sellsFirst ? [token0, token1] : [token1, token0]
  return tellTrader({ logIndex: log.logIndex, holder, sold, bought, amounts })
}

/** The provider: the holder of the position's token, else the trader. */
export function providerOf(
  work: Work,
  { positions }: TransactionState,
  { pool, log, actor }: { pool: PoolRecord; log: LogOf<'v3_mint' | 'v3_burn' | 'v4_modify'>; actor: Actor },
): Provider {
  const key = positions.get(log.logIndex)
  if (!key) return { holder: actor.wallet, position: null }
  const position = followPosition(work, key, { pool, log, trader: actor.wallet })
  return { holder: walletOf(work, position.ownerId), position }
}
