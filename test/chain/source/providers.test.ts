import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createEthCall } from '../../../src/chain/contracts/call.ts'
import { readChainId } from '../../../src/chain/rpc/chain-id.ts'
import { createHttpEndpoint } from '../../../src/chain/rpc/endpoint.ts'
import { logCounts, startProvider } from '../../support/chain.ts'
import { TOKEN, transferLog, viewLogs } from '../../support/fake-chain.ts'
import { type RpcRequest, times } from '../../support/rpc-server.ts'

const getLogs = (requests: readonly RpcRequest[]) => requests.find(({ method }) => method === 'eth_getLogs')
const widthOf = (request: RpcRequest): number => {
  const { fromBlock, toBlock } = request.params[0] as { fromBlock: string; toBlock: string }
  return Number(toBlock) - Number(fromBlock) + 1
}
const html = { status: 502, body: '<html><h1>Bad gateway</h1></html>' }

describe('a block range that is too wide', () => {
  const refusals = [
    { code: -32600, status: 200, message: 'eth_getLogs is limited to a 5 range', cap: 5 },
    { code: -32602, status: 400, message: 'Max range: 7', cap: 7 },
    { code: -32614, status: 413, message: 'exceed maximum block range: 6', cap: 6 },
    { code: -32701, status: 200, message: 'please narrow your filter', cap: 4 },
    { code: -32000, status: 200, message: 'block range is too wide', cap: 4 },
    { code: -32600, status: 400, message: 'You can make eth_getLogs requests with up to a 9 block range.', cap: 9 },
  ]
  it.each(refusals)('"$message" shrinks the range for good', async ({ code, status, message, cap }) => {
    const { chain, server, index } = await startProvider()
    chain.mine(...Array.from({ length: 300 }, () => 1))
    const widths: number[] = []
    server.intervene((requests) => {
      const request = getLogs(requests)
      if (!request || 'blockHash' in (request.params[0] as object)) return undefined
      widths.push(widthOf(request))
      return widthOf(request) > cap ? { error: { code, message }, status } : undefined
    })
    expect(Object.keys(logCounts(await index()))).toHaveLength(300)
    const refused = widths.filter((width) => width > cap).length
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThanOrEqual(10)
    expect(Math.max(...widths.slice(-8, -2))).toBe(cap)
  })
})

describe('too many results', () => {
  it.each([
    [-32005, 'query returned more than 10000 results'],
    [-32602, 'query exceeds max results 20000, retry with the range 1-3'],
    [-32000, 'Log response size exceeded. this block range should work: [0x1, 0x3]'],
    [-32000, 'backend response too large'],
  ])('%i "%s" splits the range once and lets it grow again', async (code, message) => {
    const { chain, server, index, troubles } = await startProvider()
    chain.mine(...Array.from({ length: 60 }, () => 2))
    server.intervene(times(1, 'eth_getLogs', { error: { code, message } }))
    expect(Object.keys(logCounts(await index()))).toHaveLength(60)
    const ranges = server.calls
      .flatMap((requests) => getLogs(requests) ?? [])
      .filter((call) => !('blockHash' in (call.params[0] as object)))
    expect(Math.max(...ranges.map(widthOf))).toBeGreaterThan(8)
    expect(troubles).toEqual([])
  })

  it("a block over the provider's result cap is read topic by topic", async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(5, 500, 5, 0, 0, 0, 0, 0, 0)
    server.intervene((requests) => {
      const [filter] = (getLogs(requests)?.params ?? []) as {
        toBlock?: string
        fromBlock?: string
        topics: string[][]
      }[]
      const isWide = filter?.fromBlock !== undefined && Number(filter.fromBlock) <= 2 && Number(filter.toBlock) >= 2
      return isWide && filter.topics[0]?.length !== 1
        ? { error: { code: -32005, message: 'more than 100 results' } }
        : undefined
    })
    expect(logCounts(await index())).toEqual({ 1: 5, 2: 500, 3: 5 })
  })

  it("a topic over the provider's result cap in one block is refused with the block and the reason", async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(5, 500, 5, 0, 0, 0, 0, 0, 0)
    server.replace(({ method }) =>
      method === 'eth_getLogs'
        ? { error: { code: -32005, message: 'query returned more than 100 results' } }
        : undefined,
    )
    const onTrouble = (error: Error) => {
      throw error
    }
    await expect(index({ onTrouble })).rejects.toMatchObject({
      kind: 'size',
      block: 1,
      message: expect.stringContaining('more than 100 results'),
    })
  })

  it.each(['another provider', 'the receipts of the block'])(
    "a topic over the provider's result cap in one block is read from %s",
    async (where) => {
      const { chain, server, second, index } = await startProvider({ urls: where === 'another provider' ? 2 : 1 })
      chain.mine(5, 500, 5, 0, 0, 0, 0, 0, 0)
      chain.hasReceipts = where !== 'another provider'
      const cap = 'query returned more than 100 results'
      for (const each of where === 'another provider' ? [server] : [server, second])
        each.replace(({ method, params }) => {
          const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }]
          const isLarge = method === 'eth_getLogs' && Number(fromBlock) <= 2 && Number(toBlock) >= 2
          return isLarge ? { error: { code: -32005, message: cap } } : undefined
        })
      expect(logCounts(await index())).toEqual({ 1: 5, 2: 500, 3: 5 })
    },
  )
})

