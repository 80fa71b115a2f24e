import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeadReads } from '../../../src/base/head-reads.ts'
import type { ChainBlock } from '../../../src/chain/event.ts'
import { follow } from '../../../src/chain/follow/follow.ts'
import { findFork, openWindow, prune } from '../../../src/chain/follow/reorg.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { applyStep, testPreset } from '../../support/chain.ts'
import { createTestClock } from '../../support/clock.ts'
import { createFakeChain } from '../../support/fake-chain.ts'

const DEPTH = 12
const link = (number: number, fork = 'a', parent = fork) => ({
  number,
  hash: `0x${fork}${number}` as const,
  parentHash: `0x${parent}${number - 1}` as const,
})

describe('the reorg window', () => {
  it('the reorg window is the contiguous end of the stored links', () => {
    expect(openWindow([link(3), link(7), link(8), link(9)]).map(({ number }) => number)).toEqual([7, 8, 9])
    expect(openWindow([link(8, 'b'), link(9)]).map(({ number }) => number)).toEqual([9])
    expect(openWindow([])).toEqual([])
  })

  it('the reorg window keeps the newest final link as its anchor', () => {
    const window = [5, 6, 7, 8].map((number) => link(number))
    expect(prune(window, 6).map(({ number }) => number)).toEqual([6, 7, 8])
    expect(prune(window, 99).map(({ number }) => number)).toEqual([8])
    expect(prune(window, 1)).toBe(window)
  })

  it('the fork is the newest link of the window that is still on the chain', () => {
    const window = [5, 6, 7].map((number) => link(number))
    expect(findFork(window, [link(5), link(6), link(7, 'b', 'a')])?.number).toBe(6)
    expect(findFork(window, [link(5, 'b')])).toBeNull()
  })
})

type Event =
  | { kind: 'mine'; transfers: number[] }
  | { kind: 'drop'; depth: number; transfers: number[] }
  | { kind: 'shorten'; depth: number }
  | { kind: 'restart' }
  | { kind: 'look'; times: number }

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('mine' as const),
    transfers: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
  }),
  fc.record({
    kind: fc.constant('drop' as const),
    depth: fc.integer({ min: 1, max: DEPTH - 2 }),
    transfers: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 20 }),
  }),
  fc.record({ kind: fc.constant('shorten' as const), depth: fc.integer({ min: 1, max: 4 }) }),
  fc.constant({ kind: 'restart' as const }),
  fc.record({ kind: fc.constant('look' as const), times: fc.integer({ min: 1, max: 4 }) }),
)

/**
 * Runs a script of blocks and reorgs under a follower that is also stopped and restarted; returns the resulting blocks.
 */
async function run(events: readonly Event[], headReads: HeadReads, receiptsShare: number) {
  const chain = createFakeChain()
  chain.hasReceipts = receiptsShare > 0
  const clock = createTestClock()
  const rpc = createRpc({ endpoints: [chain], clock })
  const source = createSource({ rpc, preset: testPreset(DEPTH), clock, receiptsShare })
  const blocks: ChainBlock[] = []
  let idle = 0
  let stop = new AbortController()
  const patient = {
    ...clock,
    sleep: async (ms: number) => {
      await clock.sleep(ms)
      idle += 1
      if (idle > 12) stop.abort()
    },
  }
  let top = 0
  let lowest = 0
  const start = () => {
    stop = new AbortController()
    return follow({
      source,
      window: blocks.slice(-DEPTH - 9),
      startBlock: 0,
      clock: patient,
      signal: stop.signal,
      headReads,
      shorterAfterMs: 5000,
    })
  }
  let steps = start()
  async function look(): Promise<void> {
    idle = 0
    const { value, done } = await steps.next()
    if (done) steps = start()
    else applyStep(blocks, value)
  }
  for (const happened of events) {
    if (happened.kind === 'mine') chain.mine(...happened.transfers)
    // Never deeper than finality: blocks that were final at the highest head stay.
    top = Math.max(top, chain.blocks.length - 1)
    lowest = Math.max(0, top - DEPTH + 1)
    const most = chain.blocks.length - 1 - lowest
    if (happened.kind === 'drop' || happened.kind === 'shorten') chain.drop(Math.max(0, Math.min(happened.depth, most)))
    if (happened.kind === 'drop') chain.mine(...happened.transfers)
    if (happened.kind === 'restart') steps = start()
    if (happened.kind === 'look') for (let i = 0; i < happened.times; i++) await look()
  }
  chain.mine(...Array.from({ length: Math.max(1, top + 2 - chain.blocks.length) }, () => 1))
  for (let i = 0; i < 60 && blocks.at(-1)?.hash !== chain.blocks.at(-1)?.hash; i++) await look()
  return { chain, blocks }
}

describe('the follower', () => {
  it.each<[string, HeadReads, number]>([
    ['each block at once', { kind: 'latency' }, 0],
    ['each block at once with its receipts', { kind: 'latency' }, 0.01],
    ['several blocks at once', { kind: 'interval', ms: 1000 }, 0],
  ])('that reads %s ends with the canonical chain after any reorgs and restarts', async (_, headReads, share) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 25 }), async (events) => {
        const { chain, blocks } = await run(events, headReads, share)
        expect(blocks.at(-1)?.hash).toBe(chain.blocks.at(-1)?.hash)
        const filled = chain.blocks.filter(({ logs }) => logs.length > 0)
        expect(blocks.filter(({ logs }) => logs.length > 0).map(({ hash }) => hash)).toEqual(
          filled.map(({ hash }) => hash),
        )
        expect(blocks.flatMap(({ logs }) => logs)).toHaveLength(filled.flatMap(({ logs }) => logs).length)
      }),
      { numRuns: 100 },
    )
  })
})
