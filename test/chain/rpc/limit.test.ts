import { describe, expect, it, test } from 'vitest'
import { type Endpoint, isAnswered } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRateLimit } from '../../../src/chain/rpc/limit.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSpells, type Spell } from '../../../src/chain/rpc/trouble.ts'
import { createTestClock } from '../../support/clock.ts'
import { createSharedClock } from '../../support/shared-clock.ts'

const BLOCK_MS = 12_000
const POLL_MS = 2_000
const CALLS_PER_BLOCK = 155

/** Follows the head of a chain for four minutes, at an endpoint that answers as `refuse` says; returns the lag by second. */
async function followHead(refuse: (seconds: number, calls: number) => boolean) {
  const clock = createSharedClock()
  const startMs = clock.monotonicMs()
  const seconds = () => (clock.monotonicMs() - startMs) / 1_000
  const endpoint: Endpoint = {
    name: 'node',
    send: async (calls) => {
      if (refuse(seconds(), calls.length)) throw new RpcError('rate', 'node: too many requests (HTTP 429)')
      return calls.map(() => ({ result: '0x1' }))
    },
  }
  const spells: Spell[] = []
  const rpc = createRpc({ endpoints: [endpoint], clock, random: () => 0.5, onSpell: (spell) => spells.push(spell) })
  const lags: { at: number; lag: number }[] = []
  for (let indexed = 0; seconds() < 240; ) {
    const head = Math.floor((seconds() * 1_000) / BLOCK_MS)
    lags.push({ at: seconds(), lag: head - indexed })
    const calls = indexed < head ? CALLS_PER_BLOCK : 1
    const answers = await rpc.batch(Array.from({ length: calls }, () => ({ method: 'eth_call', params: [] })))
    if (!answers.every(isAnswered)) continue
    if (indexed < head) indexed += 1
    else await clock.sleep(POLL_MS)
  }
  clock.end()
  return { lags, spells }
}

describe('an endpoint that answers 429', () => {
  it('for 20 s is kept up with again within a minute, and is reported twice', async () => {
    const { lags, spells } = await followHead((seconds) => seconds >= 61 && seconds < 81)
    const late = lags.filter(({ at }) => at > 141)
    expect(late.length).toBeGreaterThan(20)
    expect(Math.max(...late.map(({ lag }) => lag))).toBeLessThanOrEqual(1)
    expect(spells).toEqual([
      { isOver: false, endpoint: 'node', kind: 'rate', message: 'node: too many requests (HTTP 429)' },
      { isOver: true, endpoint: 'node', seconds: expect.any(Number) },
    ])
  })

  it('above 40 calls a second is kept up with at less', async () => {
    let [second, count] = [0, 0]
    const { lags } = await followHead((seconds, calls) => {
      if (Math.floor(seconds) !== second) [second, count] = [Math.floor(seconds), 0]
      count += calls
      return count > 40
    })
    expect(Math.max(...lags.filter(({ at }) => at > 60).map(({ lag }) => lag))).toBeLessThanOrEqual(2)
  })
})

describe('a rate limit', () => {
  /** The milliseconds that one call waits. */
  async function waitOf(limit: ReturnType<typeof createRateLimit>, clock: ReturnType<typeof createTestClock>) {
    await limit.take(1)
    const fromMs = clock.monotonicMs()
    await limit.take(1)
    return clock.monotonicMs() - fromMs
  }

  it('begins at half of the busiest second of the last minute, not of an idle one', async () => {
    const clock = createTestClock()
    const limit = createRateLimit(clock)
    await limit.take(100)
    await clock.sleep(30_000)
    await limit.take(1)
    limit.hear()
    limit.slow(0)
    expect(await waitOf(limit, clock)).toBe(20)
    expect(limit.most()).toBe(50)
  })

  it('rises with each second, however seldom the endpoint is asked', async () => {
    const clock = createTestClock()
    const limit = createRateLimit(clock)
    limit.slow(0)
    expect(limit.most()).toBe(1)
    await clock.sleep(30_000)
    limit.ease()
    expect(limit.most()).toBe(17)
    await clock.sleep(60_000)
    limit.ease()
    expect(limit.most()).toBe(Number.POSITIVE_INFINITY)
  })
})

test('a fault that passes within three seconds is no spell, and many faults are one', async () => {
  const clock = createTestClock()
  const spells: Spell[] = []
  const { fault, answered } = createSpells(clock, (spell) => spells.push(spell))
  const trouble = { endpoint: 'node', kind: 'transient', message: 'away' } as const
  fault(trouble)
  await clock.sleep(2_000)
  answered()
  for (let i = 0; i < 100; i++) {
    fault(trouble)
    await clock.sleep(100)
  }
  answered()
  await clock.sleep(59_000)
  answered()
  expect(spells).toHaveLength(1)
  await clock.sleep(1_000)
  answered()
  answered()
  expect(spells.map(({ isOver }) => isOver)).toEqual([false, true])
  fault({ ...trouble, kind: 'foreign' })
  expect(spells).toHaveLength(3)
})
