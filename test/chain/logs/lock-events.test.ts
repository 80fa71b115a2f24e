import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { listTopics, TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import type { RawLog } from '../../../src/chain/raw.ts'
import { addressOf } from '../../support/blocks.ts'
import { createLogDecode } from '../../support/decode.ts'

/** The lockers' own events, from their published sources. */
const abi = parseAbi([
  'event onDeposit(address lpToken, address user, uint256 amount, uint256 lockDate, uint256 unlockDate)',
  'event onWithdraw(address lpToken, uint256 amount)',
  'event onNewLock(uint256 lockID, address lpToken, address owner, uint256 amount, uint256 lockDate, uint256 unlockDate, uint16 countryCode)',
  'event onRelock(uint256 lockID, address lpToken, address owner, uint256 amountRemainingInLock, uint256 liquidityFee, uint256 unlockDate)',
  'event onWithdraw(uint256 lockID, address lpToken, address owner, uint256 amountRemainingInLock, uint256 amountRemoved)',
  'event onIncrementLock(uint256 lockID, address lpToken, address owner, address payer, uint256 amountRemainingInLock, uint256 amountAdded, uint256 liquidityFee)',
  'event onSplitLock(uint256 lockID, address lpToken, address owner, uint256 amountRemainingInLock, uint256 amountRemoved)',
  'event onTransferLockOwnership(uint256 lockID, address lpToken, address oldOwner, address newOwner)',
  'event OnMigrate(uint256 lockID, address lpToken, address owner, uint256 amountRemainingInLock, uint256 amountMigrated, uint256 migrationOption)',
  'event LockAdded(uint256 indexed id, address token, address owner, uint256 amount, uint256 unlockDate)',
  'event LockUpdated(uint256 indexed id, address token, address owner, uint256 newAmount, uint256 newUnlockDate)',
  'event LockRemoved(uint256 indexed id, address token, address owner, uint256 amount, uint256 unlockedAt)',
  'event LockVested(uint256 indexed id, address token, address owner, uint256 amount, uint256 remaining, uint256 timestamp)',
  'event LockOwnerChanged(uint256 lockId, address owner, address newOwner)',
  'event Deposit(uint256 id, address indexed tokenAddress, address indexed withdrawalAddress, uint256 amount, uint256 unlockTime)',
  'event LockDurationExtended(uint256 id, uint256 unlockTime)',
  'event LockSplit(uint256 id, uint256 remainingAmount, uint256 splitLockId, uint256 newSplitLockAmount)',
  'event LogTokenWithdrawal(uint256 id, address indexed tokenAddress, address indexed withdrawalAddress, uint256 amount)',
])

const preset = loadPreset(1)
const decode = createLogDecode(preset)
const lockerOf = (kind: string) => preset.lockers.find((locker) => locker.kind === kind)?.address ?? ''
const UNCX = lockerOf('uncx')
const PINKLOCK = lockerOf('pinklock')
const TEAM = lockerOf('team_finance')
const [LP, OWNER, PAYER] = [addressOf('pair', 1), addressOf('owner', 1), addressOf('payer', 1)]
const [AMOUNT, LEFT, MADE, ENDS] = [5n * 10n ** 18n, 3n * 10n ** 18n, 1_700_000_000n, 1_800_000_000n]

/** A log of the event from this contract; `at` is the index among events of the same name. */
function log(address: string, eventName: string, args: readonly unknown[], at = 0): RawLog {
  const event = abi.filter(({ name }) => name === eventName)[at] as AbiEvent
  const named = event.inputs.map((input, index) => ({ ...input, value: args[index] }))
  const plain = named.filter(({ indexed }) => !indexed)
  const indexed = Object.fromEntries(named.filter((it) => it.indexed).map(({ name, value }) => [name, value]))
  return {
    address,
    topics: encodeEventTopics({ abi: [event], args: indexed } as never) as string[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ value }) => value),
    ),
    blockHash: `0x${'1'.repeat(64)}`,
    blockNumber: '0x1',
    transactionHash: `0x${'a'.repeat(64)}`,
    transactionIndex: '0x0',
    logIndex: '0x7',
  }
}

const set = (number: number, endsAt = Number(ENDS), amount = AMOUNT) =>
  ({ kind: 'lock_set', number, token: LP, owner: OWNER, amount, endsAt }) as const
const changed = (number: number, more: object) => ({
  kind: 'lock_changed',
  number,
  owner: null,
  amount: null,
  endsAt: null,
  ...more,
})
const MAX = 2n ** 256n - 1n

