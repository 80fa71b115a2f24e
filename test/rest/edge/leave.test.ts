// How long a server that leaves holds its answers back, counted in waits instead of time.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { type LeavingParts, stop } from '../../../src/rest/edge/leave.ts'

/** Stops a server to which `comes` connections come, one in each wait; returns how often it waited. */
async function countWaits(comes: number): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  let waits = 0
  let waitedMs = 0
  const clock = {
    ...systemClock,
    monotonicMs: () => waitedMs,
    sleep: async (ms: number) => {
      waits += 1
      waitedMs += ms
    },
  }
  const parts = {
    server,
    clock,
    pipeline: { pause: () => {}, resume: () => {} },
    connections: { accepted: () => Math.min(waits, comes), closeUnused: () => {} },
  }
  await stop(parts as unknown as LeavingParts, true)
  return waits
}

test.each([
  [0, 1],
  [3, 4],
  [1_000, 10],
])('with %i connections that still come one by one, answers are held back for %i waits', async (comes, waits) => {
  expect(await countWaits(comes)).toBe(waits)
})
