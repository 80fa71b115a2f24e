// Which transfers a check asks the node about, and how it reads a call's signature.
import { expect, test } from 'vitest'
import { type Address, type Hash, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { type StoredTransfer, supplyMovesOf, suspectMoves } from '../../src/ledger/safety/transfers.ts'
import { isSignedCall } from '../../src/safety/check/signed-call.ts'

const who = (number: number): Address => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const hash = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`
const DEPLOYER = who(1)

const transfer = (at: number, from: Address, to: Address, more: Partial<StoredTransfer> = {}): StoredTransfer => ({
  ...{ txHash: hash(at), block: at, time: at, from, to, quantity: 1, isFromAccount: true },
  ...more,
})

test('transfers to insiders and out of many accounts at once come before the newest', () => {
  const transfers = [
    transfer(1, who(20), DEPLOYER),
    transfer(2, who(21), who(40)),
    transfer(2, who(22), who(40)),
    transfer(3, who(23), who(41)),
    transfer(4, who(24), who(42)),
  ]
  const moves = suspectMoves(transfers, new Set([DEPLOYER]), new Set())
  expect(moves.map(({ from }) => from)).toEqual([who(22), who(21), who(20), who(24), who(23)])
  const many = Array.from({ length: 40 }, (_, at) => transfer(at, who(100 + at), who(9)))
  expect(suspectMoves(many, new Set(), new Set())).toHaveLength(16)
})

test('burns, mints, trades, contracts and insiders are not suspected', () => {
  const transfers = [
    transfer(1, who(20), ZERO_ADDRESS),
    transfer(2, ZERO_ADDRESS, who(20), { isFromAccount: false }),
    transfer(3, who(20), who(30)),
    transfer(4, who(21), who(30), { isFromAccount: false }),
    transfer(5, DEPLOYER, who(30)),
    transfer(6, who(20), who(20)),
  ]
  expect(suspectMoves(transfers, new Set([DEPLOYER]), new Set([hash(3)]))).toEqual([])
  expect(supplyMovesOf(transfers, 2)).toEqual([
    { time: 1, from: who(20), to: ZERO_ADDRESS, amount: 100n },
    { time: 2, from: ZERO_ADDRESS, to: who(20), amount: 100n },
  ])
})

test('a call carries a signature by 65 bytes, or by two random words and a recovery number', () => {
  const [address, amount] = [who(7).slice(2).padStart(64, '0'), (10n ** 24n).toString(16).padStart(64, '0')]
  const random = (first: number) => Array.from({ length: 32 }, (_, at) => (first + at).toString(16)).join('')
  const number = (value: number) => value.toString(16).padStart(64, '0')
  const [r, s] = [random(32), random(64)]
  expect(isSignedCall(`0x12345678${address}${amount}${number(27)}${r}${s}`)).toBe(true)
  expect(isSignedCall(`0x12345678${number(65)}${r}${s}1b`)).toBe(true)
  expect(isSignedCall(`0x12345678${address}${amount}${number(27)}`)).toBe(false)
  expect(isSignedCall(`0x12345678${r}${s}${number(5)}`)).toBe(false)
  expect(isSignedCall('0x')).toBe(false)
})
