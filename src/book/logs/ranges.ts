// Pools whose liquidity lies in ranges and that hold their own tokens (Uniswap V3 and its like).
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { followReserves } from '../pools/pools.ts'
import { directOwner } from '../pools/position-tokens.ts'
import { followActive, learnDepth } from '../prices/depth.ts'
import type { Actor } from '../rows/events.ts'
import type { WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { liquidity, swap } from '../trades/trade.ts'
import type { LogHandlers, Surroundings } from './handler.ts'
import { put, type Scan, scanPool } from './scan.ts'
import { actorOf, poolOfKind, providerOf, type TransactionState } from './transaction-state.ts'

type RangeChange = LogOf<'v3_mint' | 'v3_burn'>

/** The log names its pool by logging it. */
const scan = (found: Scan, { address }: DecodedLog, { traders }: Surroundings) => scanPool(found, address, traders)

export const RANGE_LOGS: LogHandlers<'v3_initialize' | 'v3_mint' | 'v3_burn' | 'v3_swap'> = {
  v3_initialize: { scan, apply: initialize },
  v3_mint: { legs: 'pool', scan: scanChange, apply: change },
  v3_burn: { legs: 'pool', scan: scanChange, apply: change },
  v3_swap: { legs: 'pool', isSwap: true, scan, apply: trade },
}

/** The owner provides, unless it is a position manager: then whoever traded may. */
function scanChange(found: Scan, { address: pool, owner }: RangeChange, { known, traders }: Surroundings): void {
  for (const trader of traders) put(found.providers, pool, trader)
  if (!known.positionManagers.has(owner)) {
    found.wallets.add(owner)
    put(found.signers, pool, owner)
    put(found.providers, pool, owner)
  }
  scanPool(found, pool, traders)
}

function initialize(work: Work, log: LogOf<'v3_initialize'>): void {
  const pool = poolOfKind(work, log.address, 'v3')
  if (!pool) return
  pool.sqrtPriceX96 = log.sqrtPriceX96
  followReserves(work, pool, true)
}

function trade(work: Work, log: LogOf<'v3_swap'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.address, 'v3')
  if (!pool) return
  const { amount0, amount1 } = log
  pool.sqrtPriceX96 = log.sqrtPriceX96
  followActive(pool, log)
  learnDepth(work, pool, log)
  followReserves(work, pool, true)
  const actor = actorOf(work, state, { log, pool, sellsFirst: amount0 > 0n })
  swap(work, { log, pool, amount0, amount1, actor }, state.effects.deals)
}

function change(work: Work, log: RangeChange, state: TransactionState): void {
  const pool = poolOfKind(work, log.address, 'v3')
  if (!pool) return
  followActive(pool, log)
  followReserves(work, pool, true)
  const { amount0, amount1 } = log
  const isAdd = log.kind === 'v3_mint'
  const shares = isAdd ? log.liquidity : -log.liquidity
  const owner = directOwner(work, pool, log)
  const actor = owner ? ofOwner(state, owner) : actorOf(work, state, { log, pool, sellsFirst: null })
  const by = owner ? { holder: owner, position: null } : providerOf(work, state, { pool, log, actor })
  liquidity(work, { log, pool, isAdd, amount0, amount1, shares, actor, ...by }, state)
}

/** The owner's change of its own liquidity. */
const ofOwner = ({ self }: TransactionState, wallet: WalletRecord): Actor =>
  wallet === self.wallet ? self : { wallet, signer: self.signer, attribution: 'position' }
