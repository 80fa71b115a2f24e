// The logs of lockers, mapped to five kinds, and Doppler's to that of a kept launch. A numbered lock is set, changed or
// reduced. A locker without numbers logs an amount that is added until a time, or that leaves. Signatures are from the
// lockers' published sources. The preset lists the trusted lockers.

import {
  address,
  type Field,
  id,
  none,
  number,
  openShape,
  type Shape,
  shape,
  time,
  timeOrNever,
  topic,
  uint,
  word,
  zero,
} from '../columns/shape.ts'
import type { LockerKind } from '../presets/preset.ts'

/** Lock numbers are stored in 31 bits, which is enough: lockers count from 0 or from 1,000,000. */
const numberAt = (place: Parameters<typeof number>[0]): Field<number> => number(place, 31)

/** The lock's number in word 0, and its remaining amount in word `at`. */
const remaining = (words: number, at: number): Shape =>
  shape('lock_changed', 1, words, { number: numberAt(word(0)), owner: none, amount: uint(word(at)), endsAt: none })

/** PinkLock logs the whole lock both when it is created and when it is edited. */
const pinkLock = shape('lock_set', 2, 4, {
  number: numberAt(topic(1)),
  token: address(word(0)),
  owner: address(word(1)),
  amount: uint(word(2)),
  endsAt: time(word(3)),
})

/** UNCX numbers the locks of its second contract; the end time is in the sixth word. */
const uncxLock = (words: number): Shape =>
  shape('lock_set', 1, words, {
    number: numberAt(word(0)),
    token: address(word(1)),
    owner: address(word(2)),
    amount: uint(word(3)),
    endsAt: time(word(5)),
  })

const events = {
  uncx_deposit: [
    'onDeposit(address,address,uint256,uint256,uint256)',
    'uncx',
    shape('lock_added', 1, 5, {
      token: address(word(0)),
      owner: address(word(1)),
      amount: uint(word(2)),
      endsAt: time(word(4)),
    }),
  ],
  uncx_withdraw: [
    'onWithdraw(address,uint256)',
    'uncx',
    shape('lock_taken', 1, 2, { token: address(word(0)), amount: uint(word(1)) }),
  ],
  uncx_new_lock: ['onNewLock(uint256,address,address,uint256,uint256,uint256,uint16)', 'uncx', uncxLock(7)],
  uncx_relock: ['onRelock(uint256,address,address,uint256,uint256,uint256)', 'uncx', uncxLock(6)],
  uncx_increment: ['onIncrementLock(uint256,address,address,address,uint256,uint256,uint256)', 'uncx', remaining(7, 4)],
  uncx_split: ['onSplitLock(uint256,address,address,uint256,uint256)', 'uncx', remaining(5, 3)],
  uncx_withdraw_lock: ['onWithdraw(uint256,address,address,uint256,uint256)', 'uncx', remaining(5, 3)],
  uncx_migrate: ['OnMigrate(uint256,address,address,uint256,uint256,uint256)', 'uncx', remaining(6, 3)],
  uncx_transfer: [
    'onTransferLockOwnership(uint256,address,address,address)',
    'uncx',
    shape('lock_changed', 1, 4, { number: numberAt(word(0)), owner: address(word(3)), amount: none, endsAt: none }),
  ],
  pinklock_added: ['LockAdded(uint256,address,address,uint256,uint256)', 'pinklock', pinkLock],
  pinklock_updated: ['LockUpdated(uint256,address,address,uint256,uint256)', 'pinklock', pinkLock],
  pinklock_removed: [
    'LockRemoved(uint256,address,address,uint256,uint256)',
    'pinklock',
    shape('lock_changed', 2, 4, { number: numberAt(topic(1)), owner: none, amount: zero, endsAt: none }),
  ],
  /** A vesting lock releases in parts; its end time is that of the first release. */
  pinklock_vested: [
    'LockVested(uint256,address,address,uint256,uint256,uint256)',
    'pinklock',
    shape('lock_reduced', 2, 5, { number: numberAt(topic(1)), amount: uint(word(2)) }),
  ],
  pinklock_owner: [
    'LockOwnerChanged(uint256,address,address)',
    'pinklock',
    shape('lock_changed', 1, 3, { number: numberAt(word(0)), owner: address(word(2)), amount: none, endsAt: none }),
  ],
  team_finance_deposit: [
    'Deposit(uint256,address,address,uint256,uint256)',
    'team_finance',
    shape('lock_set', 3, 3, {
      number: numberAt(word(0)),
      token: address(topic(1)),
      owner: address(topic(2)),
      amount: uint(word(1)),
      endsAt: time(word(2)),
    }),
  ],
  team_finance_extended: [
    'LockDurationExtended(uint256,uint256)',
    'team_finance',
    shape('lock_changed', 1, 2, { number: numberAt(word(0)), owner: none, amount: none, endsAt: time(word(1)) }),
  ],
  team_finance_split: ['LockSplit(uint256,uint256,uint256,uint256)', 'team_finance', remaining(4, 1)],
  team_finance_withdrawal: [
    'LogTokenWithdrawal(uint256,address,address,uint256)',
    'team_finance',
    shape('lock_reduced', 3, 2, { number: numberAt(word(0)), amount: uint(word(1)) }),
  ],
  /** A migration of Doppler: the pool, its beneficiaries, and the end; 0 for never. (StreamableFeesLockerV2.sol.) */
  doppler_locked: [
    'Lock(bytes32,(address,uint96)[],uint256)',
    'doppler',
    openShape('launch_locked', 2, 3, { of: id(topic(1)), endsAt: timeOrNever(word(1)) }),
  ],
} as const satisfies Record<string, readonly [signature: string, emitter: LockerKind, shape: Shape]>

/** Signature, emitter and shape of each locker event. */
export const LOCK_EVENTS = events
