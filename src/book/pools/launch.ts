// A launch venue's facts about a token: where it was launched, and its creator, whoever signed or minted it. At the end
// of the transaction: its first pool, the holder of the liquidity, and whether it can ever be withdrawn. Only liquidity
// with proof counts as locked: a log of the venue, or the source of the holding contract.
import type { Address } from '../../base/address.ts'
import { NEVER } from '../../base/time.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import type { LaunchTraits } from '../../chain/exchanges/exchange.ts'
import { traitsOf } from '../../chain/exchanges/venues.ts'
import { creditDeployer, isOlder, learnKind, tokenAt, walletAt } from '../rows/new-rows.ts'
import type { LaunchRecord, PoolRecord, TokenRecord, WalletRecord } from '../rows/rows.ts'
import { touchToken, touchWallet, type Work, walletOf } from '../rows/working-set.ts'
import type { PositionKey } from './position-tokens.ts'

export type LaunchLog = LogOf<'launched' | 'launch_moved' | 'launch_locked'>

export const isLaunch = (log: DecodedLog): log is LaunchLog => log.kind.startsWith('launch')

/** The facts of a transaction besides its launches. */
interface Around {
  logs: readonly DecodedLog[]
  /** The pools that it opened. */
  opened: readonly PoolRecord[]
  positions: ReadonlyMap<number, PositionKey>
}

export function applyLaunch(work: Work, log: LogOf<'launched'>): void {
  const venue = work.known.factories.get(log.address)
  if (!venue) return
  const token = tokenAt(work, log.token)
  token.launchpad = venue.launchpad
  touchToken(work, token)
  if (log.creator) nameCreator(work, token, walletAt(work, log.creator))
}

/**
 * The creator is the account that requested the token. This log is in the block of the first mint, whose signer counted
 * until now.
 */
export function nameCreator(work: Work, token: TokenRecord, creator: WalletRecord): void {
  const before = token.deployerId
  if (before === creator.id || isOlder(work, token) || token.createdBlock !== work.block.number) return
  token.deployerId = creator.id
  touchToken(work, token)
  if (!token.indexed) return
  creditDeployer(work, creator.id)
  const signer = before === null ? undefined : work.store.wallets.get(before)
  if (!signer) return
  signer.deployedCount -= 1
  touchWallet(work, signer)
}

/** Stores the curve with which a venue begins to sell a token: the venue holds the raised amount. */
export function noteCurve(work: Work, pool: PoolRecord, token: Address, creator: WalletRecord | null): void {
  const tokenId = work.store.tokens.find(token)?.id
  if (!pool.fresh || tokenId === undefined) return
  noteVenuePool(work, { poolId: pool.id, tokenId, creatorId: creator?.id ?? null, holderId: pool.walletId })
}

/** Stores the pools of a transaction's launches, once all its liquidity is in place. */
export function settleLaunches(work: Work, launches: readonly LaunchLog[], around: Around): void {
  for (const log of launches) {
    if (log.kind === 'launched') noteLaunch(work, log, launches, around)
    else if (log.kind === 'launch_moved') noteMove(work, log, around.opened)
    else noteLock(work, log, around.opened)
  }
}

function noteLaunch(work: Work, log: LogOf<'launched'>, launches: readonly LaunchLog[], around: Around): void {
  const venue = work.known.factories.get(log.address)
  const token = work.store.tokens.find(log.token)
  const pool = token && around.opened.find((each) => isOf(each, token))
  if (!venue || !token || !pool) return
  if (log.keeper) learnKind(work, walletAt(work, log.keeper), 'contract')
  const holder = largestProvider(work, pool, around)
  const creatorId = log.creator ? walletAt(work, log.creator).id : null
  noteVenuePool(work, { poolId: pool.id, tokenId: token.id, creatorId, holderId: holder?.id ?? null })
  if (!holder) return
  // The venue's contract added it for the creator of the token.
  if (pool.openerId === holder.id) pool.openerId = token.deployerId
  const isKeeper = log.keeper === holder.address
  const says = (each: LaunchLog) =>
    each.kind === 'launch_locked' &&
    each.address === holder.address &&
    (each.of === token.address || each.of === pool.address)
  const { launch: traits } = traitsOf(venue)
  const keeps =
    work.known.permanentLockers.has(holder.address) ||
    (isKeeper && traits?.keptByHook && pool.hooks === holder.address) ||
    (traits?.keptByToken && pool.kind === 'v3' && holder.address === token.address) ||
    (isKeeper && launches.some(says))
  if (keeps) lockAll(work, pool, holder, NEVER)
}

