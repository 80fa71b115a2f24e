// Who traded, by whose balances changed on both sides of a swap, in transactions as wallets, relayers, bots and solvers make them.
import { describe, expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { areSigners, possibleTraders, tellTraders } from '../../../src/book/logs/traders.ts'
import type { DecodedLog, LogOf, Transaction } from '../../../src/chain/event.ts'
import { NATIVE_SELLERS } from '../../../src/chain/exchanges/attribution.ts'
import { addressOf, WETH, wallet } from '../../support/blocks.ts'

const [signer, alice, bob, carol] = [wallet(1), wallet(2), wallet(3), wallet(4)]
const [A, B, C] = [addressOf('token', 1), addressOf('token', 2), addressOf('token', 3)]
const [AB, BC, AW] = [addressOf('pool', 1), addressOf('pool', 2), addressOf('pool', 3)]
const router = addressOf('router', 1)
const entry = addressOf('entry', 1)
const settlement = addressOf('settlement', 1)
const txHash = `0x${'1'.repeat(64)}` as const

type Bare = DecodedLog extends infer Each
  ? Each extends DecodedLog
    ? Omit<Each, 'logIndex' | 'txHash'>
    : never
  : never

const give = (token: Address, from: Address, to: Address, amount = 100n): Bare => ({
  kind: 'transfer',
  address: token,
  from,
  to,
  amount,
})
const swapAt = (pool: Address): Bare => ({
  kind: 'v3_swap',
  address: pool,
  amount0: 1n,
  amount1: -1n,
  sqrtPriceX96: 1n,
  liquidity: 1n,
  tick: 0,
})
const wrap = (to: Address, amount = 100n): Bare => ({ kind: 'deposit', address: WETH, to, amount })
const unwrap = (from: Address, amount = 100n): Bare => ({ kind: 'withdrawal', address: WETH, from, amount })
const operation = (sender: Address): Bare => ({ kind: 'user_operation', address: entry, sender })
const filled = (owner: Address | null): Bare => ({ kind: 'filled', address: entry, owner })
const settled = (owner: Address, sold: Address, bought: Address, soldAmount = 100n, boughtAmount = 100n): Bare => ({
  kind: 'settled',
  address: settlement,
  owner,
  sold,
  bought,
  soldAmount,
  boughtAmount,
})

const SIDES = new Map<Address, [sold: Address, bought: Address]>([
  [AB, [A, B]],
  [BC, [B, C]],
  [AW, [A, WETH]],
])

/** Whose each swap is, in the order of the logs; `reversed`: pools whose second token was sold. */
function tell(bare: Bare[], { to = router, value = 0n, reversed = [] as Address[] } = {}) {
  const logs = bare.map((log, logIndex) => ({ ...log, logIndex, txHash })) as DecodedLog[]
  const transaction: Transaction = { hash: txHash, index: 0, from: signer, to, value, plain: false }
  const isPlain = areSigners(transaction, logs)
  const read = tellTraders(transaction, logs, {
    isAccount: () => false,
    isRelayed: false,
    wrappedNative: WETH,
    isAside: (address) => SIDES.has(address),
  })
  const swaps = logs.filter((log): log is LogOf<'v3_swap'> => log.kind === 'v3_swap')
  const told = swaps.map(({ address, logIndex }) => {
    const sides = SIDES.get(address) as [Address, Address]
    const [sold, bought] = reversed.includes(address) ? [sides[1], sides[0]] : sides
    return read({ logIndex, holder: address, sold, bought })
  })
  // The long way finds the same trader as the short one, and it is among the candidates of the scan.
  if (isPlain) expect(told.every(({ address }) => address === signer)).toBe(true)
  const possible = [signer, ...possibleTraders(transaction, logs)]
  for (const { address } of told) if (!isPlain) expect(possible).toContain(address)
  return { isPlain, told: told.map(({ address, attribution }) => [address, attribution]) }
}

const by = (address: Address, attribution = 'balances') => [address, attribution]
const its = (address: Address = signer) => by(address, 'signer')
/** The called contract stands for a trader that nothing names. */
const nobodys = by(router, 'unknown')

describe('a swap is the signer’s', () => {
  test('when it paid and got, without a look at balances', () => {
    expect(tell([give(B, AB, signer), give(A, signer, AB), swapAt(AB)])).toEqual({ isPlain: true, told: [its()] })
  })

  test('when it paid the native coin, and when it got it', () => {
    const bought = [wrap(router), give(A, AW, signer), give(WETH, router, AW), swapAt(AW)]
    expect(tell(bought, { value: 100n, reversed: [AW] })).toEqual({ isPlain: true, told: [its()] })
    const sold = [give(A, signer, AW), give(WETH, AW, router), unwrap(router), swapAt(AW)]
    expect(tell(sold)).toEqual({ isPlain: true, told: [its()] })
  })

  test('over two pools and with a fee to somebody', () => {
    const logs = [
      give(A, signer, router),
      give(A, router, carol, 1n),
      give(A, router, AB, 99n),
      give(B, AB, BC),
      swapAt(AB),
      give(C, BC, signer),
      swapAt(BC),
    ]
    expect(tell(logs)).toEqual({ isPlain: false, told: [its(), its()] })
  })

  test('when its bought tokens go to another account', () => {
    expect(tell([give(B, AB, alice), give(A, signer, AB), swapAt(AB)]).told).toEqual([its()])
  })

  test('when it goes round through an exchange that is not read, which looks like a trader', () => {
    const other = addressOf('unread', 1)
    const logs = [
      give(A, signer, router),
      give(A, router, AB, 90n),
      give(B, AB, other),
      swapAt(AB),
      give(A, other, router),
    ]
    expect(tell(logs).told).toEqual([its()])
  })
})

describe('a swap is by its balances', () => {
  test('of the called contract that holds its own tokens: a bot or a wallet of several owners', () => {
    const logs = [give(A, router, AB), give(B, AB, router), swapAt(AB)]
    expect(tell(logs)).toEqual({ isPlain: false, told: [by(router)] })
    expect(tell(logs, { value: 1n }).told).toEqual([by(router)])
  })

  test('of the called contract when the other side is the native coin', () => {
    expect(
      tell([give(A, router, AW), give(WETH, AW, addressOf('router', 2)), swapAt(AW), unwrap(addressOf('router', 2))])
        .told,
    ).toEqual([by(router)])
    const logs = [wrap(addressOf('router', 2)), give(WETH, addressOf('router', 2), AW), give(A, AW, router), swapAt(AW)]
    expect(tell(logs, { reversed: [AW] }).told).toEqual([by(router)])
  })

  test('of whom a relayer signs for, if nobody else gains', () => {
    expect(tell([give(A, alice, router), give(A, router, AB), give(B, AB, alice), swapAt(AB)]).told).toEqual([
      by(alice),
    ])
  })

  test('of a smart account whose operation a bundler signs, each of its own in a bundle', () => {
    const logs = [
      give(A, alice, AB),
      give(B, AB, alice),
      swapAt(AB),
      operation(alice),
      give(A, bob, AB),
      give(B, AB, bob),
      swapAt(AB),
      operation(bob),
    ]
    expect(tell(logs, { to: entry }).told).toEqual([by(alice), by(bob)])
  })

  test('of the maker of a filled order whom no log names, though the filler gains', () => {
    const logs = [
      give(A, alice, router),
      give(A, router, AB, 90n),
      give(B, AB, router, 110n),
      swapAt(AB),
      give(B, router, alice),
    ]
    expect(tell(logs).told).toEqual([nobodys])
    expect(tell([...logs, filled(null)]).told).toEqual([by(alice)])
  })

  test('of the token’s contract that sells tokens kept from transfers, and not of the account whose sale triggered it', () => {
    const logs = [
      give(A, A, AW, 5n),
      give(WETH, AW, router, 5n),
      swapAt(AW),
      unwrap(router, 5n),
      give(A, signer, AW, 95n),
      give(A, signer, A, 5n),
      give(WETH, AW, signer, 95n),
      swapAt(AW),
    ]
    expect(tell(logs).told).toEqual([by(A), its()])
  })

  test('of the owner of a settled order, also on the way over a third token', () => {
    const logs = [
      settled(alice, A, C),
      give(A, alice, settlement),
      give(A, settlement, AB),
      give(B, AB, BC),
      swapAt(AB),
      give(C, BC, settlement),
      swapAt(BC),
      give(C, settlement, alice, 99n),
    ]
    expect(tell(logs).told).toEqual([by(alice), by(alice)])
  })
})

describe('when no balances tell, a swap is', () => {
  test('of whom the tokens go to, where the order’s owner sells the native coin for others', () => {
    const [seller] = [...NATIVE_SELLERS] as [Address]
    const logs = [
      settled(seller, WETH, A),
      wrap(seller),
      give(WETH, seller, settlement),
      give(WETH, settlement, AW),
      give(A, AW, settlement),
      swapAt(AW),
      give(A, settlement, alice, 99n),
    ]
    expect(tell(logs, { to: settlement, reversed: [AW] }).told).toEqual([by(alice, 'settlement')])
  })

  test('of the operation’s sender, whose native coin no log shows', () => {
    const logs = [give(A, alice, AW), give(WETH, AW, router), unwrap(router), swapAt(AW), operation(alice)]
    expect(tell(logs, { to: entry }).told).toEqual([by(alice, 'operation')])
  })

  test('of the owner whose filled order the log names, though another account receives', () => {
    const logs = [
      give(A, alice, router),
      give(A, router, AB, 90n),
      give(B, AB, router, 110n),
      swapAt(AB),
      give(B, router, bob),
      filled(alice),
    ]
    expect(tell(logs).told).toEqual([by(alice, 'settlement')])
  })

  test('of the signer of a meta-transaction, which a relayer sent', () => {
    const logs = [give(A, alice, AB), give(B, AB, BC), swapAt(AB), give(C, BC, alice), swapAt(BC), operation(alice)]
    expect(tell(logs).told).toEqual([by(alice, 'balances'), by(alice, 'balances')])
  })

  test('of nobody where the orders of two owners went through it', () => {
    const logs = [
      settled(alice, A, B),
      settled(bob, A, B),
      give(A, alice, router),
      give(A, bob, router),
      give(A, router, AB, 200n),
      give(B, AB, router, 200n),
      swapAt(AB),
      give(B, router, alice),
      give(B, router, carol),
    ]
    expect(tell(logs).told).toEqual([nobodys])
  })
})

describe('in a settlement of several owners, a swap is', () => {
  const [seller] = [...NATIVE_SELLERS] as [Address]
  // Bob's order sells C through WETH for A; the pool of WETH and A serves both orders in turn.
  const batch = (sold: bigint) => [
    settled(seller, WETH, A, sold, 4000n),
    settled(bob, C, A, 1000n, 520n),
    give(WETH, seller, settlement, 2431n),
    give(C, bob, settlement, 1000n),
    give(A, AW, settlement, 4000n),
    give(WETH, settlement, AW, 2430n),
    swapAt(AW),
    give(C, settlement, addressOf('pool', 4), 1000n),
    give(WETH, addressOf('pool', 4), settlement, 316n),
    give(A, AW, settlement, 521n),
    give(WETH, settlement, AW, 316n),
    swapAt(AW),
    give(A, settlement, alice, 4000n),
    give(A, settlement, bob, 520n),
  ]

  test('of the receiver of the one order with its pair and amount, before balances are asked', () => {
    const { told } = tell(batch(2431n), { to: settlement, reversed: [AW] })
    expect(told).toEqual([by(alice, 'settlement'), by(bob, 'balances')])
  })

  test('of the owner of that order, where the owner sells for itself', () => {
    const logs = batch(2431n).map((log) =>
      log.kind === 'settled' && log.owner === seller ? { ...log, owner: carol } : log,
    )
    expect(tell(logs, { to: settlement, reversed: [AW] }).told[0]).toEqual(by(carol, 'settlement'))
  })
})

test('a mint of a token is no part in a swap, and nothing is swapped without a swap', () => {
  expect(tell([give(A, ZERO_ADDRESS, signer), give(A, signer, AB), give(B, AB, signer), swapAt(AB)]).isPlain).toBe(true)
  expect(tell([give(A, alice, bob), give(B, bob, alice)]).isPlain).toBe(true)
})
