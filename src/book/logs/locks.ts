// Token locks from the logs of known lockers: the remaining amount, the owner and the end of each. Locks without an id
// are merged by token and end day; the row's end is then the earliest.
import { toRaw } from '../../base/amount.ts'
import { dayOf } from '../../base/clock.ts'
import type { LockLog, LogOf } from '../../chain/event.ts'
import { walletAt } from '../rows/new-rows.ts'
import { newTokenLock, type TokenLockRecord, type TokenRecord, type WalletRecord } from '../rows/rows.ts'
import { lockGroup, type Work } from '../rows/working-set.ts'
import type { LogHandlers } from './handler.ts'
import type { Scan } from './scan.ts'

/** Locks from before the start block are unknown. A token without any Transfer cannot have been locked. */
export const LOCK_LOGS: LogHandlers<LockLog['kind']> = {
  lock_set: { scan, apply: set },
  lock_changed: { scan, apply: change },
  lock_reduced: { scan, apply: change },
  lock_added: { scan, apply: add },
  lock_taken: { scan, apply: take },
}

function scan(found: Scan, log: LockLog): void {
  found.locks.push(log)
  found.wallets.add(log.address)
  if ('owner' in log && log.owner) found.wallets.add(log.owner)
}

const lockerOf = (work: Work, { address }: LockLog): WalletRecord => walletAt(work, address, 'contract')

function set(work: Work, log: LogOf<'lock_set'>): void {
  const locker = lockerOf(work, log)
  const token = work.store.tokens.find(log.token)
  if (!token) return
  const rows = groupOf(work, locker, log.number, token.id)
  const row = rows.find((it) => it.tokenId === token.id) ?? addRow(rows, locker, log.number, token)
  const { amount, endsAt } = log
  touch(work, Object.assign(row, { ownerId: walletAt(work, log.owner).id, amount, endsAt }))
}

function change(work: Work, log: LogOf<'lock_changed' | 'lock_reduced'>): void {
  for (const row of groupOf(work, lockerOf(work, log), log.number, 0)) {
    if (log.kind === 'lock_reduced') row.amount -= least(log.amount, row.amount)
    else {
      row.amount = log.amount ?? row.amount
      row.endsAt = log.endsAt ?? row.endsAt
      if (log.owner) row.ownerId = walletAt(work, log.owner).id
    }
    touch(work, row)
  }
}

function add(work: Work, log: LogOf<'lock_added'>): void {
  const locker = lockerOf(work, log)
  const token = work.store.tokens.find(log.token)
  if (!token) return
  const ownerId = walletAt(work, log.owner).id
  const rows = groupOf(work, locker, null, token.id)
  const day = dayOf(log.endsAt)
  const row = rows.find((it) => it.number === day) ?? addRow(rows, locker, day, token)
  const isNew = row.amount === 0n
  row.ownerId = isNew || row.ownerId === ownerId ? ownerId : null
  row.endsAt = isNew ? log.endsAt : Math.min(row.endsAt, log.endsAt)
  row.amount = toRaw(row.amount + log.amount)
  touch(work, row)
}

/** Withdrawals come from locks that have ended. The log does not say which one, so the oldest are reduced first. */
function take(work: Work, log: LogOf<'lock_taken'>): void {
  const locker = lockerOf(work, log)
  const token = work.store.tokens.find(log.token)
  if (!token) return
  let left = log.amount
  const ended = groupOf(work, locker, null, token.id).filter((row) => row.endsAt <= work.block.time)
  for (const row of ended.sort((a, b) => a.endsAt - b.endsAt)) {
    const part = least(left, row.amount)
    if (part === 0n) continue
    row.amount -= part
    left -= part
    touch(work, row)
  }
}

function groupOf(work: Work, locker: WalletRecord, number: number | null, tokenId: number): TokenLockRecord[] {
  const group = lockGroup(number, tokenId)
  const known = work.store.locks.get(locker.id, group)
  if (known) return known
  const rows: TokenLockRecord[] = []
  work.store.locks.add(locker.id, group, rows)
  return rows
}

function addRow(rows: TokenLockRecord[], locker: WalletRecord, number: number, token: TokenRecord): TokenLockRecord {
  const row = Object.assign(newTokenLock(), { lockerId: locker.id, number, tokenId: token.id })
  rows.push(row)
  return row
}

function touch(work: Work, row: TokenLockRecord): void {
  work.changes.locks.add(row)
  work.changes.dueShares.add(row.tokenId)
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
