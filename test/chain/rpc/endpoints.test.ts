// How each endpoint of RPC_URL is checked over HTTP: the chain it serves, and how it can be asked for a block's logs.
import { describe, expect, it } from 'vitest'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { logCounts, startProvider } from '../../support/chain.ts'
import { viewLogs } from '../../support/fake-chain.ts'
import {
  type Intervention,
  type Misbehaviour,
  type RpcRequest,
  type RpcServer,
  times,
} from '../../support/rpc-server.ts'

const CHAIN_ID = 31337
/** Larger than any test chain, so that every block may be rolled back and logs are requested by block hash. */
const NEVER_FINAL = 100

const isByHash = ({ method, params }: RpcRequest) => method === 'eth_getLogs' && 'blockHash' in (params[0] as object)
/** Excludes the first block, which is final. */
const isByNumber = ({ method, params }: RpcRequest) =>
  method === 'eth_getLogs' && Number((params[0] as { fromBlock?: string }).fromBlock ?? 0) > 0
const sentBy = (server: RpcServer) => server.calls.filter((requests) => !isMixed(requests)).flat()
const down: Misbehaviour = { status: 503, body: '' }
const isMixed = (requests: readonly RpcRequest[]) => new Set(requests.map(({ method }) => method)).size > 1
/** Refuses blocks and logs in one request, so that logs are asked for by themselves. */
const refuseMixed: Intervention = (requests) =>
  isMixed(requests) ? { error: { code: -32600, message: 'one method in a request' } } : undefined

describe('an endpoint without blockHash in eth_getLogs', () => {
  it.each([
    [-32602, 'blockHash not supported'],
    [-32602, 'invalid argument 0: unknown field "blockHash"'],
    [-32601, 'method not available'],
    [-32000, 'please specify a block range'],
    [-32600, 'fromBlock is required'],
  ])('an endpoint that answers (%i "%s") to blockHash is asked by number from then on', async (code, message) => {
    const { chain, server, index } = await startProvider({ finalityDepth: NEVER_FINAL })
    server.intervene(refuseMixed)
    chain.mine(1, 0, 3)
    server.replace((request) => (isByHash(request) ? { error: { code, message } } : undefined))
    const first = await index()
    expect(logCounts(first)).toEqual({ 1: 1, 3: 3 })
    const before = server.calls.length
    chain.mine(2)
    expect(logCounts(await index())).toEqual({ 1: 1, 3: 3, 4: 2 })
    expect(server.calls.slice(before).flat().filter(isByHash)).toEqual([])
    expect(
      sentBy(server)
        .filter(isByNumber)
        .every(({ params: [filter] }) => {
          const { fromBlock, toBlock } = filter as Record<string, string>
          return fromBlock === toBlock
        }),
    ).toBe(true)
  })

  it('an endpoint that ignores blockHash and answers for the newest block is detected', async () => {
    const { chain, server, index } = await startProvider({ finalityDepth: NEVER_FINAL })
    server.intervene(refuseMixed)
    chain.mine(1, 0, 3)
    server.replace((request) => (isByHash(request) ? { result: viewLogs(chain.blocks.at(-1)!) } : undefined))
    expect(logCounts(await index())).toEqual({ 1: 1, 3: 3 })
  })

  it('logs by number are refused if they are of another block, or missing despite the bloom', async () => {
    const { chain, server, index, troubles } = await startProvider({ finalityDepth: NEVER_FINAL })
    server.intervene(refuseMixed)
    chain.mine(1, 2, 3)
    const lies = [
      { result: [] },
      { result: viewLogs(chain.blocks[2]!).map((log) => ({ ...log, blockHash: `0x${'f'.repeat(64)}` })) },
    ]
    server.replace((request) => {
      if (isByHash(request)) return { error: { code: -32602, message: 'blockHash not supported' } }
      const [filter] = request.params as { fromBlock?: string }[]
      return isByNumber(request) && filter?.fromBlock === '0x2' ? lies.pop() : undefined
    })
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(lies).toEqual([])
    expect(troubles.map(({ kind }) => kind)).toEqual(['lagging'])
  })

  it('an endpoint without blockHash does not change how another endpoint is asked', async () => {
    const { chain, server, second, index } = await startProvider({ finalityDepth: NEVER_FINAL, urls: 2 })
    for (const each of [server, second]) each.intervene(refuseMixed)
    chain.mine(1, 2)
    server.replace((request) => (isByHash(request) ? { error: { code: -32602, message: 'no' } } : undefined))
    await index()
    server.intervene(() => down)
    chain.mine(3)
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(sentBy(second).some(isByHash)).toBe(true)
    expect(sentBy(second).some(isByNumber)).toBe(false)
  })
})

