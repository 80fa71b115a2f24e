// Collects what a batch of blocks names: the tokens, pools and wallets of its logs, and what it mints. This runs before
// anything is applied, so that everything can be fetched at once.

import { type Address, ZERO_ADDRESS } from '../../../base/address.ts'
import { announcedPool } from '../../../book/pools/pools.ts'
import { findPositions } from '../../../book/pools/position-tokens.ts'
import type { Grouped } from '../../../book/rows/group.ts'
import type { Known } from '../../../book/rows/known.ts'
import { pairOfMany } from '../../../book/trades/coins.ts'
import { possibleTraders } from '../../../book/trades/traders.ts'
import type { PoolMetadata } from '../../../chain/contracts/reader.ts'
import {
  type CurveLog,
  type DecodedLog,
  isLockLog,
  type LockLog,
  type LogOf,
  type Transaction,
} from '../../../chain/event.ts'
import { curveKey } from '../../../chain/exchanges/venues.ts'

export interface Scan {
  tokens: Set<Address>
  pools: Set<Address>
  wallets: Set<Address>
  /** Pools whose creation the preset's factories logged. */
  announced: Map<Address, PoolMetadata>
  /** By how much the batch changes each token's supply; negative if it burns more than it mints. */
  minted: Map<Address, bigint>
  /** Senders and receivers of Transfers, by token. */
  holdings: Map<Address, Set<Address>>
  /** Signers of the transactions in which a pool logged something, by pool. */
  signers: Map<Address, Set<Address>>
  /** Those signers that changed the liquidity of a V3 pool, by pool. Their shares are not tokens, so no Transfer shows them. */
  providers: Map<Address, Set<Address>>
  /** Position tokens, with the pools and wallets that the logs name beside them. */
  positions: Map<string, ScannedPosition>
  /** Stakes by gauge and owner. */
  stakes: Map<string, { gauge: Address; owner: Address }>
  /** Who sent tokens, which may realise something. */
  senders: Set<Address>
  /** The logs of lockers. */
  locks: LockLog[]
}

/** A position token that the batch names. */
export interface ScannedPosition {
  manager: Address
  number: number
  pools: Set<Address>
  wallets: Set<Address>
}

/** Scans the blocks' transactions. */
export function scan(known: Known, blocks: readonly Grouped[]): Scan {
  const found: Scan = {
    tokens: new Set(),
    pools: new Set(),
    wallets: new Set(),
    announced: new Map(),
    minted: new Map(),
    holdings: new Map(),
    signers: new Map(),
    providers: new Map(),
    positions: new Map(),
    stakes: new Map(),
    senders: new Set(),
    locks: [],
  }
  for (const transactions of blocks) {
    for (const [transaction, logs] of transactions) {
      scanTransaction(found, transaction, logs)
      const traders = possibleTraders(transaction, logs)
      for (const trader of traders) found.wallets.add(trader)
      const all = traders.length === 0 ? [transaction.from] : [transaction.from, ...traders]
      for (const log of logs) scanLog(known, found, all, log)
      scanPositions(known, found, all, logs)
    }
  }
  return found
}

function scanTransaction(found: Scan, { from, to, plain, value }: Transaction, logs: DecodedLog[]): void {
  found.wallets.add(from)
  if (to && (logs.length > 0 || (plain && value > 0n))) found.wallets.add(to)
}

/** `traders`: everybody whose trade it may be. */
function scanLog(known: Known, found: Scan, traders: readonly Address[], log: DecodedLog): void {
  switch (log.kind) {
    case 'transfer':
      scanMove(found, log.address, log.from, log.to, log.amount)
      break
    case 'deposit':
      if (log.address === known.wrappedNative) scanMove(found, log.address, ZERO_ADDRESS, log.to, log.amount)
      break
    case 'withdrawal':
      if (log.address === known.wrappedNative) scanMove(found, log.address, log.from, ZERO_ADDRESS, log.amount)
      break
    case 'pool_opened':
    case 'coins_listed':
    case 'v4_initialize':
    case 'pair_launched': {
      const pool = announcedPool(known, log)
      // A pool is what it was announced as first: Balancer's may be registered again with other tokens.
      if (pool && !found.announced.has(pool.address)) found.announced.set(pool.address, pool)
      if (pool) found.wallets.add(pool.factory)
      break
    }
    case 'user_operation':
    case 'settled':
    case 'position_moved':
    case 'position_changed':
    case 'position_collected':
    case 'position_staked':
    case 'filled':
    case 'pair_reserves':
      break
    case 'pair_closed':
      found.tokens.add(log.token)
      break
    case 'shares_staked':
    case 'shares_unstaked':
      found.wallets.add(log.address)
      found.wallets.add(log.owner)
      found.stakes.set(`${log.address} ${log.owner}`, { gauge: log.address, owner: log.owner })
      break
    case 'launched':
      found.tokens.add(log.token)
      if (log.creator) found.wallets.add(log.creator)
      if (log.keeper) found.wallets.add(log.keeper)
      break
    case 'launch_moved':
      found.tokens.add(log.address)
      found.wallets.add(log.keeper)
      break
    case 'launch_locked':
      found.wallets.add(log.address)
      break
    case 'curve_opened':
    case 'curve_trade':
    case 'curve_closed':
      scanCurve(found, log)
      break
    case 'coins_swap':
    case 'coins_change': {
      const pool = log.pool ?? log.address
      const pair = log.kind === 'coins_swap' ? pairOfMany(known, log) : null
      found.wallets.add(log.address)
      for (const key of pair ? [pool, pair] : [pool]) {
        found.pools.add(key)
        for (const trader of traders) put(found.signers, key, trader)
      }
      break
    }
    default:
      if (isLockLog(log)) {
        scanLock(found, log)
        break
      }
      if (log.kind === 'v4_modify' || log.kind === 'v4_swap') {
        scanManaged(found, traders, log)
        break
      }
      found.pools.add(log.address)
      if (log.kind === 'v3_mint' || log.kind === 'v3_burn') scanRange(known, found, traders, log)
      for (const trader of traders) put(found.signers, log.address, trader)
  }
}

