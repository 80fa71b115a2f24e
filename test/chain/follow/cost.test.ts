// The requests of a day at the head, on a simulated provider. `npm run bench -- providers` has other chains.
import { expect, test } from 'vitest'
import { simulateHead } from '../../support/provider-bill.ts'

const BASE = { blockMs: 2_000, logsPerBlock: 1 }
const HOURS = 0.25
const PER_DAY = 24 / HOURS
/** Half of the blocks came within this time while the head was polled every quarter of a block. */
const POLLED_MS = 440

test('blocks of two seconds take 60,000 requests a day, and arrive no later than by polling', async () => {
  const { requests, delays } = await simulateHead(BASE, HOURS, { kind: 'latency' })
  expect(delays.length).toBeGreaterThan(440)
  expect(requests * PER_DAY).toBeLessThanOrEqual(60_000)
  expect(delays.filter((delay) => delay < POLLED_MS).length).toBeGreaterThan(delays.length / 2)
})

test('blocks that a node tells of take one request each, and arrive sooner', async () => {
  const { requests, delays } = await simulateHead(BASE, HOURS, { kind: 'latency' }, { isTold: true })
  expect(delays.length).toBeGreaterThan(440)
  expect(requests).toBeLessThan(1.1 * delays.length)
  // A notice and a request: three half ways of 30 ms, and no look that came too early.
  expect(delays.filter((delay) => delay <= 100).length).toBeGreaterThan(0.9 * delays.length)
})

test('blocks that are read together take 12,000 requests a day', async () => {
  const { requests, delays } = await simulateHead(BASE, HOURS, { kind: 'interval', ms: 16_000 })
  expect(delays.length).toBeGreaterThan(430)
  expect(requests * PER_DAY).toBeLessThanOrEqual(12_000)
})

test('a provider that answered 429 for a minute is kept up with again within a minute', async () => {
  const { delays } = await simulateHead(
    BASE,
    HOURS,
    { kind: 'latency' },
    {
      isRefused: (at) => at >= 120 && at < 180,
    },
  )
  const firstOf = (seconds: number) => (seconds * 1_000) / BASE.blockMs
  expect(Math.max(...delays.slice(firstOf(120), firstOf(180)))).toBeGreaterThan(30_000)
  expect(Math.max(...delays.slice(firstOf(240)))).toBeLessThan(BASE.blockMs)
})

test.each([
  ['latency', { kind: 'latency' } as const, false, 260_000, 500],
  ['the notices of a node', { kind: 'latency' } as const, true, 190_000, 500],
  ['each block alone', { kind: 'block' } as const, false, 560_000, 400],
  ['each told block alone', { kind: 'block' } as const, true, 470_000, 200],
  ['two seconds', { kind: 'interval', ms: 2_000 } as const, false, 58_752, 2_500],
])('five blocks a second, of equal times, read by %s', async (_, reads, isTold, most, lateMs) => {
  const { requests, delays } = await simulateHead({ blockMs: 200, logsPerBlock: 1 }, HOURS / 2, reads, { isTold })
  expect(delays.length).toBeGreaterThan(2_200)
  expect(requests * 2 * PER_DAY).toBeLessThanOrEqual(most)
  // The pace is known after some seconds.
  const later = delays.slice(300).sort((a, b) => a - b)
  expect(later[Math.floor(later.length * 0.99)]).toBeLessThanOrEqual(lateMs)
})

test('blocks that came with the head are not read again where they are final at once', async () => {
  const rates = { blockMs: 250, logsPerBlock: 1, finalBlocks: 64 }
  const { calls, delays } = await simulateHead(rates, HOURS / 4, { kind: 'interval', ms: 16_000 })
  expect(delays.length).toBeGreaterThan(800)
  expect(calls.get('eth_getBlockReceipts')).toBeLessThan(1.1 * delays.length)
})
