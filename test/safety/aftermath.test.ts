// What a trial of an act proves, from balances, supply and transfers before and after it; and the arguments of acts.
import { expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import { type Aftermath, compare } from '../../src/safety/code/aftermath.ts'
import { attemptData, VARIANT_COUNT } from '../../src/safety/code/arguments.ts'

const before: Aftermath = {
  ...{ supply: 1_000_000n, gained: 0n, made: 0n, hasPaid: false, hasRun: false, held: [10_000n, 10_000n] },
  ...{ pooled: 500_000n, grabbed: null },
  ...{ arrived: [10_000, 10_000], lateArrived: [10_000, 10_000] },
  ...{ spent: [10_000, 10_000], lateSpent: [10_000, 10_000] },
}
const effectOf = (change: Partial<Aftermath>, isNamedMint = false) =>
  compare(before, { ...before, ...change }, isNamedMint)?.effect ?? null

test('tokens are minted when the supply grows by a tenth, or an insider gets more than there is', () => {
  expect(effectOf({ supply: 1_200_000n })).toBe('minted')
  expect(effectOf({ supply: 1_010_000n })).toBe(null)
  expect(effectOf({ gained: 2_000_000n })).toBe('minted')
  expect(effectOf({ gained: 200_000n })).toBe(null)
})

test('a gain that the contract logs as made from nothing is minted, also where the supply does not say so', () => {
  expect(effectOf({ gained: 200_000n, made: 200_000n })).toBe('minted')
  expect(effectOf({ gained: 0n, made: 200_000n })).toBe(null)
})

test('tokens are bought when their caller paid for them in another token', () => {
  expect(effectOf({ supply: 1_200_000n, hasPaid: true })).toBe('bought')
  expect(effectOf({ hasPaid: true })).toBe(null)
  expect(effectOf({ hasRun: true })).toBe('ran')
  expect(effectOf({ pooled: 200_000n, hasPaid: true })).toBe('taken')
})

test('a function that is named for minting mints, also under a cap that leaves little', () => {
  expect(effectOf({ supply: 1_000_099n }, true)).toBe('minted')
  expect(effectOf({}, true)).toBe(null)
})

test('who is stopped at once, or only later, is told apart', () => {
  expect(effectOf({ arrived: [null, 10_000] })).toBe('stopped_one')
  expect(effectOf({ arrived: [null, null] })).toBe('stopped')
  expect(compare(before, { ...before, lateArrived: [null, null] })).toEqual({ effect: 'stopped', isLate: true })
})

test('holders for whom no router can send are stopped, though they can send themselves', () => {
  expect(effectOf({ spent: [null, 10_000] })).toBe('stopped_one')
  expect(effectOf({ spent: [null, null] })).toBe('stopped')
  expect(effectOf({ spent: [100, 10_000] })).toBe('taxed')
  expect(compare(before, { ...before, lateSpent: [null, null] })).toEqual({ effect: 'stopped', isLate: true })
  const closed = { ...before, spent: [null, null] }
  expect(compare(closed, closed)).toBe(null)
})

test('tokens are taken when an insider gets them from a holder that approved another, or half of the pool is gone', () => {
  expect(effectOf({ grabbed: 10_000 })).toBe('taken')
  expect(effectOf({ grabbed: 0 })).toBe(null)
  expect(compare({ ...before, grabbed: 10_000 }, { ...before, grabbed: 10_000 })).toBe(null)
  expect(effectOf({ pooled: 200_000n })).toBe('taken')
  expect(effectOf({ pooled: 200_000n, supply: 700_000n })).toBe('destroyed')
  expect(effectOf({ pooled: 300_000n })).toBe(null)
})

const address = (digit: string): Address => `0x${digit.repeat(40)}` as Address
const SETTING = {
  ...{ victims: [address('1'), address('2')], caller: address('3'), subject: null, pool: address('4') },
  ...{
    hollow: address('5'),
    refusing: address('6'),
    module: address('7'),
    supply: 1_000n,
    held: 77n,
    later: 2_000_000_000n,
  },
}

test('a lock of an amount until a time is tried with a holder, its balance and a time to come', () => {
  const word = (value: string) => value.padStart(64, '0')
  const wanted = `0x12345678${word('1'.repeat(40))}${word((77).toString(16))}${word((2_000_000_000).toString(16))}`
  const tried = Array.from({ length: VARIANT_COUNT }, (_, at) =>
    attemptData('12345678', ['address', 'uint256', 'uint256'], at, SETTING),
  )
  expect(tried).toContain(wanted)
})

test('no arguments are tried twice', () => {
  for (const types of [
    [],
    ['uint256'],
    ['address'],
    ['bool'],
    ['address', 'bool'],
    ['address[]'],
    ['uint256', 'uint256'],
  ]) {
    const tried = Array.from({ length: VARIANT_COUNT }, (_, at) => attemptData('12345678', types, at, SETTING))
    const sent = tried.filter((data) => data !== null)
    expect(new Set(sent).size, types.join()).toBe(sent.length)
  }
})