/**
 * A token logs where its liquidity is now: with another of its venue's hooks. Such logs of other venues' tokens are not
 * trusted.
 */
function noteMove(work: Work, log: LogOf<'launch_moved'>, opened: readonly PoolRecord[]): void {
  const token = work.store.tokens.find(log.address)
  const pool = opened.find(({ address }) => address === log.pool)
  if (!token || !pool || !isOf(pool, token) || !proves(work, token, 'keptByHook')) return
  const holder = walletAt(work, log.keeper, 'contract')
  if (pool.hooks !== log.keeper || sharesIn(work, pool, holder) === 0n) return
  noteVenuePool(work, { poolId: pool.id, tokenId: token.id, creatorId: null, holderId: holder.id })
  lockAll(work, pool, holder, NEVER)
}

/** A locker of the preset holds liquidity that a launch moved to a new pool. */
function noteLock(work: Work, log: LogOf<'launch_locked'>, opened: readonly PoolRecord[]): void {
  const pool = opened.find(({ address }) => address === log.of)
  const holder = walletAt(work, log.address, 'contract')
  if (!pool || holder.kind !== 'locker' || sharesIn(work, pool, holder) === 0n) return
  const token = [pool.token0Id, pool.token1Id]
    .map((id) => work.store.tokens.get(id))
    .find((each) => each && proves(work, each, 'keptByLocker'))
  if (!token) return
  noteVenuePool(work, { poolId: pool.id, tokenId: token.id, creatorId: null, holderId: holder.id })
  lockAll(work, pool, holder, log.endsAt)
}

const isOf = ({ token0Id, token1Id }: PoolRecord, { id }: TokenRecord): boolean => token0Id === id || token1Id === id

/** Whether the source of the token's launch venue proves it. */
const proves = ({ known }: Work, { launchpad }: TokenRecord, trait: keyof LaunchTraits): boolean =>
  [...known.factories.values()].some((venue) => traitsOf(venue).launch?.[trait] && venue.launchpad === launchpad)

/** The holder of most of a new pool's liquidity: the owner of a position's token, or the caller of the manager. */
function largestProvider(work: Work, pool: PoolRecord, { logs, positions }: Around): WalletRecord | null {
  const ids = new Set<number>()
  for (const { manager, number } of positions.values()) {
    const managerId = work.store.wallets.find(manager)?.id
    const row = managerId === undefined ? undefined : work.store.positionTokens.get(managerId, number)
    if (row?.poolId === pool.id) ids.add(row.ownerId)
  }
  for (const log of logs) {
    const caller = callerOf(log, pool)
    if (caller && !work.known.positionManagers.has(caller)) ids.add(walletAt(work, caller, 'contract').id)
  }
  let largest: WalletRecord | null = null
  let most = 0n
  for (const id of ids) {
    const wallet = walletOf(work, id)
    const shares = sharesIn(work, pool, wallet)
    if (shares <= most) continue
    most = shares
    largest = wallet
  }
  return largest
}

/** The provider of liquidity in the pool's log; null for any other log. */
function callerOf(log: DecodedLog, { address }: PoolRecord): Address | null {
  if (log.kind === 'v4_modify') return log.pool === address ? log.sender : null
  return log.kind === 'v3_mint' && log.address === address ? log.owner : null
}

const sharesIn = (work: Work, { lpTokenId }: PoolRecord, { id }: WalletRecord): bigint =>
  work.store.positions.get(lpTokenId, id)?.balance ?? 0n

/** Stores a pool with which a venue opened a token, or into which it moved the token. */
function noteVenuePool(work: Work, row: Omit<LaunchRecord, 'fresh'>): void {
  for (const each of work.changes.launches) if (each.poolId === row.poolId) work.changes.launches.delete(each)
  work.changes.launches.add({ fresh: true, ...row })
}

/** More than any holder has: the lock covers all liquidity, including later additions. */
const ALL = 2n ** 128n - 1n

/** The pool is new, so its only possible lock is that of another launch in this transaction. */
function lockAll(work: Work, { lpTokenId }: PoolRecord, holder: WalletRecord, endsAt: number): void {
  for (const lock of work.changes.locks)
    if (lock.tokenId === lpTokenId && lock.lockerId === holder.id) work.changes.locks.delete(lock)
  const lock = { lockerId: holder.id, number: 0, tokenId: lpTokenId, ownerId: null, amount: ALL, endsAt }
  work.changes.locks.add({ fresh: true, ...lock })
  work.changes.dueShares.add(lpTokenId)
}
