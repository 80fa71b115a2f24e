// A pool of two coins as rows are made of it. Pools of more coins have no row: a row has one price. A coin that stands for
// the native one counts as its wrapped token, but then no Transfer tells what lies in the pool.
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import type { Venue } from '../event.ts'
import { RESERVES_UNTOLD } from '../exchanges/hooks.ts'
import { COIN_RESERVES } from '../exchanges/venues.ts'
import type { PoolMetadata } from './reader.ts'

/** How Curve and Fluid write the native coin. */
const NATIVE = toAddress('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')

export interface KnownFactories {
  factories: ReadonlyMap<string, { kind: Venue; launchpad: string }>
  wrappedNative: Address
}

/** The pool, if its factory or manager is known and it has two different coins. */
export function coinPool(
  { factories, wrappedNative }: KnownFactories,
  factory: Address,
  address: Address,
  coins: readonly Address[],
): (PoolMetadata & { address: Address }) | null {
  const known = factories.get(factory)
  const reserves = known && COIN_RESERVES[known.kind]
  const isNative = (coin: Address) => coin === NATIVE || coin === ZERO_ADDRESS
  const [token0, token1] = coins.map((coin) => (isNative(coin) ? wrappedNative : coin))
  if (!reserves || coins.length !== 2 || !token0 || !token1 || token0 === token1) return null
  const isUntold = reserves === 'unknown' || (reserves === 'balances' && coins.some(isNative))
  return {
    address,
    kind: 'coins',
    factory,
    launchpad: known.launchpad,
    token0,
    token1,
    fee: null,
    stable: false,
    hooks: null,
    hookRights: isUntold ? RESERVES_UNTOLD : 0,
    tickSpacing: null,
    reserve0: 0n,
    reserve1: 0n,
    sqrtPriceX96: null,
    shares: 0n,
  }
}
