import { expect, test } from 'vitest'
import { isOwnNode } from '../../src/base/own-node.ts'
import { createCallBudget } from '../../src/indexing/call-budget.ts'
import { createTestClock } from '../support/clock.ts'

const MINUTE_MS = 60_000

test('a minute has as many calls as the setting, and the next one has them again', () => {
  const clock = createTestClock()
  const budget = createCallBudget(clock, 600, 200)
  budget.spend(400)
  expect([budget.isSpent(200), budget.isSpent(201)]).toEqual([false, true])
  clock.advance(MINUTE_MS)
  expect([budget.isSpent(600), budget.isSpent(601)]).toEqual([false, true])
})

test('a provider that limits calls gets half, once a minute, and never less than a check needs', () => {
  const clock = createTestClock()
  const budget = createCallBudget(clock, 1_600, 200)
  budget.spend(1_600)
  for (let at = 0; at < 3; at += 1) budget.refuse()
  clock.advance(MINUTE_MS)
  expect([budget.isSpent(800), budget.isSpent(801)]).toEqual([false, true])
  for (let at = 0; at < 5; at += 1) {
    budget.refuse()
    clock.advance(MINUTE_MS)
  }
  expect([budget.isSpent(200), budget.isSpent(201)]).toEqual([false, true])
})

test('after quiet minutes the setting holds again, and no more', () => {
  const clock = createTestClock()
  const budget = createCallBudget(clock, 600, 200)
  budget.spend(600)
  budget.refuse()
  clock.advance(2 * MINUTE_MS)
  expect(budget.isSpent(600)).toBe(true)
  for (let at = 0; at < 12; at += 1) {
    clock.advance(MINUTE_MS)
    budget.spend(1)
  }
  clock.advance(MINUTE_MS)
  expect([budget.isSpent(600), budget.isSpent(601)]).toEqual([false, true])
})

test('a node without a bound that limits calls gets half of what it was sent', () => {
  const clock = createTestClock()
  const budget = createCallBudget(clock, Number.POSITIVE_INFINITY, 200)
  budget.spend(10_000)
  expect(budget.isSpent(1e9)).toBe(false)
  budget.refuse()
  clock.advance(MINUTE_MS)
  expect([budget.isSpent(5_000), budget.isSpent(5_001)]).toEqual([false, true])
})

test.each([
  ['http://127.0.0.1:8545', true],
  ['ws://localhost:8546', true],
  ['http://[::1]:8545', true],
  ['http://192.168.7.9:8545', true],
  ['http://172.20.0.3:8545', true],
  ['http://10.1.2.3:8545', true],
  ['http://geth:8545', true],
  ['http://172.32.0.3:8545', false],
  ['http://192.169.0.1:8545', false],
  ['http://[2001:db8::1]:8545', false],
  ['https://eth.example.org/v3/key', false],
  ['https://127.0.0.1.example.org', false],
])('the node at %s is one of our own: %s', (url, isOwn) => {
  expect(isOwnNode(url)).toBe(isOwn)
})
