// Creates pools from a factory's log. An older pool is created from its own first log after a factory of the preset has
// confirmed it. A pool of a token with itself is refused.
import type { Address } from '../../base/address.ts'
import { UNKNOWN } from '../../base/vocabulary.ts'
import { isPairKey } from '../../chain/contracts/coin-pool.ts'
import type { PoolMetadata } from '../../chain/contracts/reader.ts'
import type { CoinReserves } from '../../chain/exchanges/exchange.ts'
import { feeRights, hasManyCoins, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { traitsOf } from '../../chain/exchanges/venues.ts'
import { revalue } from '../prices/prices.ts'
import type { Known } from '../rows/known.ts'
import { addLiquidityToken, isOlder, learnKind, own, positionAt, tokenAt, walletAt } from '../rows/new-rows.ts'
import { orient } from '../rows/quotes.ts'
import { newPool, type PoolRecord, type TokenRecord, type WalletRecord } from '../rows/rows.ts'
import { need, tokenOf, touchToken, type Work } from '../rows/working-set.ts'

/** The pool at an address, created on first sight if a factory has confirmed it; null for any other address. */
export function poolAt(work: Work, address: Address): PoolRecord | null {
  const known = work.store.pools.find(address)
  if (known) return known
  const found = work.found.pools.get(address)
  if (!found) return null
  const pool = addPool(work, address, found)
  // It is older than the start block, so the token was listed before its first indexed log.
  for (const token of listed(work, pool)) noteListing(work, token, null)
  return pool
}

/** Creates a pool that its factory has just made. The pool lists each of its tokens without an earlier pool. */
export function openPool(work: Work, address: Address, found: PoolMetadata): PoolRecord {
  const pool = addPool(work, address, found)
  for (const token of [tokenOf(work, pool.token0Id), tokenOf(work, pool.token1Id)])
    if (token.listedAt === null && isFirstPool(work, pool, token)) noteListing(work, token, work.block.time)
  return pool
}

/** Pools of quote tokens are not counted, so a quote token older than the start block may have had any number. */
const isFirstPool = (work: Work, { id, quoteId }: PoolRecord, token: TokenRecord): boolean =>
  token.id === quoteId
    ? !isOlder(work, token)
    : need(work.store.poolsOfBase.get(token.id), 'pools of token', token.id).every((each) => each === id)

function noteListing(work: Work, token: TokenRecord, time: number | null): void {
  if (token.listedAt === time) return
  token.listedAt = time
  touchToken(work, token)
}

/** The tokens that a pool lists: its base, or both if neither side is a quote. */
const listed = (work: Work, { baseId, token0Id, token1Id }: PoolRecord): TokenRecord[] =>
  (baseId === null ? [token0Id, token1Id] : [baseId]).map((id) => tokenOf(work, id))

/** Whether a factory of the preset confirms the address as a pool. */
export const isPool = (work: Work, address: Address): boolean =>
  work.store.pools.find(address) !== undefined || work.found.pools.has(address) || work.announced.has(address)

/** Creates the rows of a pool: its own, its wallet, its share token, and those of every other pair of its coins. */
export function addPool(work: Work, address: Address, found: PoolMetadata): PoolRecord {
  const pool = addRow(work, address, found)
  for (const pair of found.pairsOfMany ?? []) addRow(work, pair.address, pair)
  return pool
}

function addRow(work: Work, address: Address, found: PoolMetadata): PoolRecord {
  const token0 = tokenAt(work, found.token0)
  const token1 = tokenAt(work, found.token1)
  // A manager holds the tokens of all its pools.
  // A wrapper belongs to no factory: it may be anybody's token, which holds tokens like any contract.
  const kind = isWrapper(found, address) ? 'contract' : 'pool'
  const wallet = walletAt(work, holderOf(work.known, found, address), kind)
  learnKind(work, wallet, kind)
  const shares = shareToken(work, address, found)
  const [baseId, quoteId] = orient(work.known, token0, token1)
  const holds = keepsTokens(work.known, found)
  const pool: PoolRecord = Object.assign(newPool(), {
    id: ++work.block.lastPoolId,
    address: own(address),
    kind: found.kind,
    factory: own(found.factory),
    launchpad: found.launchpad,
    token0Id: token0.id,
    token1Id: token1.id,
    fee: found.fee,
    stable: found.stable,
    hooks: found.hooks,
    hookRights: work.known.feeHooks.has(found.hooks ?? '') ? feeRights(found.hookRights) : found.hookRights,
    tickSpacing: found.tickSpacing,
    baseId,
    quoteId,
    lpTokenId: shares.id,
    walletId: wallet.id,
    reserve0: holds ? heldReserve(work, token0, wallet, found.reserve0 > 0n) : found.reserve0,
    reserve1: holds ? heldReserve(work, token1, wallet, found.reserve1 > 0n) : found.reserve1,
    sqrtPriceX96: found.sqrtPriceX96,
    // A new pool is empty; the reserves of an older pool are unknown before its first swap.
    activeLiquidity: found.kind === 'v4' || (found.kind === 'v3' && found.sqrtPriceX96 === null) ? 0n : null,
    createdAt: work.block.time,
    createdBlock: work.block.number,
    updatedBlock: work.block.number,
    offered: found.offered ?? null,
  })
  work.store.pools.add(pool.id, pool, pool.address)
  work.changes.pools.add(pool)
  if (baseId !== null) need(work.store.poolsOfBase.get(baseId), 'pools of token', baseId).push(pool.id)
  for (const token of baseId === null ? [token0, token1] : [tokenOf(work, baseId)]) learnLaunchpad(work, token, pool)
  revalue(work, pool)
  return pool
}

/** The balance of a pool that holds its tokens. `isAsked`: the node told a reserve of it. */
function heldReserve(work: Work, token: TokenRecord, wallet: WalletRecord, isAsked: boolean): bigint {
  const position = work.store.positions.get(token.id, wallet.id)
  if (position) return position.balance
  return isAsked && token.partial ? positionAt(work, token, wallet).balance : 0n
}

/** The facts that decide who holds a pool's tokens. */
type Held = Pick<PoolMetadata, 'kind' | 'factory' | 'hookRights'>

/** How the reserves of a pool of coins are known. */
export const coinReserves = (known: Known, { factory }: Held): CoinReserves | undefined =>
  traitsOf(known.factories.get(factory)).reserves

/** Whether the pool's reserves are its balances. */
export const keepsTokens = (known: Known, pool: Held): boolean =>
  pool.kind === 'v3' ||
  (pool.kind === 'coins' && coinReserves(known, pool) === 'balances' && !hasOwnCurve(pool.hookRights))

/** The holder of the pool's tokens: itself, or the manager of all its pools. */
export const holderOf = (known: Known, pool: Held, address: Address): Address =>
  pool.kind === 'v4' ||
  (pool.kind === 'curve' && traitsOf(known.factories.get(pool.factory)).isCurve) ||
  (pool.kind === 'coins' && coinReserves(known, pool) === 'counted')
    ? pool.factory
    : pool.kind === 'coins'
      ? ownAddress(address)
      : address

/** Whether the pool's contract may be its share token. */
export const hasShareToken = ({ kind }: Pick<PoolMetadata, 'kind'>, address: Address): boolean =>
  kind === 'v2' || (kind === 'coins' && !isPairKey(address))

/**
 * The address of the pool's shares: its own, with which Balancer V2's 32 bytes begin. Of a pool of many coins only the
 * first row has them.
 */
export const sharesAddress = ({ kind }: Pick<PoolMetadata, 'kind'>, address: Address): Address =>
  kind === 'coins' && !isPairKey(address) ? ownAddress(address) : address

const ADDRESS_LENGTH = 42

/** The address with which the 32 bytes of a pool may begin. */
export const ownAddress = (address: Address): Address => address.slice(0, ADDRESS_LENGTH) as Address

/** Sets a V3 pool's reserves to its balances; returns whether they changed. */
export function followBalances(work: Work, pool: PoolRecord): boolean {
  const held = (tokenId: number) => work.store.positions.get(tokenId, pool.walletId)?.balance
  const reserve0 = held(pool.token0Id) ?? pool.reserve0
  const reserve1 = held(pool.token1Id) ?? pool.reserve1
  const changed = reserve0 !== pool.reserve0 || reserve1 !== pool.reserve1
  pool.reserve0 = reserve0
  pool.reserve1 = reserve1
  return changed
}

/** The share token of a pool. */
export const sharesOf = (work: Work, pool: PoolRecord): TokenRecord => tokenOf(work, pool.lpTokenId)

function shareToken(work: Work, address: Address, found: PoolMetadata): TokenRecord {
  const at = sharesAddress(found, address)
  const known = work.store.tokens.find(at)
  const token = known ?? (hasShareToken(found, address) ? tokenAt(work, at) : addLiquidityToken(work, at))
  token.kind = 'lp'
  touchToken(work, token)
  return token
}

/** Whether the pool stands for a token that converts another one into itself. */
const isWrapper = ({ factory }: Held, address: Address): boolean =>
  isPairKey(address) && ownAddress(address) === factory && address.includes(`-${factory}`)

function learnLaunchpad(work: Work, token: TokenRecord, pool: PoolRecord): void {
  // A market maker or wrapper trades tokens of others.
  if (token.launchpad !== UNKNOWN || (isPairKey(pool.address) && !hasManyCoins(pool.hookRights))) return
  token.launchpad = pool.launchpad
  touchToken(work, token)
}
