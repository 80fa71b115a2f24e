// A block at the head and its logs in one request, and what happens when the answers do not agree.
import { expect, it } from 'vitest'
import { unpackBlocks } from '../../../src/chain/logs/unpack.ts'
import type { Call, Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createSource } from '../../../src/chain/source/source.ts'
import { testPreset } from '../../support/chain.ts'
import { createTestClock } from '../../support/clock.ts'
import { createFakeChain } from '../../support/fake-chain.ts'

/** A source over three blocks of two logs; `change` replaces answers. */
function open(receiptsShare: number, change: (call: Call, size: number) => RpcAnswer | undefined = () => undefined) {
  const chain = createFakeChain()
  chain.hasReceipts = receiptsShare > 0
  chain.mine(2, 2, 2)
  const requests: string[][] = []
  const endpoint: Endpoint = {
    name: 'node',
    async send(calls) {
      requests.push(calls.map(({ method }) => method))
      const answers = await chain.send(calls)
      return answers.map((answer, at) => change(calls[at] as Call, calls.length) ?? answer)
    },
  }
  const clock = createTestClock()
  const rpc = createRpc({ endpoints: [endpoint], clock })
  const source = createSource({ rpc, preset: testPreset(9), clock, receiptsShare })
  return { chain, clock, source, requests }
}

const BLOCK = 'eth_getBlockByNumber'
const RECEIPTS = 'eth_getBlockReceipts'
const LOGS = 'eth_getLogs'
const logsIn = (blocks: ReturnType<typeof unpackBlocks>) => blocks.map(({ logs }) => logs.length)

it.each([
  ['receipts', 0.01, RECEIPTS],
  ['logs', 0, LOGS],
])('the next block comes with its %s in one request', async (_, share, method) => {
  const { source, requests } = open(share)
  const { head, blocks } = await source.readTip(3)
  expect(head.number).toBe(3)
  expect(blocks && logsIn(unpackBlocks(blocks))).toEqual([2])
  expect(requests).toEqual([[BLOCK, BLOCK, BLOCK, method]])
})

it('a block that is not there yet is null, after one request', async () => {
  const { source, requests } = open(0.01)
  expect(await source.readTip(4)).toEqual({ head: expect.objectContaining({ number: 3 }), blocks: null })
  expect(requests).toHaveLength(1)
})

it('a node that refuses receipts of a future block is asked once', async () => {
  const { source, requests } = open(0.01, ({ method }) =>
    method === RECEIPTS ? { error: new RpcError('lagging', 'header not found') } : undefined,
  )
  expect((await source.readTip(4)).blocks).toBeNull()
  expect(requests).toHaveLength(1)
})

it('several blocks come in one request', async () => {
  const { source, requests } = open(0)
  expect(logsIn(unpackBlocks(await source.readWindow(1, 3)))).toEqual([2, 2, 2])
  expect(requests).toEqual([[BLOCK, BLOCK, BLOCK, BLOCK, LOGS]])
})

it.each([
  ['no logs', [] as unknown],
  ['logs of another fork', [{ blockHash: `0x${'9'.repeat(64)}` }] as unknown],
  ['null', null as unknown],
])('blocks whose logs come as %s are read again one by one', async (_, result) => {
  let isFirst = true
  const { source, requests } = open(0, ({ method }) => {
    if (method !== LOGS || !isFirst) return undefined
    isFirst = false
    return { result }
  })
  expect(logsIn(unpackBlocks(await source.readWindow(1, 3)))).toEqual([2, 2, 2])
  expect(requests.length).toBeGreaterThan(1)
})

it('a block whose receipts do not prove it is read by its hash', async () => {
  const { source, chain } = open(0.01, ({ method }) => (method === RECEIPTS ? { result: [] } : undefined))
  expect((await source.readTip(3)).blocks).toBeNull()
  expect(logsIn(unpackBlocks(await source.readWindow(3, 3)))).toEqual([2])
  expect(chain.calls.some(({ params: [filter] }) => (filter as { blockHash?: string }).blockHash)).toBe(true)
})

it('a provider without batches is asked call by call', async () => {
  const { source } = open(0.01, (_, size) =>
    size > 1 ? { error: new RpcError('batch', 'batches are not supported') } : undefined,
  )
  const { head, blocks } = await source.readTip(3)
  expect(head.number).toBe(3)
  expect(blocks && logsIn(unpackBlocks(blocks))).toEqual([2])
})

it('a provider that fails is waited for by the question for its head', async () => {
  let failures = 3
  const { source } = open(0.01, () =>
    failures-- > 0 ? { error: new RpcError('rate', 'too many requests') } : undefined,
  )
  expect(await source.readTip(3)).toEqual({ head: expect.objectContaining({ number: 3 }), blocks: null })
})

it('the final block is asked for with new blocks, once in eight and in 16 seconds', async () => {
  const { source, chain, clock, requests } = open(0.01)
  chain.finalized = 1
  await source.readTip(3)
  chain.mine(1)
  await source.readTip(4)
  expect(await source.readFinalized(4)).toBe(1)
  // The first tag is asked for twice: one false answer must make no block final.
  expect(requests.map(({ length }) => length)).toEqual([4, 4])
  chain.finalized = 2
  chain.mine(...Array.from({ length: 8 }, () => 1))
  // Fast blocks are no reason to ask again within 16 seconds.
  expect(await source.readFinalized(12)).toBe(1)
  clock.advance(16_000)
  expect(await source.readFinalized(12)).toBe(2)
})