describe('hints that are wrong or oddly written', () => {
  it.each([
    'query exceeds max results, retry with the range 0x9-0x2',
    'Log response size exceeded. this block range should work: [0xffffff, 0x1]',
    'block range is limited to 2K range',
    'eth_getLogs is limited to a 10,000 range',
    'block range exceeds limit of 0',
  ])('a request refused with "%s" is halved when the hint is useless', async (message) => {
    const { chain, server, index } = await startProvider()
    chain.mine(...Array.from({ length: 40 }, () => 1))
    server.intervene(times(2, 'eth_getLogs', { error: { code: -32602, message } }))
    expect(Object.keys(logCounts(await index()))).toHaveLength(40)
  })
})

describe('rate limits', () => {
  it.each([
    ['HTTP 429 with Retry-After', { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' }, 7000],
    ['HTTP 429 without Retry-After', { status: 429, body: '' }, 500],
    ['code 429 in a 200', { error: { code: 429, message: 'Too many requests' } }, 500],
    [
      '-32005 as a rate limit',
      { error: { code: -32005, message: 'daily request count exceeded, request rate limited' } },
      500,
    ],
    ['-32005 without words', { error: { code: -32005, message: 'limit' } }, 500],
  ])('%s is waited out without shrinking the range', async (_, misbehaviour, atLeastMs) => {
    const { chain, server, index, clock, troubles } = await startProvider()
    chain.mine(...Array.from({ length: 40 }, () => 1))
    let before = 0
    server.intervene(times(3, 'eth_getLogs', misbehaviour))
    before = clock.monotonicMs()
    expect(Object.keys(logCounts(await index()))).toHaveLength(40)
    expect(clock.monotonicMs() - before).toBeGreaterThanOrEqual(atLeastMs)
    expect(new Set(troubles.map(({ kind }) => kind))).toEqual(new Set(['rate']))
    const widths = server.calls.flatMap((requests) => getLogs(requests) ?? []).map(widthOf)
    expect(widths.slice(0, 4)).toEqual([8, 8, 8, 8])
  })
})

describe('broken answers', () => {
  it.each([
    ['502 with HTML', html],
    ['503 with HTML', { ...html, status: 503 }],
    ['200 with HTML', { ...html, status: 200 }],
    ['an empty body', { body: '' }],
    ['an empty JSON body', { body: '', headers: { 'content-type': 'application/json' } }],
    ['truncated JSON', { body: '{"jsonrpc":"2.0","id":1,"resu', headers: { 'content-type': 'application/json' } }],
    ['a connection reset', { reset: true as const }],
    ['-32603 internal error', { error: { code: -32603, message: 'Internal error' } }],
  ])('a request is retried after %s', async (_, misbehaviour) => {
    const { chain, server, index, troubles } = await startProvider()
    chain.mine(1, 2, 3)
    for (const method of ['eth_getLogs', 'eth_getBlockByNumber']) server.intervene(times(2, method, misbehaviour))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(troubles.every(({ kind }) => kind === 'transient')).toBe(true)
  })

  it('an unavailable provider is replaced by the next one, and pauses', async () => {
    const { chain, server, second, index } = await startProvider({ urls: 2 })
    chain.mine(...Array.from({ length: 50 }, () => 1))
    server.intervene(() => html)
    expect(Object.keys(logCounts(await index()))).toHaveLength(50)
    expect(server.calls.length).toBeLessThan(second.calls.length)
  })
})

describe('a provider that does not answer', () => {
  it.each([
    ['no answer at all', { hang: true as const }],
    ['a body that never ends', { slow: '{"jsonrpc":"2.0","id":1,"result":[' }],
  ])('a request with %s ends at our own deadline', async (_, misbehaviour) => {
    const { chain, server, index, troubles } = await startProvider({ timeoutMs: 150 })
    chain.mine(1, 2)
    server.intervene(times(1, 'eth_getLogs', misbehaviour))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
    expect(troubles.map(({ message }) => message.replace(/^\S+ /, ''))).toContain('no answer within 150 ms')
  })
})

describe('a result of the wrong type', () => {
  it.each([{ result: null }, { result: {} }, { result: [null] }, { result: [{ address: '0x' }] }])(
    '%j for eth_getLogs is retried',
    async (misbehaviour) => {
      const { chain, server, index } = await startProvider()
      chain.mine(1, 2, 3)
      server.intervene(times(3, 'eth_getLogs', misbehaviour))
      expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    },
  )
})

describe('nodes behind the head', () => {
  it.each([
    [-32000, 'header not found'],
    [-32000, 'unknown block'],
    [-32602, 'block range extends beyond current head block'],
  ])('%i "%s" is retried, and nothing is rolled back', async (code, message) => {
    const { chain, server, index, troubles } = await startProvider()
    chain.mine(1, 2, 3)
    server.intervene(times(2, 'eth_getLogs', { error: { code, message } }))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(troubles.every(({ kind }) => kind === 'lagging')).toBe(true)
  })
})

describe('backends of different heights', () => {
  it('a head that goes back briefly changes nothing', async () => {
    const { chain, server, source, clock } = await startProvider()
    chain.mine(1, 2, 3, 4, 5, 6)
    const link = await source.readHead()
    const window = await source.readLinks([4, 5, 6])
    const old = await source.readLinks([4])
    chain.mine(7)
    let lags = 5
    server.replace(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' && lags-- > 0
        ? { result: { ...old[0], number: '0x4', timestamp: '0x1', transactions: [] } }
        : undefined,
    )
    const { follow } = await import('../../../src/chain/follow/follow.ts')
    const kinds: string[] = []
    for await (const step of follow({
      source,
      window,
      startBlock: 0,
      clock,
      until: 7,
      headReads: { kind: 'interval', ms: 1000 },
    }))
      kinds.push(step.kind)
    expect(link.number).toBe(6)
    expect(kinds).toEqual(['append'])
  })

  it('a block that is null is requested again', async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(1, 2, 3)
    let nulls = 4
    server.replace(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[1] === true && nulls-- > 0 ? { result: null } : undefined,
    )
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
  })
})

describe('missing logs', () => {
  it.each([[0], [100]])('missing logs are refused by the bloom (finality depth %i)', async (finalityDepth) => {
    const { chain, server, index, troubles } = await startProvider({ finalityDepth })
    chain.mine(0, 2, 0, 3, 1)
    let lies = 4
    server.replace(({ method }) => (method === 'eth_getLogs' && lies-- > 0 ? { result: [] } : undefined))
    expect(logCounts(await index())).toEqual({ 2: 2, 4: 3, 5: 1 })
    expect(troubles).toEqual([])
  })

  it("a bloom with only other contracts' logs is accepted once all logs were read", async () => {
    const { chain, index } = await startProvider()
    const foreign = { address: TOKEN, topics: [`0x${'1'.repeat(64)}`], data: '0x' }
    chain.mineBlock({
      logs: Array.from({ length: 40 }, (_, i) => ({ ...foreign, topics: [`0x${`${i + 10}`.repeat(32)}`] })),
    })
    const full = chain.blocks.at(-1)!
    chain.mine(1)
    expect(logCounts(await index())).toEqual({ 2: 1 })
    expect(full.logs).toHaveLength(40)
  })

  it('a range never reaches beyond the known head', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(...Array.from({ length: 20 }, () => 1))
    await index()
    for (const requests of server.calls) {
      const filter = getLogs(requests)?.params[0] as { toBlock?: string } | undefined
      if (filter?.toBlock) expect(Number(filter.toBlock)).toBeLessThanOrEqual(20)
    }
  })
})

