// One false answer, at each place of a range and of the head: it is asked for again, and never counts as final.
import { describe, expect, it } from 'vitest'
import { type FollowOptions, follow } from '../../../src/chain/follow/follow.ts'
import { BelowFinalityError } from '../../../src/chain/follow/reorg.ts'
import { logCounts, replay, startProvider } from '../../support/chain.ts'
import type { RpcRequest } from '../../support/rpc-server.ts'

const OTHER = `0x${'ab'.repeat(32)}`
const BLOCKS = 60
const FINALITY_DEPTH = 20

/** Changes the first answer of this kind, once. */
function lieOnce(
  { server, chain }: Pick<Awaited<ReturnType<typeof startProvider>>, 'server' | 'chain'>,
  isMeant: (request: RpcRequest) => boolean,
  fields: object | null,
) {
  let isTold = false
  server.replace((request) => {
    if (isTold || !isMeant(request)) return undefined
    isTold = true
    const { result } = chain.answer(request.method, request.params) as { result: object }
    return { result: fields && { ...result, ...fields } }
  })
  return () => isTold
}

const isBlock = (number: number, full: boolean) => (request: RpcRequest) =>
  request.method === 'eth_getBlockByNumber' &&
  request.params[0] === `0x${number.toString(16)}` &&
  request.params[1] === full

async function startChain() {
  const provider = await startProvider({ finalityDepth: FINALITY_DEPTH })
  // Blocks without logs: nothing else contradicts their hash.
  provider.chain.mine(...Array.from({ length: BLOCKS }, (_, i) => (i % 10 === 4 ? 1 : 0)))
  return provider
}

describe('one false answer', () => {
  it.each([0, 1, 6, 7, 8, 23, 39, 40, 41, 59, 60])(
    'a false hash of block %i, given once, is not in the index',
    async (number) => {
      const provider = await startChain()
      const { chain, index } = provider
      const isTold = lieOnce(provider, isBlock(number, true), { hash: OTHER })
      const blocks = await index()
      expect(isTold()).toBe(true)
      for (const { number: at, hash } of blocks) expect(hash).toBe(chain.blocks[at]?.hash)
      expect(blocks.at(-1)?.number).toBe(BLOCKS)
    },
  )

  it.each([1, 8, 23, 40, 41, 60])('a false parent of block %i, given once, undoes nothing', async (number) => {
    const provider = await startChain()
    const { chain, index } = provider
    const isTold = lieOnce(provider, isBlock(number, true), { parentHash: OTHER })
    const blocks = await index()
    expect(isTold()).toBe(true)
    for (const { number: at, hash } of blocks) expect(hash).toBe(chain.blocks[at]?.hash)
    expect(Object.keys(logCounts(blocks))).toHaveLength(6)
  })

  it.each([
    ['a head that is far ahead', { number: '0xffffff' }],
    ['a head at block 1', { number: '0x1' }],
  ])('%s, given once, neither makes a block final nor moves the end', async (_, fields) => {
    const provider = await startChain()
    lieOnce(provider, ({ params }) => params[0] === 'latest', fields)
    const { source, clock } = provider
    const finals: number[] = []
    const steps = follow({ source, window: [], startBlock: 0, clock, until: BLOCKS })
    const watched = (async function* () {
      for await (const step of steps) {
        if (step.kind === 'append') finals.push(step.finalized)
        yield step
      }
    })()
    expect((await replay(watched)).at(-1)?.number).toBe(BLOCKS)
    expect(Math.max(...finals)).toBeLessThanOrEqual(BLOCKS - FINALITY_DEPTH)
  })

  it('a finalized tag at the head, given once, makes no block final', async () => {
    const provider = await startChain()
    provider.chain.finalized = BLOCKS - FINALITY_DEPTH
    lieOnce(provider, ({ params }) => params[0] === 'finalized', { number: `0x${BLOCKS.toString(16)}` })
    expect(await provider.source.readFinalized(BLOCKS)).toBe(BLOCKS - FINALITY_DEPTH)
  })
})

describe('a stored block that the chain contradicts', () => {
  /** Indexes with a false hash of the newest stored block, as if it had been given twice. */
  async function indexFalsely(until: number) {
    const provider = await startChain()
    const blocks = await provider.index({ until })
    const links = blocks.map((block) => (block.number === until ? { ...block, hash: OTHER as never } : block))
    return { ...provider, blocks, window: links.slice(-2) }
  }

  it.each([30, BLOCKS])('the newest stored block %i is undone alone, because its parent agrees', async (until) => {
    const { source, clock, window, blocks, chain } = await indexFalsely(until)
    expect(window.map(({ number }) => number)).toEqual([until - 1, until])
    chain.mine(1, 1)
    const steps = follow({ source, window, startBlock: 0, clock, until: BLOCKS + 2 })
    const { value } = await steps.next()
    expect(value).toEqual({ kind: 'rollback', to: { number: until - 1, hash: blocks.at(-2)?.hash } })
    await steps.return()
  })

  it('a final block that is gone is waited for, again and again, and named', async () => {
    const { source, clock, window } = await indexFalsely(30)
    const troubles: Parameters<NonNullable<FollowOptions['onTrouble']>>[0][] = []
    const stop = new Error('seen enough')
    const onTrouble: FollowOptions['onTrouble'] = (error) => {
      troubles.push(error)
      if (troubles.length === 5) throw stop
    }
    const lost = follow({ source, window: window.slice(-1), startBlock: 0, clock, onTrouble })
    await expect(replay(lost)).rejects.toBe(stop)
    for (const error of troubles) expect(error).toBeInstanceOf(BelowFinalityError)
    expect(troubles[0]).toMatchObject({ block: 30, message: expect.stringContaining('reindex --from') })
  })
})

describe('a block that the provider does not have any more', () => {
  it('null for a final block is named with the block, and the blocks before it are indexed', async () => {
    const { server, source, clock } = await startChain()
    server.replace((request) => (isBlock(20, true)(request) ? { result: null } : undefined))
    const seen: unknown[] = []
    const stop = new Error('seen enough')
    const steps = follow({
      ...{ source, window: [], startBlock: 0, clock },
      onTrouble: ({ kind, block }) => {
        seen.push({ kind, block })
        if (seen.length === 2) throw stop
      },
    })
    await expect(replay(steps)).rejects.toBe(stop)
    expect(seen).toEqual([
      { kind: 'pruned', block: 20 },
      { kind: 'pruned', block: 20 },
    ])
  })
})
