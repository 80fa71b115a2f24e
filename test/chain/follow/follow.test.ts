import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { ChainBlock, Step } from '../../../src/chain/event.ts'
import { type FollowOptions, follow } from '../../../src/chain/follow/follow.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource, type Source } from '../../../src/chain/source/source.ts'
import { ANVIL_MISSING, type Anvil, anvilBinary, startAnvil } from '../../support/anvil.ts'
import { applyStep, replay, startProvider, testPreset } from '../../support/chain.ts'

const PAYER = '0x00000000000000000000000000000000000000aa'

describe('the follower', () => {
  it('the follower leaves out final blocks without logs, but keeps every link after finality', async () => {
    const { chain, index } = await startProvider({ finalityDepth: 5 })
    chain.mine(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    const numbers = (await index()).map(({ number }) => number)
    expect(numbers).toContain(3)
    expect(numbers).not.toContain(2)
    expect(numbers.slice(-6)).toEqual([6, 7, 8, 9, 10, 11])
  })

  it('the follower stops after the requested block, and can continue from there', async () => {
    const { chain, index, source, clock } = await startProvider({ finalityDepth: 5 })
    chain.mine(...Array.from({ length: 30 }, () => 1))
    for (const until of [7, 27]) expect((await index({ until })).at(-1)?.number).toBe(until)
    const first = await index({ until: 12 })
    const window = first.slice(-1)
    const rest = await replay(follow({ source, window, startBlock: 0, clock, until: 30 }), first)
    expect(rest.map(({ number }) => number)).toEqual(chain.blocks.map(({ number }) => number).slice(rest[0]?.number))
  })

  it('the follower finalises only blocks that it appended', async () => {
    const { chain, source, clock } = await startProvider({ finalityDepth: 5 })
    chain.mine(1, 1, 1, 1)
    const steps: Step[] = []
    for await (const step of follow({
      source,
      window: [],
      startBlock: 0,
      clock,
      until: 40,
      headReads: { kind: 'interval', ms: 1000 },
    })) {
      steps.push(step)
      if (chain.blocks.length <= 40) chain.mine(1)
    }
    const finals = steps.flatMap((step) => (step.kind === 'finalise' ? [step.number] : []))
    expect(finals.length).toBeGreaterThan(1)
    expect(Math.max(...finals)).toBeLessThanOrEqual(35)
    expect(finals).toEqual([...finals].sort((a, b) => a - b))
  })

  it('the follower waits while the head stays the same, and ends when it is aborted', async () => {
    const { chain, source, clock } = await startProvider()
    chain.mine(1)
    const stop = new AbortController()
    let sleeps = 0
    const patient = {
      ...clock,
      sleep: async () => {
        sleeps += 1
        if (sleeps === 3) stop.abort()
      },
    }
    const blocks = await replay(
      follow({
        source,
        window: [],
        startBlock: 0,
        clock: patient,
        signal: stop.signal,
        headReads: { kind: 'interval', ms: 5 },
      }),
    )
    expect(blocks.at(-1)?.number).toBe(1)
    expect(sleeps).toBe(3)
  })

  it('a wake ends the wait at the head, and the next wait needs another one', async () => {
    const { chain, source, clock } = await startProvider()
    chain.mine(1)
    const stop = new AbortController()
    const wakes = Array.from({ length: 4 }, () => new AbortController())
    const waits: boolean[] = []
    let rests = 0
    const patient = {
      ...clock,
      sleep: async (_: number, signal?: AbortSignal) => {
        if (waits.length === 1) wakes[1]?.abort()
        waits.push(signal?.aborted === true)
        if (waits.length === 4) stop.abort()
      },
    }
    for await (const { kind } of follow({
      source,
      window: [],
      startBlock: 0,
      clock: patient,
      signal: stop.signal,
      headReads: { kind: 'interval', ms: 5 },
      wake: () => (wakes[waits.length] ?? new AbortController()).signal,
    }))
      rests += kind === 'rest' ? 1 : 0
    expect(waits).toEqual([false, true, false, false])
    expect(rests).toBeGreaterThanOrEqual(2)
  })

  it('the follower reads only a few ranges ahead while the consumer is busy', async () => {
    const { chain, server, source, clock } = await startProvider({ finalityDepth: 0 })
    chain.mine(...Array.from({ length: 400 }, () => 30))
    const steps = follow({ source, window: [], startBlock: 0, clock, until: 'head' })
    await steps.next()
    const isLogs = () => server.calls.filter(([request]) => request?.method === 'eth_getLogs').length
    expect(isLogs()).toBeLessThanOrEqual(6)
    await steps.return()
  })

  it('the follower waits for a provider that is unavailable for long', async () => {
    const { chain, server, source, clock } = await startProvider()
    chain.mine(1, 1)
    let down = 60
    server.intervene(() => (down-- > 0 ? { status: 503, body: 'down' } : undefined))
    const troubles: string[] = []
    const blocks = await replay(
      follow({ source, window: [], startBlock: 0, clock, until: 'head', onTrouble: ({ kind }) => troubles.push(kind) }),
    )
    expect(blocks.at(-1)?.number).toBe(2)
    expect(new Set(troubles)).toEqual(new Set(['transient']))
  })

  it('the follower rolls back to a lower head that lasts', async () => {
    const { chain, source, clock, index } = await startProvider()
    chain.mine(1, 1, 1, 1)
    const blocks = await index()
    chain.drop(2)
    const steps = follow({ source, window: blocks, startBlock: 0, clock, headReads: { kind: 'interval', ms: 1000 } })
    const { value } = await steps.next()
    expect(value).toEqual({ kind: 'rollback', to: { number: 2, hash: chain.blocks[2]?.hash } })
    await steps.return()
  })
})

describe.skipIf(!anvilBinary)(`the follower on a real EVM (${ANVIL_MISSING})`, () => {
  let anvil: Anvil
  let source: Source
  beforeAll(async () => {
    anvil = await startAnvil({ slotsInAnEpoch: 100, noMining: true })
    const rpc = createRpc({ urls: [anvil.url], clock: systemClock })
    source = createSource({ rpc, preset: testPreset(), clock: systemClock })
    await anvil.rpc('anvil_setBalance', [PAYER, '0xffffffffffffffffffff'])
  })
  afterAll(() => anvil.stop())

  let paid = 0
  /** Mines blocks with one payment each. Every payment differs, so that no two blocks are equal. */
  async function mine(count: number, empty = false): Promise<void> {
    for (let i = 0; i < count; i++) {
      const value = `0x${(++paid).toString(16)}`
      const payment = {
        from: PAYER,
        to: '0x00000000000000000000000000000000000000bb',
        value,
        gas: '0x5208',
        gasPrice: '0x0',
      }
      if (!empty) await anvil.rpc('eth_sendTransaction', [payment])
      await anvil.rpc('evm_mine', [])
    }
  }
  const run = (options: Partial<FollowOptions> = {}) =>
    follow({
      source,
      window: [],
      startBlock: 0,
      clock: systemClock,
      until: 'head',
      headReads: { kind: 'interval', ms: 10 },
      ...options,
    })
  const withTransactions = (blocks: readonly ChainBlock[]) =>
    blocks.filter(({ transactions }) => transactions.length > 0)

  /** Continues from the blocks, as after a restart, and compares the result with a run from the start. */
  async function settle(blocks: ChainBlock[]): Promise<Step['kind'][]> {
    const kinds: Step['kind'][] = []
    for await (const step of run({ window: blocks.slice(-210) })) {
      kinds.push(step.kind)
      applyStep(blocks, step)
    }
    expect(withTransactions(blocks)).toEqual(withTransactions(await replay(run())))
    expect(blocks.at(-1)?.hash).toBe((await source.readHead()).hash)
    return kinds
  }

  it('reorgs of 1 and 100 blocks, in a row and without events, end like a run from the start', async () => {
    await mine(130)
    const blocks = await replay(run())
    await anvil.rpc('anvil_reorg', [1, []])
    await mine(2)
    expect(await settle(blocks)).toContain('rollback')
    await anvil.rpc('anvil_reorg', [100, []])
    await mine(1)
    expect(await settle(blocks)).toContain('rollback')
    await anvil.rpc('anvil_reorg', [5, []])
    await anvil.rpc('anvil_reorg', [8, []])
    expect(await settle(blocks)).toContain('rollback')
    await mine(3, true)
    await settle(blocks)
    await anvil.rpc('anvil_rollback', [2])
    await anvil.rpc('evm_increaseTime', [100])
    await mine(3, true)
    expect(await settle(blocks)).toContain('rollback')
  })

  it('a head that goes back and grows another branch ends like a run from the start', async () => {
    const blocks = await replay(run())
    await anvil.rpc('anvil_rollback', [3])
    const stay = run({ window: blocks.slice(-210), until: 'head' })
    expect(await stay.next()).toEqual({ value: undefined, done: true })
    await mine(5)
    expect(await settle(blocks)).toContain('rollback')
  })
})
