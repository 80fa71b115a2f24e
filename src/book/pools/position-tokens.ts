// Owners of liquidity in ranges. A position is a token of its manager (of Uniswap V3, V4 and similar ones). It belongs
// to the holder of the token, not to the signer. A pool's log names only the manager. The token is in the manager's
// next log, or in the salt. A burned token belongs to its last holder until its liquidity is gone. Liquidity without a
// manager belongs to the owner in the pool's log.

import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import { itemAt } from '../../base/item-at.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { countShares, type Moved } from '../balances/balance.ts'
import type { Sent } from '../balances/leaving.ts'
import type { Known } from '../rows/known.ts'
import { walletAt } from '../rows/new-rows.ts'
import {
  NO_COST,
  newPositionToken,
  type PoolRecord,
  type PositionTokenRecord,
  type WalletRecord,
} from '../rows/rows.ts'
import { poolOf, type Work, walletOf } from '../rows/working-set.ts'
import { sharesOf } from './pools.ts'

/** The position token of a pool's change of liquidity. */
export interface PositionKey {
  manager: Address
  number: number
  /** Its receiver, if it is minted after the pool's log. */
  mintedTo: Address | null
}

export type RangeLog = LogOf<'v3_mint' | 'v3_burn' | 'v4_modify'>

/** The token of each change of liquidity in a transaction, by the log index of the pool's log. */
export function findPositions(known: Known, logs: readonly DecodedLog[]): ReadonlyMap<number, PositionKey> {
  if (!logs.some(isOfPosition)) return NONE
  const found = new Map<number, PositionKey>()
  let next: LogOf<'position_changed'> | null = null
  let minted: LogOf<'position_moved'> | null = null
  for (let at = logs.length - 1; at >= 0; at -= 1) {
    const log = itemAt(logs, at)
    if (log.kind === 'position_changed') next = log
    else if (log.kind === 'position_moved' && log.from === ZERO_ADDRESS) minted = log
    else if (log.kind === 'v4_modify' && known.positionManagers.has(log.sender) && log.salt < MOST_NUMBERS)
      found.set(log.logIndex, { manager: log.sender, number: Number(log.salt), mintedTo: null })
    else if (
      (log.kind === 'v3_mint' || log.kind === 'v3_burn') &&
      next?.address === log.owner &&
      changeOf(log) === next.liquidity
    ) {
      const { address: manager, number } = next
      const mintedTo = minted?.address === manager && minted.number === number ? minted.to : null
      found.set(log.logIndex, { manager, number, mintedTo })
    }
  }
  return found
}

const NONE: ReadonlyMap<number, PositionKey> = new Map()

/** Numbers are stored in 31 bits. */
const MOST_NUMBERS = 2n ** 31n

/**
 * The owner of liquidity without a position manager (a vault, a launch venue's contract): the owner in the pool's log.
 * Null if that may be a manager, because the preset names none of this factory's.
 */
export function directOwner(
  work: Work,
  { factory }: PoolRecord,
  { owner }: LogOf<'v3_mint' | 'v3_burn'>,
): WalletRecord | null {
  const { known } = work
  if (known.positionManagers.has(owner) || !known.factories.get(factory)?.hasPositions) return null
  return walletAt(work, owner, 'contract')
}

const isOfPosition = ({ kind }: DecodedLog): boolean => kind === 'position_changed' || kind === 'v4_modify'

const changeOf = (log: RangeLog): bigint => (log.kind === 'v3_burn' ? -log.liquidity : log.liquidity)

/** The position token. `trader` holds one that is older than the start block. */
export const positionTokenAt = (
  work: Work,
  { manager, number, mintedTo }: PositionKey,
  trader: WalletRecord,
): PositionTokenRecord =>
  find(work, manager, number) ?? add(work, manager, number, mintedTo ? walletAt(work, mintedTo) : trader)

/** Applies a change of a position's liquidity. */
export function followPosition(work: Work, row: PositionTokenRecord, pool: PoolRecord, log: RangeLog): void {
  const liquidity = row.liquidity + changeOf(log)
  row.poolId = pool.id
  row.tickLower = log.tickLower
  row.tickUpper = log.tickUpper
  row.liquidity = toRaw(liquidity)
  if (log.kind === 'v3_burn') {
    row.owed0 = toRaw(row.owed0 + log.amount0)
    row.owed1 = toRaw(row.owed1 + log.amount1)
  }
  work.changes.positionTokens.add(row)
}