describe('logs that contradict their block', () => {
  it.each([
    ['of another fork', (log: Record<string, unknown>) => ({ ...log, blockHash: `0x${'f'.repeat(64)}` })],
    [
      'without a transaction of the block',
      (log: Record<string, unknown>) => ({ ...log, transactionHash: `0x${'f'.repeat(64)}` }),
    ],
    [
      'that differs from another at its index',
      (log: Record<string, unknown>) => ({ ...log, logIndex: '0x0', data: `0x${'1'.repeat(64)}` }),
    ],
    ['from outside of the range', (log: Record<string, unknown>) => ({ ...log, blockNumber: '0xffff' })],
  ])('a log %s is refused and requested again', async (_, twist) => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(2, 3)
    let lies = 1
    server.replace(({ method }) => {
      if (method !== 'eth_getLogs' || lies-- <= 0) return undefined
      return { result: chain.blocks.flatMap(viewLogs).map((log, i) => (i === 1 ? twist(log) : log)) }
    })
    const blocks = await index()
    expect(logCounts(blocks)).toEqual({ 1: 2, 2: 3 })
    expect(blocks.flatMap(({ logs }) => logs).map((log) => ('amount' in log ? log.amount : null))).toEqual([
      1n,
      2n,
      1n,
      2n,
      3n,
    ])
  })

  it('duplicate logs count once', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(2, 3)
    server.replace(({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { result: logs } = chain.answer(method, params) as { result: object[] }
      return { result: [...logs.toReversed(), ...logs] }
    })
    const blocks = await index()
    expect(logCounts(blocks)).toEqual({ 1: 2, 2: 3 })
    expect(blocks.at(-1)?.logs.map(({ logIndex }) => logIndex)).toEqual([0, 1, 2])
  })

  it('a system transaction that the block does not list is read from its receipt', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(2)
    const system = `0x${'5'.repeat(64)}`
    const from = `0x${'0'.repeat(40)}`
    server.replace(({ method, params }) => {
      if (method === 'eth_getLogs')
        return {
          result: (chain.answer(method, params) as { result: object[] }).result.map((log, i) =>
            i === 1 ? { ...log, transactionHash: system } : log,
          ),
        }
      if (method === 'eth_getTransactionReceipt')
        return {
          result: {
            transactionHash: params[0],
            from,
            to: from,
            transactionIndex: '0x9',
            blockHash: chain.blocks[1]!.hash,
          },
        }
      return undefined
    })
    const [block] = (await index()).slice(-1)
    expect(block?.transactions.map((transaction) => [transaction.hash === system, transaction.from === from])).toEqual([
      [false, false],
      [true, true],
    ])
  })
})

