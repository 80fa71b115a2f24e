// Traces over HTTP: the method that a node knows, the calls to it, and answers that fail.
import { describe, expect, test } from 'vitest'
import { startProvider } from '../../support/chain.ts'
import { RECEIVER, SENDER, TOKEN, word } from '../../support/fake-chain.ts'
import { SYSTEM } from '../../support/native-logs.ts'
import type { RpcRequest } from '../../support/rpc-server.ts'
import { toFlatTraces, toNestedTraces, type ViewedBlock } from '../../support/traces.ts'

const WALLET = `0x${'7'.repeat(40)}` as const
const PAID = { from: TOKEN, to: WALLET, amount: 5n } as const
const innerOf = ({ to }: { to?: string | null }) => (to === TOKEN ? [PAID] : [])
const METHODS = ['trace_block', 'debug_traceBlockByHash', 'debug_traceBlockByNumber']
const isTrace = ({ method }: RpcRequest) => METHODS.includes(method)
const UNKNOWN = { error: { code: -32601, message: 'the method does not exist/is not available' } }

type Told = ReturnType<Parameters<Awaited<ReturnType<typeof startProvider>>['server']['replace']>[0]>

/** A provider of ten blocks with one call each, which answers for traces by `method`; `change` replaces answers. */
async function open(
  method: string,
  change: (request: RpcRequest, block: number) => Told = () => undefined,
  options: Parameters<typeof startProvider>[0] = {},
) {
  const provider = await startProvider({ hasTraces: true, finalityDepth: 3, ...options })
  const { chain } = provider
  chain.mine(...Array.from({ length: 10 }, () => 1))
  const answer = (request: RpcRequest): Told => {
    if (!isTrace(request)) return undefined
    const numbered = (number: unknown) => chain.answer('eth_getBlockByNumber', [number, true]) as { result: unknown }
    const [asked] = request.params
    const number = request.method.endsWith('Hash')
      ? chain.blocks.findIndex(({ hash }) => hash === asked)
      : Number(asked)
    const changed = change(request, number)
    if (changed) return changed
    if (request.method !== method) return UNKNOWN
    const { result } = numbered(`0x${number.toString(16)}`)
    return { result: (method === 'trace_block' ? toFlatTraces : toNestedTraces)(result as ViewedBlock, innerOf) }
  }
  provider.server.replace(answer)
  provider.second.replace(answer)
  const asked = (server = provider.server) => server.calls.flat().filter(isTrace)
  const paid = async () =>
    (await provider.index()).flatMap(({ number, transactions }) =>
      transactions.some(({ payments }) => payments?.some(({ to }) => to === WALLET)) ? [number] : [],
    )
  return { ...provider, asked, paid }
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

test.each(METHODS)('a node that knows only %s gives the payments of final and of new blocks', async (method) => {
  const { paid, asked, notices } = await open(method)
  expect(await paid()).toEqual(ALL)
  // The others are tried once; the same answer about two endpoints is not asked for twice.
  const tried = METHODS.indexOf(method)
  expect(asked().filter((request) => request.method !== method)).toHaveLength(2 * tried)
  expect(asked().filter((request) => request.method === method)).toHaveLength(10)
  expect(notices).toEqual([])
})

test('without the setting no traces are asked for', async () => {
  const { paid, asked } = await open('trace_block', undefined, { hasTraces: false })
  expect(await paid()).toEqual([])
  expect(asked()).toEqual([])
})

test('a chain that logs its payments is not asked from its first such block on', async () => {
  const { chain, paid, asked } = await open('trace_block')
  const logged = (amount: number) => ({
    address: SYSTEM,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${word(SENDER)}`,
      `0x${word(RECEIVER)}`,
    ],
    data: `0x${word(amount)}`,
  })
  chain.mineBlock({ logs: [logged(4)] })
  chain.mine(1, 1)
  expect(await paid()).toEqual(ALL)
  expect(asked().every(({ params }) => Number(params[0]) < 11)).toBe(true)
})

test('a node that knows no method is told once, and its blocks come without payments', async () => {
  const { paid, notices, asked } = await open('none')
  expect(await paid()).toEqual([])
  expect(notices).toEqual([expect.stringContaining('TRACES is on, but RPC_URL answers none of trace_block')])
  expect(asked()).toHaveLength(6)
})

test('a second endpoint gives what the first one does not know', async () => {
  const { server, second, paid, asked } = await open('trace_block', undefined, { urls: 2 })
  server.intervene((requests) => (requests.some(isTrace) ? UNKNOWN : undefined))
  expect(await paid()).toEqual(ALL)
  expect(asked(second)).toHaveLength(10)
})

describe('a block whose traces', () => {
  test.each([
    ['are pruned', { error: { code: -32000, message: 'missing trie node' } }],
    ['are refused in unknown words', { error: { code: -32099, message: 'computer says no' } }],
    ['are of another block', { result: [{ blockHash: `0x${'c'.repeat(64)}` }] }],
    ['are never there', { result: null }],
    ['are too slow to make', { error: { code: -32603, message: 'execution timeout' } }],
  ])('%s goes on without them, and one notice says so', async (_, misbehaviour) => {
    const { paid, notices } = await open('trace_block', (request, block) =>
      block === 4 && request.method === 'trace_block' ? misbehaviour : undefined,
    )
    expect(await paid()).toEqual(ALL.filter((block) => block !== 4))
    expect(notices).toEqual([expect.stringContaining('the traces of block 4 did not come')])
  })

  test.each([
    ['come late', { result: null }],
    ['are empty at first', { result: [] }],
    ['are limited at first', { error: { code: -32005, message: 'rate limit exceeded' } }],
  ])('%s is read again', async (_, misbehaviour) => {
    let left = 2
    const { paid, notices } = await open('trace_block', (request, block) =>
      block === 4 && request.method === 'trace_block' && left-- > 0 ? misbehaviour : undefined,
    )
    expect(await paid()).toEqual(ALL)
    expect(notices).toEqual([])
  })

  test('nest too deep for JSON.parse goes on without them', async () => {
    const { paid, notices, server } = await open('debug_traceBlockByNumber')
    server.intervene(([request]) =>
      request?.method === 'debug_traceBlockByNumber' && Number(request.params[0]) === 4
        ? { body: `{"jsonrpc":"2.0","id":${request.id},"result":${'['.repeat(300_000)}` }
        : undefined,
    )
    expect(await paid()).toEqual(ALL.filter((block) => block !== 4))
    expect(notices).toEqual([expect.stringContaining('nests too deep')])
  })
})

test('a reorganised block has the payments of its own fork', async () => {
  const { chain, paid } = await open('trace_block')
  expect(await paid()).toEqual(ALL)
  chain.drop(2)
  chain.mine(0, 1)
  expect(await paid()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10])
})