/** The provider, and the position token; null: none. */
export interface Provider {
  holder: WalletRecord
  position: PositionTokenRecord | null
}

/** Raw amounts of a pool's two tokens. */
export type Amounts = [amount0: bigint, amount1: bigint]

/** A payment to a position's owner: earlier removals, and fees, which are the rest. */
export interface Payment {
  kind: 'paid'
  pool: PoolRecord
  position: PositionTokenRecord
  removed: Amounts
  fees: Amounts
}

/** The payment that a manager logs; none if the position is unknown. */
export function paymentOf(work: Work, log: LogOf<'position_collected'>): Payment[] {
  const { address, number, amount0, amount1 } = log
  const position = find(work, address, number)
  if (!position || position.poolId === null) return []
  const fees: Amounts = [more(amount0, position.owed0), more(amount1, position.owed1)]
  const removed: Amounts = [amount0 - fees[0], amount1 - fees[1]]
  return [{ kind: 'paid', pool: poolOf(work, position.poolId), position, removed, fees }]
}

/** A paid removal is owed no longer. */
export function payOut(work: Work, { position, removed }: Payment): void {
  position.owed0 -= removed[0]
  position.owed1 -= removed[1]
  work.changes.positionTokens.add(position)
}

/** The first number less the second; 0 if that is negative. */
const more = (amount: bigint, than: bigint): bigint => (amount > than ? amount - than : 0n)

/** A position token that moved to another holder. */
export interface Handed {
  kind: 'handed'
  position: PositionTokenRecord
  to: WalletRecord
}

/** The change of holder that the log says, unless the new one logs a stake. */
export function handingOver(
  work: Work,
  log: LogOf<'position_moved'>,
  around: { logs: readonly DecodedLog[] },
): Handed[] {
  if (log.to === ZERO_ADDRESS || isStake(log, around.logs)) return []
  const to = walletAt(work, log.to)
  const position = find(work, log.address, log.number) ?? add(work, log.address, log.number, to)
  return position.ownerId === to.id ? [] : [{ kind: 'handed', position, to }]
}

/** Moves a position to its new holder, and its liquidity with it. */
export function handOver(work: Work, { position, to }: Handed, moved: Moved): Sent | null {
  const from = walletOf(work, position.ownerId)
  position.ownerId = to.id
  // The amount owed was removed at the market price by the sender; the receiver paid nothing for it.
  position.owedCost0 = NO_COST
  position.owedCost1 = NO_COST
  work.changes.positionTokens.add(position)
  if (position.poolId === null || position.liquidity === 0n) return null
  const shares = sharesOf(work, poolOf(work, position.poolId))
  const held = work.store.positions.get(shares.id, from.id)?.balance ?? 0n
  const amount = position.liquidity < held ? position.liquidity : held
  if (amount === 0n) return null
  countShares(work, { token: shares, wallet: from, amount: -amount }, moved)
  countShares(work, { token: shares, wallet: to, amount }, moved)
  work.changes.dueShares.add(shares.id)
  return { token: shares, from, to, amount, isOwn: false }
}

/** Whether the receiver logs a stake of the sender's. No other contract's log counts, nor one for another account. */
const isStake = ({ number, from, to }: LogOf<'position_moved'>, logs: readonly DecodedLog[]): boolean =>
  logs.some(
    (log) => log.kind === 'position_staked' && log.address === to && log.number === number && log.owner === from,
  )

const find = (work: Work, manager: Address, number: number): PositionTokenRecord | undefined => {
  const id = work.store.wallets.find(manager)?.id
  return id === undefined ? undefined : work.store.positionTokens.get(id, number)
}

function add(work: Work, manager: Address, number: number, owner: WalletRecord): PositionTokenRecord {
  const managerId = walletAt(work, manager, 'contract').id
  const row = Object.assign(newPositionToken(), { managerId, number, ownerId: owner.id })
  work.store.positionTokens.add(managerId, number, row)
  work.changes.positionTokens.add(row)
  return row
}