describe('removed logs', () => {
  it('logs marked as removed are ignored', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(2)
    server.replace(({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      const { result: logs } = chain.answer(method, params) as { result: object[] }
      return { result: logs.flatMap((log) => [log, { ...log, logIndex: '0x7', removed: true }]) }
    })
    expect(logCounts(await index())).toEqual({ 1: 2 })
  })
})

describe('reorganisations', () => {
  it('a range that does not follow the cursor is rolled back to the fork during a backfill', async () => {
    const { chain, index, source, clock } = await startProvider({ finalityDepth: 3 })
    chain.mine(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    const first = await index()
    const window = first.slice(-4)
    chain.drop(3)
    chain.mine(...Array.from({ length: 30 }, () => 2))
    const { replay } = await import('../../support/chain.ts')
    const { follow } = await import('../../../src/chain/follow/follow.ts')
    const blocks = await replay(follow({ source, window, startBlock: 0, clock, until: 'head' }), first)
    expect(blocks.at(-1)?.hash).toBe(chain.blocks.at(-1)?.hash)
    expect(Object.values(logCounts(blocks))).toEqual([...Array(7).fill(1), ...Array(30).fill(2)])
  })

  it('a reorg below finality is a fault with the command to run', async () => {
    const { chain, index, source, clock } = await startProvider({ finalityDepth: 3 })
    chain.mine(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    const window = (await index()).slice(-4)
    chain.drop(8)
    chain.mine(...Array.from({ length: 9 }, () => 2))
    const { follow } = await import('../../../src/chain/follow/follow.ts')
    const onTrouble = (error: Error) => {
      throw error
    }
    const steps = follow({ source, window, startBlock: 2, clock, until: 'head', onTrouble })
    await expect(steps.next()).rejects.toThrow(/^Block 7 .* no longer on the chain.*run "assay reindex --from 2"/)
  })
})

describe('missing methods and tags', () => {
  it("without a finalized tag a block is final after the preset's finality depth", async () => {
    const { chain, source } = await startProvider({ finalityDepth: 5 })
    chain.mine(...Array.from({ length: 20 }, () => 0))
    expect(await source.readFinalized(20)).toBe(15)
    chain.finalized = 18
    expect(await source.readFinalized(20)).toBe(18)
    chain.finalized = 10
    expect(await source.readFinalized(20)).toBe(18)
  })

  it.each([-32601, -32602, -32004])(
    'a refused finalized tag is asked for again after ten minutes (%i)',
    async (code) => {
      const { chain, server, source, clock } = await startProvider({ finalityDepth: 5 })
      chain.mine(...Array.from({ length: 20 }, () => 0))
      const isTag = ({ params }: RpcRequest) => params[0] === 'finalized'
      let isRefused = true
      server.replace((request) =>
        isRefused && isTag(request) ? { error: { code, message: 'invalid argument' } } : undefined,
      )
      expect([await source.readFinalized(20), await source.readFinalized(21)]).toEqual([15, 16])
      expect(server.calls.flat().filter(isTag)).toHaveLength(1)
      isRefused = false
      chain.finalized = 19
      clock.advance(600_000)
      expect(await source.readFinalized(22)).toBe(19)
    },
  )
})

describe('missing fields', () => {
  it('answers without bloom or blockTimestamp, with a bloom of zeros or ones, or with decimal numbers are read', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 100 })
    chain.mine(1, 2, 0, 1)
    server.replace(({ method, params }) => {
      const answered = chain.answer(method, params) as { result: Record<string, unknown> }
      if (method === 'eth_getLogs')
        return {
          result: (answered.result as unknown as Record<string, unknown>[]).map((log) => ({
            ...log,
            logIndex: Number(log.logIndex),
          })),
        }
      if (method !== 'eth_getBlockByNumber' || !answered.result) return undefined
      const { logsBloom: _, ...block } = answered.result
      const number = Number(block.number)
      const bloom = number === 2 ? {} : { logsBloom: `0x${(number === 1 ? '0' : 'f').repeat(512)}` }
      return { result: { ...block, ...bloom, number, timestamp: String(Number(block.timestamp)) } }
    })
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 4: 1 })
  })
})

