// What lockers log, whatever their words for it, as five things: a lock with a number of its own is set, changed or
// reduced; where the locker gives no number, an amount is locked until a time, or leaves. Signatures from the lockers'
// published sources; whose word counts is the preset's affair.
import type { LockerKind } from '../preset.ts'
import { type Read, shape } from './shape.ts'
import { topicAddress, wordUintOf as uintOf, wordAddress, wordTime, wordUint } from './word.ts'

/** Numbers of locks are kept in 31 bits; lockers count from zero, or from a million. */
const numberAt = (data: string, word: number): number => Number(uintOf(data, word, 31))
const numberOf = (topic: string | undefined): number => numberAt(topic ?? '', 0)

const change = (
  number: number,
  {
    owner = null,
    amount = null,
    endsAt = null,
  }: { owner?: string | null; amount?: bigint | null; endsAt?: number | null },
): object => ({ kind: 'lock_changed', number, owner, amount, endsAt })

/** The lock's number, what is left in it at the word. */
const remaining = (words: number, word: number): Read =>
  shape(1, words, (_, d) => change(numberAt(d, 0), { amount: wordUint(d, word) }))

/** PinkLock says all of a lock when it is made and when it is edited. */
const readPinkLock: Read = shape(2, 4, (t, d) => ({
  kind: 'lock_set',
  number: numberOf(t[1]),
  token: wordAddress(d, 0),
  owner: wordAddress(d, 1),
  amount: wordUint(d, 2),
  endsAt: wordTime(d, 3),
}))

const events = {
  uncx_deposit: [
    'onDeposit(address,address,uint256,uint256,uint256)',
    'uncx',
    shape(1, 5, (_, d) => ({
      kind: 'lock_added',
      token: wordAddress(d, 0),
      owner: wordAddress(d, 1),
      amount: wordUint(d, 2),
      endsAt: wordTime(d, 4),
    })),
  ],
  uncx_withdraw: [
    'onWithdraw(address,uint256)',
    'uncx',
    shape(1, 2, (_, d) => ({ kind: 'lock_taken', token: wordAddress(d, 0), amount: wordUint(d, 1) })),
  ],
  uncx_new_lock: [
    'onNewLock(uint256,address,address,uint256,uint256,uint256,uint16)',
    'uncx',
    shape(1, 7, (_, d) => ({
      kind: 'lock_set',
      number: numberAt(d, 0),
      token: wordAddress(d, 1),
      owner: wordAddress(d, 2),
      amount: wordUint(d, 3),
      endsAt: wordTime(d, 5),
    })),
  ],
  uncx_relock: [
    'onRelock(uint256,address,address,uint256,uint256,uint256)',
    'uncx',
    shape(1, 6, (_, d) => ({
      kind: 'lock_set',
      number: numberAt(d, 0),
      token: wordAddress(d, 1),
      owner: wordAddress(d, 2),
      amount: wordUint(d, 3),
      endsAt: wordTime(d, 5),
    })),
  ],
  uncx_increment: ['onIncrementLock(uint256,address,address,address,uint256,uint256,uint256)', 'uncx', remaining(7, 4)],
  uncx_split: ['onSplitLock(uint256,address,address,uint256,uint256)', 'uncx', remaining(5, 3)],
  uncx_withdraw_lock: ['onWithdraw(uint256,address,address,uint256,uint256)', 'uncx', remaining(5, 3)],
  uncx_migrate: ['OnMigrate(uint256,address,address,uint256,uint256,uint256)', 'uncx', remaining(6, 3)],
  uncx_transfer: [
    'onTransferLockOwnership(uint256,address,address,address)',
    'uncx',
    shape(1, 4, (_, d) => change(numberAt(d, 0), { owner: wordAddress(d, 3) })),
  ],
  pinklock_added: ['LockAdded(uint256,address,address,uint256,uint256)', 'pinklock', readPinkLock],
  pinklock_updated: ['LockUpdated(uint256,address,address,uint256,uint256)', 'pinklock', readPinkLock],
  pinklock_removed: [
    'LockRemoved(uint256,address,address,uint256,uint256)',
    'pinklock',
    shape(2, 4, (t) => change(numberOf(t[1]), { amount: 0n })),
  ],
  /** A lock that ends in steps gives a part away; its end is that of the first step. */
  pinklock_vested: [
    'LockVested(uint256,address,address,uint256,uint256,uint256)',
    'pinklock',
    shape(2, 5, (t, d) => ({ kind: 'lock_reduced', number: numberOf(t[1]), amount: wordUint(d, 2) })),
  ],
  pinklock_owner: [
    'LockOwnerChanged(uint256,address,address)',
    'pinklock',
    shape(1, 3, (_, d) => change(numberAt(d, 0), { owner: wordAddress(d, 2) })),
  ],
  team_finance_deposit: [
    'Deposit(uint256,address,address,uint256,uint256)',
    'team_finance',
    shape(3, 3, (t, d) => ({
      kind: 'lock_set',
      number: numberAt(d, 0),
      token: topicAddress(t[1]),
      owner: topicAddress(t[2]),
      amount: wordUint(d, 1),
      endsAt: wordTime(d, 2),
    })),
  ],
  team_finance_extended: [
    'LockDurationExtended(uint256,uint256)',
    'team_finance',
    shape(1, 2, (_, d) => change(numberAt(d, 0), { endsAt: wordTime(d, 1) })),
  ],
  team_finance_split: ['LockSplit(uint256,uint256,uint256,uint256)', 'team_finance', remaining(4, 1)],
  team_finance_withdrawal: [
    'LogTokenWithdrawal(uint256,address,address,uint256)',
    'team_finance',
    shape(3, 2, (_, d) => ({ kind: 'lock_reduced', number: numberAt(d, 0), amount: wordUint(d, 1) })),
  ],
} as const satisfies Record<string, readonly [signature: string, emitter: LockerKind, read: Read]>

/** Signature, emitter and reader of each log of a locker. */
export const LOCK_EVENTS = events
export type LockEventName = keyof typeof events
