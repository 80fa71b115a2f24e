// Turns a pool of coins into rows. A row has two tokens, so a pool of more coins has one row per pair. The first row
// has the pool's address, the others the address with the two coins. A coin for the native one counts as its wrapped
// token; Transfers then do not show the reserves.
import { type Address, toAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { MANY_COINS, RESERVES_UNTOLD } from '../exchanges/hooks.ts'
import { traitsOf, type Venue } from '../exchanges/venues.ts'
import type { PoolMetadata } from './reader.ts'

/** The address that Curve and Fluid use for the native coin. */
const NATIVE = toAddress('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')

export interface KnownFactories {
  factories: ReadonlyMap<string, { kind: Venue; launchpad: string }>
  wrappedNative: Address
}

/** Pools of more coins have no rows, because the number of pairs would be too large. */
const MOST_COINS = 8

/** The key of two coins of a pool: their numbers if its logs name numbers, else their addresses. */
export const pairKey = (pool: Address, coin0: Address | number, coin1: Address | number): Address =>
  `${pool}-${[String(coin0), String(coin1)].sort().join('-')}` as Address

/** Whether the key names two coins of a pool, and is no address. */
export const isPairKey = (address: Address): boolean => address.includes('-')

/** Whether the address stands for the native coin. */
export const isNative = (coin: Address): boolean => coin === NATIVE || coin === ZERO_ADDRESS

/**
 * A pool of two tokens at a contract that trades many: a market maker, a wrapper, or a pool whose coins are told by
 * transfers. Null: both are the same token.
 */
export function pairPool(
  wrappedNative: Address,
  { factory, launchpad }: Pick<PoolMetadata, 'factory' | 'launchpad'>,
  at: Address,
  tokens: readonly [Address, Address],
): (PoolMetadata & { address: Address }) | null {
  const [token0, token1] = tokens.map((token) => (isNative(token) ? wrappedNative : token)).sort() as [Address, Address]
  if (token0 === token1) return null
  const address = pairKey(at, token0, token1)
  return toPool({ address, factory, launchpad, token0, token1, hookRights: RESERVES_UNTOLD })
}

/** Whether the coin is the share of the pool, with whose address its 32 bytes begin: Balancer V2 lists it as a coin. */
export const isOwnShare = (pool: Address, coin: Address): boolean => pool.startsWith(coin)

/** The pool, if its factory or manager is known and it has at least two different coins. */
export function coinPool(
  { factories, wrappedNative }: KnownFactories,
  factory: Address,
  address: Address,
  listed: readonly Address[],
): (PoolMetadata & { address: Address }) | null {
  const known = factories.get(factory)
  const { reserves } = traitsOf(known)
  const coins = listed.filter((coin) => !isOwnShare(address, coin))
  if (!known || !reserves || coins.length > MOST_COINS) return null
  const isMany = coins.length > 2
  const isUntold = isMany || reserves === 'unknown' || (reserves === 'balances' && coins.some(isNative))
  const rights = (isUntold ? RESERVES_UNTOLD : 0) | (isMany ? MANY_COINS : 0)
  const isNamed = known.kind !== 'curve'
  const pairs = coins.flatMap((coin0, at0) =>
    coins.slice(at0 + 1).flatMap((coin1, after) => {
      const [token0, token1] = [coin0, coin1].map((coin) => (isNative(coin) ? wrappedNative : coin)) as [
        Address,
        Address,
      ]
      if (token0 === token1) return []
      const isFirst = at0 === 0 && after === 0
      const key = isNamed ? pairKey(address, token0, token1) : pairKey(address, at0, at0 + 1 + after)
      const { launchpad } = known
      return [toPool({ address: isFirst ? address : key, factory, launchpad, token0, token1, hookRights: rights })]
    }),
  )
  const [first, ...pairsOfMany] = pairs
  return first?.address === address ? { ...first, pairsOfMany } : null
}

type CoinPool = Pick<PoolMetadata, 'factory' | 'launchpad' | 'token0' | 'token1' | 'hookRights'> & { address: Address }

const toPool = (pool: CoinPool): PoolMetadata & { address: Address } => ({
  ...pool,
  kind: 'coins',
  fee: null,
  stable: false,
  hooks: null,
  tickSpacing: null,
  reserve0: 0n,
  reserve1: 0n,
  sqrtPriceX96: null,
  shares: 0n,
})
