// The wrapped coin's movements, logged once or twice, through the removal of the second log.
import { expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { countOnce } from '../../../src/book/logs/wraps.ts'
import type { DecodedLog } from '../../../src/chain/event.ts'
import { addressOf, WETH, wallet } from '../../support/blocks.ts'

const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const OTHER = addressOf('other', 1)

type Told = [kind: 'transfer' | 'deposit' | 'withdrawal', from: Address, to: Address, amount: bigint, address?: Address]

const toLogs = (told: readonly Told[]): DecodedLog[] =>
  told.map(([kind, from, to, amount, address = WETH], logIndex) => {
    const place = { address, logIndex, txHash: '0x00' as const, amount }
    if (kind === 'deposit') return { kind, to, ...place }
    return kind === 'withdrawal' ? { kind, from, ...place } : { kind, from, to, ...place }
  })

/** What each holder has more afterwards, and the supply. */
function changes(told: readonly Told[]): Record<string, bigint> {
  const found: Record<string, bigint> = {}
  const add = (who: string, amount: bigint) => {
    found[who] = (found[who] ?? 0n) + amount
  }
  for (const log of countOnce(WETH, toLogs(told))) {
    if (log.kind === 'transfer' || log.kind === 'withdrawal') add(log.from, -log.amount)
    if (log.kind === 'transfer' || log.kind === 'deposit') add(log.to, log.amount)
  }
  delete found[ZERO_ADDRESS]
  return Object.fromEntries(Object.entries(found).filter(([, amount]) => amount !== 0n))
}

const deposit = (to: Address, amount: bigint): Told => ['deposit', ZERO_ADDRESS, to, amount]
const withdrawal = (from: Address, amount: bigint): Told => ['withdrawal', from, ZERO_ADDRESS, amount]
const transfer = (from: Address, to: Address, amount: bigint, address = WETH): Told => [
  'transfer',
  from,
  to,
  amount,
  address,
]

test.each<[form: string, told: Told[], right: Record<string, bigint>]>([
  ['Deposit alone', [deposit(alice, 5n)], { [alice]: 5n }],
  ['Withdrawal alone', [withdrawal(alice, 5n)], { [alice]: -5n }],
  ['Transfer from zero, then Deposit', [transfer(ZERO_ADDRESS, alice, 5n), deposit(alice, 5n)], { [alice]: 5n }],
  ['Deposit, then Transfer from zero', [deposit(alice, 5n), transfer(ZERO_ADDRESS, alice, 5n)], { [alice]: 5n }],
  ['Withdrawal, then Transfer to zero', [withdrawal(alice, 5n), transfer(alice, ZERO_ADDRESS, 5n)], { [alice]: -5n }],
  ['Transfer to zero, then Withdrawal', [transfer(alice, ZERO_ADDRESS, 5n), withdrawal(alice, 5n)], { [alice]: -5n }],
  ['a Transfer from the coin itself', [transfer(WETH, alice, 5n), deposit(alice, 5n)], { [alice]: 5n }],
  ['a Transfer to the coin itself', [withdrawal(alice, 5n), transfer(alice, WETH, 5n)], { [alice]: -5n }],
  ['a deposit for another account', [deposit(alice, 5n), transfer(ZERO_ADDRESS, bob, 5n)], { [bob]: 5n }],
  ['a withdrawal from another account', [transfer(bob, ZERO_ADDRESS, 5n), withdrawal(alice, 5n)], { [bob]: -5n }],
  ['a deposit less a fee', [transfer(ZERO_ADDRESS, alice, 4n), deposit(alice, 5n)], { [alice]: 4n }],
  [
    'two equal deposits of one holder',
    [transfer(ZERO_ADDRESS, alice, 5n), deposit(alice, 5n), transfer(ZERO_ADDRESS, alice, 5n), deposit(alice, 5n)],
    { [alice]: 10n },
  ],
  [
    'a deposit that is passed on',
    [transfer(ZERO_ADDRESS, alice, 5n), deposit(alice, 5n), transfer(alice, bob, 5n)],
    { [bob]: 5n },
  ],
  [
    'a deposit and a withdrawal of one amount',
    [deposit(alice, 5n), transfer(ZERO_ADDRESS, alice, 5n), withdrawal(bob, 5n), transfer(bob, ZERO_ADDRESS, 5n)],
    { [alice]: 5n, [bob]: -5n },
  ],
  [
    'a withdrawal beside a burn of another amount',
    [withdrawal(alice, 5n), transfer(alice, ZERO_ADDRESS, 3n)],
    { [alice]: -8n },
  ],
  [
    'a deposit beside a mint for somebody else',
    [deposit(alice, 5n), transfer(ZERO_ADDRESS, carol, 7n)],
    { [alice]: 5n, [carol]: 7n },
  ],
  ['a Transfer of another token', [deposit(alice, 5n), transfer(ZERO_ADDRESS, alice, 5n, OTHER)], { [alice]: 10n }],
])('a movement counts once: %s', (_, told, right) => {
  expect(changes(told)).toEqual(right)
})

test('logs without a second log stay the same list', () => {
  const logs = toLogs([deposit(alice, 5n), transfer(alice, bob, 5n)])
  expect(countOnce(WETH, logs)).toBe(logs)
})