describe('an answer larger than the limit', () => {
  it('an answer larger than the limit splits ranges and batches of blocks', async () => {
    const { chain, index, troubles } = await startProvider({ maxBodyBytes: 60_000, finalityDepth: 0 })
    chain.mine(...Array.from({ length: 60 }, () => 20))
    expect(Object.keys(logCounts(await index()))).toHaveLength(60)
    expect(troubles.every(({ kind }) => kind === 'batch')).toBe(true)
  })
})

describe('batches', () => {
  it('answers of a batch in another order are matched by id', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(1, 2, 3, 4, 5, 6)
    server.reverseBatches()
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6 })
  })

  it('a batch item that failed or is missing is requested again alone', async () => {
    const { chain, server, rpc } = await startProvider()
    chain.mine(1, 2, 3)
    let faults = 1
    server.replace(({ params }) =>
      params[0] === '0x2' && faults-- > 0 ? { error: { code: -32603, message: 'internal error' } } : undefined,
    )
    const answers = await rpc.batch(
      [1, 2, 3].map((n) => ({ method: 'eth_getBlockByNumber', params: [`0x${n}`, false] })),
    )
    expect(answers.map((answer) => (answer as { result: { number: string } }).result.number)).toEqual([
      '0x1',
      '0x2',
      '0x3',
    ])
    expect(server.calls.map((requests) => requests.length)).toEqual([3, 1])
  })

  it.each([
    [
      'one object for all',
      {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}',
      },
    ],
    ['an error for each', { error: { code: -32005, message: 'batch size too large' } }],
    ['HTTP 400', { status: 400, body: 'no' }],
  ])('a provider that accepts 3 calls per batch (%s) gets no larger batch', async (_, misbehaviour) => {
    const { chain, server, index } = await startProvider({ finalityDepth: 0 })
    chain.mine(...Array.from({ length: 30 }, () => 1))
    server.intervene((requests) => (requests.length > 3 ? misbehaviour : undefined))
    expect(Object.keys(logCounts(await index()))).toHaveLength(30)
    expect(server.calls.slice(-5).every((requests) => requests.length <= 3)).toBe(true)
  })
})

