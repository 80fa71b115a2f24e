// Pools that a factory or a manager of the preset opens.
import { coinPool } from '../../chain/contracts/coin-pool.ts'
import type { LogOf } from '../../chain/event.ts'
import { fixedFee } from '../../chain/exchanges/hooks.ts'
import { traitsOf } from '../../chain/exchanges/venues.ts'
import { openPool } from '../pools/pools.ts'
import type { Known } from '../rows/known.ts'
import { isZero } from '../rows/new-rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { Announced, LogHandlers } from './handler.ts'
import { type Scan, seePool } from './scan.ts'

export const OPENING_LOGS: LogHandlers<'pool_opened' | 'v4_initialize' | 'coins_listed'> = {
  pool_opened: {
    announce: createdPool,
    scan: (found, log, { known }) => scanAnnounced(found, createdPool(known, log)),
    apply: (work, log) => open(work, createdPool(work.known, log)),
  },
  v4_initialize: {
    announce: managedPool,
    scan: (found, log, { known }) => scanAnnounced(found, managedPool(known, log)),
    apply: (work, log) => open(work, managedPool(work.known, log)),
  },
  coins_listed: {
    scan: (found, log, { known }) => scanAnnounced(found, listedPool(known, log)),
    apply: (work, log) => open(work, listedPool(work.known, log)),
  },
}

/** Adds an announced pool. Balancer's may be registered again with other tokens: the first announcement counts. */
export function scanAnnounced(found: Scan, pool: Announced | null): void {
  if (!pool) return
  if (!found.announced.has(pool.address)) found.announced.set(pool.address, pool)
  seePool(found, pool.address)
  found.wallets.add(pool.factory)
}

function open(work: Work, pool: Announced | null): void {
  if (pool && !work.store.pools.find(pool.address)) openPool(work, pool.address, pool)
}

/** Null: the factory is not in the preset, or both tokens are the same. */
function createdPool(known: Known, log: LogOf<'pool_opened'>): Announced | null {
  const { token0, token1, fee, stable, pool: address } = log
  const factory = known.factories.get(log.address)
  if (!factory) return null
  const { reserves, pools } = traitsOf(factory)
  if (reserves) return coinPool(known, log.address, address, [token0, token1])
  if (!pools || token0 === token1) return null
  const empty = { reserve0: 0n, reserve1: 0n, sqrtPriceX96: null, shares: 0n }
  const { launchpad } = factory
  const none = { hooks: null, hookRights: 0, tickSpacing: null, ...empty }
  return { address, kind: pools.pool, factory: log.address, launchpad, token0, token1, fee, stable, ...none }
}

const listedPool = (known: Known, { address, pool, coins }: LogOf<'coins_listed'>): Announced | null =>
  coinPool(known, address, pool, coins)

/** The native coin counts as its wrapped token. */
function managedPool({ factories, wrappedNative }: Known, log: LogOf<'v4_initialize'>): Announced | null {
  const manager = factories.get(log.address)
  const token0 = isZero(log.token0) ? wrappedNative : log.token0
  const token1 = isZero(log.token1) ? wrappedNative : log.token1
  const { manager: traits } = traitsOf(manager)
  if (!manager || !traits || token0 === token1) return null
  return {
    address: log.pool,
    kind: traits.hasRanges ? 'v4' : 'coins',
    factory: log.address,
    launchpad: manager.launchpad,
    token0,
    token1,
    fee: fixedFee(log.fee),
    stable: false,
    hooks: isZero(log.hooks) ? null : log.hooks,
    tickSpacing: log.tickSpacing,
    hookRights: traits.rightsOf(log.rights),
    reserve0: 0n,
    reserve1: 0n,
    sqrtPriceX96: traits.hasRanges ? log.sqrtPriceX96 : null,
    shares: 0n,
  }
}