describe('the chain id of an endpoint', () => {
  const otherChain = ({ method }: RpcRequest) => (method === 'eth_chainId' ? { result: '0x89' } : undefined)
  const onlyIds = (server: RpcServer) => sentBy(server).every(({ method }) => method === 'eth_chainId')

  it('the chain id of an endpoint is requested once, before anything else', async () => {
    const { chain, server, index } = await startProvider({ chainId: CHAIN_ID })
    chain.mine(1, 2)
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
    expect(
      sentBy(server)
        .map(({ method }) => method)
        .lastIndexOf('eth_chainId'),
    ).toBe(0)
  })

  it('an endpoint that was down at the start is checked before use, and not used for another chain', async () => {
    const { chain, server, second, index, troubles, clock } = await startProvider({ chainId: CHAIN_ID, urls: 2 })
    chain.mine(1, 2)
    let isDown = true
    server.intervene(() => (isDown ? down : undefined))
    server.replace(otherChain)
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
    isDown = false
    chain.mine(3)
    await clock.sleep(20_000)
    expect(logCounts(await index({ until: 3 }))).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(onlyIds(server)).toBe(true)
    expect(sentBy(second).length).toBeGreaterThan(4)
    expect(troubles.filter(({ kind }) => kind === 'foreign').map(({ message }) => message)).toEqual([
      `${new URL(server.url).host} serves chain 137; the indexed chain is ${CHAIN_ID}, so it is not used`,
    ])
  })

  it('an endpoint is checked again after a failure, because another node may have taken its place', async () => {
    const { chain, server, index, rpc } = await startProvider({ chainId: CHAIN_ID, urls: 2 })
    chain.mine(1, 2)
    await index()
    let isDown = true
    server.intervene(() => (isDown ? { reset: true } : undefined))
    await rpc.call({ method: 'eth_blockNumber', params: [] })
    isDown = false
    const swapped = server.calls.length
    server.replace(otherChain)
    server.replace(({ method }) => (method === 'eth_getBlockByNumber' ? { result: null } : undefined))
    chain.mine(3)
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3 })
    expect(
      server.calls
        .slice(swapped)
        .flat()
        .every(({ method }) => method === 'eth_chainId'),
    ).toBe(true)
  })

  it('an endpoint that served another chain is used again once it serves the right one', async () => {
    const { chain, server, rpc, clock } = await startProvider({ chainId: CHAIN_ID, urls: 2 })
    let foreign = true
    server.replace((request) => (foreign ? otherChain(request) : undefined))
    await rpc.call({ method: 'eth_blockNumber', params: [] })
    foreign = false
    await clock.sleep(61_000)
    chain.mine(1)
    expect(await rpc.call({ method: 'eth_blockNumber', params: [] })).toBe('0x1')
    expect(sentBy(server).map(({ method }) => method)).toEqual(['eth_chainId', 'eth_chainId', 'eth_blockNumber'])
  })

  it('an only endpoint that serves another chain for a while is waited for, and none of its data is used', async () => {
    const { chain, server, index, clock, troubles } = await startProvider({ chainId: CHAIN_ID })
    chain.mine(1, 2)
    const endsMs = clock.monotonicMs() + 120_000
    server.replace((request) => (clock.monotonicMs() < endsMs ? otherChain(request) : undefined))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
    expect(new Set(troubles.map(({ kind }) => kind))).toEqual(new Set(['foreign']))
  })

  it.each([
    ['HTTP 404', { status: 404, body: '<h1>Not found</h1>' }],
    ['an oversized answer', { body: `{"jsonrpc":"2.0","id":1,"result":"0x${'0'.repeat(17 * 2 ** 20)}"}` }],
    ['-32601', { error: { code: -32601, message: 'Method not found' } }],
    ['null', { result: null }],
    ['a text', { result: 'mainnet' }],
  ] as const)('only a number that can be read names another chain: %s for eth_chainId does not', async (_, answer) => {
    const { chain, server, index, troubles } = await startProvider({ chainId: CHAIN_ID })
    chain.mine(1, 2)
    server.intervene(times(1, 'eth_chainId', answer))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2 })
    expect(troubles.length).toBeGreaterThan(0)
    expect(troubles.map(({ kind }) => kind)).not.toContain('foreign')
  })

  it('an endpoint that does not tell its chain id is not used', async () => {
    const { server, rpc } = await startProvider({ chainId: CHAIN_ID, urls: 2 })
    server.replace(({ method }) => (method === 'eth_chainId' ? { error: { code: -32601, message: 'no' } } : undefined))
    expect(await rpc.call({ method: 'eth_blockNumber', params: [] })).toBe('0x0')
    expect(onlyIds(server)).toBe(true)
  })

  it('an only endpoint that is unavailable is waited for before it is checked', async () => {
    const { server, rpc } = await startProvider({ chainId: CHAIN_ID })
    server.intervene(() => down)
    await expect(rpc.call({ method: 'eth_blockNumber', params: [] })).rejects.toThrow(RpcError)
  })
})
