// Pools whose liquidity lies in ranges and that hold their own tokens (Uniswap V3 and its like).
import type { LogOf } from '../../chain/event.ts'
import { directOwner } from '../pools/position-tokens.ts'
import { priced } from '../pools/priced.ts'
import { activeAfter, leastReserves, spacingOf } from '../prices/depth.ts'
import type { Actor } from '../rows/events.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers, Surroundings } from './handler.ts'
import { put, type Scan, scanPool } from './scan.ts'
import { actorOf, ofPool, providerOf, scanOwn, type TransactionView } from './transaction-view.ts'

type RangeChange = LogOf<'v3_mint' | 'v3_burn'>

export const RANGE_LOGS: LogHandlers<'v3_initialize' | 'v3_mint' | 'v3_burn' | 'v3_swap'> = {
  v3_initialize: { scan: scanOwn, tell: ofPool('v3', (_, { sqrtPriceX96 }, pool) => [priced(pool, { sqrtPriceX96 })]) },
  v3_mint: { legs: 'pool', scan: scanChange, tell: ofPool('v3', change) },
  v3_burn: { legs: 'pool', scan: scanChange, tell: ofPool('v3', change) },
  v3_swap: { legs: 'pool', isSwap: true, scan: scanOwn, tell: ofPool('v3', trade) },
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

function trade(work: Work, log: LogOf<'v3_swap'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const { amount0, amount1, sqrtPriceX96, liquidity: activeLiquidity } = log
  const actor = actorOf(work, view, { log, pool, sellsFirst: amount0 > 0n })
  return [
    priced(pool, { sqrtPriceX96, activeLiquidity }, leastReserves(spacingOf(pool), log)),
    { kind: 'swapped', log, pool, amount0, amount1, actor },
  ]
}

function change(work: Work, log: RangeChange, pool: PoolRecord, view: TransactionView): Fact[] {
  const { amount0, amount1 } = log
  const isAdd = log.kind === 'v3_mint'
  const shares = isAdd ? log.liquidity : -log.liquidity
  const owner = directOwner(work, pool, log)
  const actor = owner ? ofOwner(view, owner) : actorOf(work, view, { log, pool, sellsFirst: null })
  const by = owner ? { holder: owner, position: null } : providerOf(work, view, log, actor)
  return [
    priced(pool, { activeLiquidity: activeAfter(pool, log) }),
    { kind: 'provided', log, pool, isAdd, amount0, amount1, shares, actor, ...by },
  ]
}

/** The owner's change of its own liquidity. */
const ofOwner = ({ self }: TransactionView, wallet: WalletRecord): Actor =>
  wallet === self.wallet ? self : { wallet, signer: self.signer, attribution: 'position' }