describe('logs of lockers', () => {
  it.each<[string, RawLog, object]>([
    [
      'UNCX locks',
      log(UNCX, 'onDeposit', [LP, OWNER, AMOUNT, MADE, ENDS]),
      { kind: 'lock_added', token: LP, owner: OWNER, amount: AMOUNT, endsAt: Number(ENDS) },
    ],
    ['UNCX gives back', log(UNCX, 'onWithdraw', [LP, AMOUNT]), { kind: 'lock_taken', token: LP, amount: AMOUNT }],
    ['UNCX numbers a lock', log(UNCX, 'onNewLock', [9n, LP, OWNER, AMOUNT, MADE, ENDS, 276]), set(9)],
    ['UNCX extends', log(UNCX, 'onRelock', [9n, LP, OWNER, LEFT, 1n, ENDS]), set(9, Number(ENDS), LEFT)],
    ['UNCX adds', log(UNCX, 'onIncrementLock', [9n, LP, OWNER, PAYER, AMOUNT, 2n, 1n]), changed(9, { amount: AMOUNT })],
    ['UNCX splits', log(UNCX, 'onSplitLock', [9n, LP, OWNER, LEFT, 2n]), changed(9, { amount: LEFT })],
    ['UNCX gives a part back', log(UNCX, 'onWithdraw', [9n, LP, OWNER, LEFT, 2n], 1), changed(9, { amount: LEFT })],
    ['UNCX migrates', log(UNCX, 'OnMigrate', [9n, LP, OWNER, LEFT, 2n, 1n]), changed(9, { amount: LEFT })],
    ['UNCX changes hands', log(UNCX, 'onTransferLockOwnership', [9n, LP, PAYER, OWNER]), changed(9, { owner: OWNER })],
    ['PinkLock locks', log(PINKLOCK, 'LockAdded', [1_000_001n, LP, OWNER, AMOUNT, ENDS]), set(1_000_001)],
    ['PinkLock edits', log(PINKLOCK, 'LockUpdated', [1_000_001n, LP, OWNER, AMOUNT, ENDS]), set(1_000_001)],
    [
      'PinkLock gives back',
      log(PINKLOCK, 'LockRemoved', [1_000_001n, LP, OWNER, AMOUNT, ENDS]),
      changed(1_000_001, { amount: 0n }),
    ],
    [
      'PinkLock gives a part back',
      log(PINKLOCK, 'LockVested', [1_000_001n, LP, OWNER, LEFT, 2n, ENDS]),
      { kind: 'lock_reduced', number: 1_000_001, amount: LEFT },
    ],
    ['PinkLock changes hands', log(PINKLOCK, 'LockOwnerChanged', [7n, PAYER, OWNER]), changed(7, { owner: OWNER })],
    ['Team Finance locks', log(TEAM, 'Deposit', [4n, LP, OWNER, AMOUNT, ENDS]), set(4)],
    ['Team Finance extends', log(TEAM, 'LockDurationExtended', [4n, ENDS]), changed(4, { endsAt: Number(ENDS) })],
    ['Team Finance splits', log(TEAM, 'LockSplit', [4n, LEFT, 5n, 2n]), changed(4, { amount: LEFT })],
    [
      'Team Finance gives back',
      log(TEAM, 'LogTokenWithdrawal', [4n, LP, OWNER, AMOUNT]),
      { kind: 'lock_reduced', number: 4, amount: AMOUNT },
    ],
  ])('the decoder reads the log of a locker: %s', (_, raw, expected) => {
    expect(decode(raw)).toEqual({
      address: raw.address,
      logIndex: 7,
      txHash: raw.transactionHash,
      ...expected,
    })
  })

  it.each<[string, RawLog]>([
    ['a contract that the preset does not know', log(PAYER, 'onDeposit', [LP, OWNER, AMOUNT, MADE, ENDS])],
    ["a locker in another one's words", log(UNCX, 'LockAdded', [1n, LP, OWNER, AMOUNT, ENDS])],
    ['a locker whose words are not known', log(preset.lockers[1]?.address ?? '', 'onWithdraw', [LP, AMOUNT])],
    ['a number above 31 bits', log(PINKLOCK, 'LockAdded', [2n ** 31n, LP, OWNER, AMOUNT, ENDS])],
    ['too little data', { ...log(TEAM, 'LockDurationExtended', [4n, ENDS]), data: `0x${'0'.repeat(64)}` }],
  ])('the decoder ignores a locker log with %s', (_, raw) => {
    expect(decode(raw)).toBeNull()
  })

  it('a lock that ends after the year 9999 is stored as ending in 9999', () => {
    const raw = log(TEAM, 'Deposit', [4n, LP, OWNER, AMOUNT, MAX])
    expect(decode(raw)).toMatchObject({ endsAt: Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000 })
  })

  it('locker events are requested only when the preset has such a locker', () => {
    const { factories } = preset
    expect(listTopics(preset)).toEqual(expect.arrayContaining([TOPICS.uncx_deposit, TOPICS.team_finance_deposit]))
    const plain = listTopics({ factories, lockers: preset.lockers.map(({ address, name }) => ({ address, name })) })
    expect(plain).not.toContain(TOPICS.uncx_deposit)
    expect(plain).toContain(TOPICS.transfer)
    const [pinklock] = [listTopics({ factories, lockers: [{ address: LP, name: 'own', kind: 'pinklock' }] })]
    expect(pinklock).toContain(TOPICS.pinklock_added)
    expect(pinklock).not.toContain(TOPICS.team_finance_deposit)
  })

  it('locker events have the topics seen on mainnet', () => {
    expect(TOPICS.uncx_deposit).toBe('0x830357565da6ecfc26d8d9f69df488ed6f70361af9a07e570544aeb5c5e765e5')
    expect(TOPICS.uncx_new_lock).toBe('0x3e5a874dd8f086c73bba5a860cb04972e50b6207f84cc020037d576afa6ebc13')
    expect(TOPICS.pinklock_added).toBe('0x694af1cc8727cdd0afbdd53d9b87b69248bd490224e9dd090e788546506e076f')
    expect(TOPICS.team_finance_deposit).toBe('0xeb65d0f36862bbd8763c5e2c983c9d753267d223eee35a224d8d0a9d7ef433a2')
  })
})