/** Whoever gave or got a position token may be its owner when its liquidity changes; so may whoever traded. */
function scanPositions(known: Known, found: Scan, traders: readonly Address[], logs: readonly DecodedLog[]): void {
  for (const log of logs) {
    if (log.kind === 'position_collected') positionOf(found, log.address, log.number)
    if (log.kind !== 'position_moved') continue
    const { wallets } = positionOf(found, log.address, log.number)
    for (const wallet of [log.from, log.to]) {
      if (wallet === ZERO_ADDRESS) continue
      wallets.add(wallet)
      found.wallets.add(wallet)
    }
  }
  const positions = findPositions(known, logs)
  if (positions.size === 0) return
  for (const log of logs) {
    const key = positions.get(log.logIndex)
    if (!key) continue
    const { pools, wallets } = positionOf(found, key.manager, key.number)
    pools.add(log.kind === 'v4_modify' ? log.pool : log.address)
    for (const trader of traders) wallets.add(trader)
  }
}

function positionOf({ positions, wallets }: Scan, manager: Address, number: number): ScannedPosition {
  wallets.add(manager)
  const key = positionKey(manager, number)
  const known = positions.get(key)
  if (known) return known
  const position = { manager, number, pools: new Set<Address>(), wallets: new Set<Address>() }
  positions.set(key, position)
  return position
}

const positionKey = (manager: Address, number: number): string => `${manager} ${number}`

/** The owner provides, unless it is a position manager: then whoever traded may. */
function scanRange(
  { positionManagers }: Known,
  found: Scan,
  traders: readonly Address[],
  { address: pool, owner }: LogOf<'v3_mint' | 'v3_burn'>,
): void {
  for (const trader of traders) put(found.providers, pool, trader)
  if (positionManagers.has(owner)) return
  found.wallets.add(owner)
  put(found.signers, pool, owner)
  put(found.providers, pool, owner)
}

/** Whoever calls the manager may provide, unless it holds the position for the trader. */
function scanManaged(found: Scan, traders: readonly Address[], log: LogOf<'v4_modify' | 'v4_swap'>): void {
  const { pool } = log
  found.pools.add(pool)
  found.wallets.add(log.address)
  for (const who of log.kind === 'v4_modify' ? [...traders, log.sender] : traders) {
    found.wallets.add(who)
    put(found.signers, pool, who)
    if (log.kind === 'v4_modify') put(found.providers, pool, who)
  }
}

/** A curve is a pool of its venue, and its log names who traded or made the token. */
function scanCurve(found: Scan, log: CurveLog): void {
  const pool = curveKey(log.token, log.address)
  found.tokens.add(log.token)
  found.pools.add(pool)
  found.wallets.add(log.address)
  const who = log.kind === 'curve_trade' ? log.trader : log.kind === 'curve_opened' ? log.creator : null
  if (!who) return
  found.wallets.add(who)
  put(found.signers, pool, who)
}

function scanLock(found: Scan, log: LockLog): void {
  found.locks.push(log)
  found.wallets.add(log.address)
  if ('owner' in log && log.owner) found.wallets.add(log.owner)
}

function scanMove(found: Scan, token: Address, from: Address, to: Address, amount: bigint): void {
  found.tokens.add(token)
  found.wallets.add(from)
  found.wallets.add(to)
  if (from !== ZERO_ADDRESS) put(found.holdings, token, from)
  found.senders.add(from)
  if (to !== ZERO_ADDRESS) put(found.holdings, token, to)
  const sign = from === ZERO_ADDRESS ? 1n : to === ZERO_ADDRESS ? -1n : 0n
  if (sign !== 0n) found.minted.set(token, (found.minted.get(token) ?? 0n) + sign * amount)
}

/** Adds the value to the key's set. */
export function put(sets: Map<Address, Set<Address>>, key: Address, value: Address): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}