describe('keys and chain ids', () => {
  it.each([401, 403])('HTTP %i stops the start at once with the reason', async (status) => {
    const { server, rpc } = await startProvider()
    server.intervene(() => ({ status, body: 'invalid key' }))
    await expect(readChainId(rpc)).rejects.toThrow(new RegExp(`^No endpoint of RPC_URL answers:\n.*HTTP ${status}`))
    expect(server.calls).toHaveLength(1)
  })

  it('a refused connection is reported with its cause, not with the message of fetch', async () => {
    const { server } = await startProvider()
    await server.close()
    const asked = createHttpEndpoint(server.url).send([{ method: 'eth_chainId', params: [] }])
    const { host } = new URL(server.url)
    await expect(asked).rejects.toMatchObject({ kind: 'transient', message: `${host}: connect ECONNREFUSED ${host}` })
  })

  it('a fault never contains the key of the URL, whatever the provider repeats', async () => {
    const { server } = await startProvider()
    server.intervene(() => ({ status: 403, body: 'key s3cr3t-k3y and user:passw0rd1 refused' }))
    const endpoint = createHttpEndpoint(
      `${server.url.replace('//', '//user:passw0rd1@')}/v2/s3cr3t-k3y?token=0123456789`,
    )
    const fault = await endpoint.send([{ method: 'eth_chainId', params: [] }]).catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind: 'auth', message: expect.stringMatching(/key \*\*\* and user:\*\*\* refused/) })
    expect(inspect(fault)).not.toMatch(/s3cr3t|passw0rd1|0123456789/)
  })

  it('a refused key does not stop the program while another endpoint answers', async () => {
    const { chain, server, index, rpc } = await startProvider({ urls: 2 })
    chain.mine(1, 2)
    server.intervene(() => ({ status: 401, body: 'no' }))
    expect(await readChainId(rpc)).toBe(31337)
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
  })

  it('endpoints of different chains stop the program with one sentence', async () => {
    const { second, rpc } = await startProvider({ urls: 2 })
    second.replace(({ method }) => (method === 'eth_chainId' ? { result: '0x89' } : undefined))
    await expect(readChainId(rpc)).rejects.toThrow(
      /serve different chains: .* serves chain 31337, .* serves chain 137\./,
    )
  })
})

describe('eth_call', () => {
  it.each([
    [{ error: { code: 3, message: 'execution reverted: rate limit exceeded', data: '0x08c379a0' } }],
    [{ error: { code: -32000, message: 'execution reverted' } }],
    [{ error: { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' } }],
    [{ error: { code: -32000, message: 'invalid opcode: INVALID' } }],
    [{ error: { code: -32000, message: 'missing trie node 1234 (path )' } }],
    [{ error: { code: -32000, message: 'out of gas' } }],
    [{ result: '0x' }],
  ])('an eth_call answered with %j is null without a retry', async (misbehaviour) => {
    const { server, rpc } = await startProvider()
    server.replace(({ method }) => (method === 'eth_call' ? (misbehaviour as { result: unknown }) : undefined))
    expect(await createEthCall(rpc)([{ to: TOKEN, data: '0x06fdde03' }], 7)).toEqual([null])
    expect(server.calls).toHaveLength(1)
  })
})

it('a block has the transactions of its logs and plain payments, with their sender', async () => {
  const { chain, index } = await startProvider()
  chain.mineBlock({ logs: [transferLog(5)], payments: [0, 7] })
  const [block] = (await index()).slice(-1)
  expect(block?.transactions.map(({ plain, value, index: place }) => [plain, value, place])).toEqual([
    [false, 0n, 0],
    [true, 7n, 2],
  ])
})
