// Logs without a topic: no filter by topics gives them, and a block's bloom has their contract alone. They are read in each
// way of reading, and cost nothing where no contract logs them.
import { expect, test } from 'vitest'
import { toAddress } from '../../../src/base/address.ts'
import { hexQuantity } from '../../../src/chain/raw.ts'
import { logCounts, startProvider } from '../../support/chain.ts'
import { type FakeChain, type FakeLog, transferLog, word } from '../../support/fake-chain.ts'

const CORE = toAddress('0x00000000000014aa86c5d3c41765bb24e11bd701')
const factories = [{ address: CORE, kind: 'ekubo' as const, launchpad: 'ekubo' }]
/** A swap of 5 of the first token for 1 of the second. */
const swap: FakeLog = {
  address: CORE,
  topics: [],
  data: `0x${'00'.repeat(20)}${word(7n)}${word((5n << 128n) + (1n << 128n) - 1n)}${word(0n)}`,
}
const BLOCKS = 30
const SWAPS = Object.fromEntries(Array.from({ length: BLOCKS / 3 }, (_, i) => [3 * (i + 1), 2]))

/** Every third block has a Transfer and a swap. */
function mine(chain: FakeChain): void {
  for (let number = 1; number <= BLOCKS; number++)
    chain.mineBlock({ logs: number % 3 === 0 ? [transferLog(number), swap] : [] })
}

const filtersAsked = (chain: FakeChain) =>
  chain.calls.flatMap(({ method, params }) => (method === 'eth_getLogs' ? [params[0] as Record<string, unknown>] : []))

test.each([0, 1])('are read by range and by block, with a share of %s of blocks proven', async (receiptsShare) => {
  const { chain, index, notices } = await startProvider({ factories, receiptsShare })
  chain.hasReceipts = receiptsShare > 0
  mine(chain)
  expect(logCounts(await index())).toEqual(SWAPS)
  expect(notices).toEqual([])
})

test('are read in one request at the head', async () => {
  const { chain, source } = await startProvider({ factories })
  mine(chain)
  chain.calls.length = 0
  const { blocks } = await source.readTip(BLOCKS)
  expect(blocks?.logs.map(({ starts }) => starts.length)).toEqual([6])
  const block = hexQuantity(BLOCKS)
  expect(filtersAsked(chain)).toEqual([{ fromBlock: block, toBlock: block }])
})

const rangesOf = (chain: FakeChain, isBare: boolean) =>
  filtersAsked(chain).flatMap(({ address, fromBlock, toBlock }) =>
    (address !== undefined) === isBare && fromBlock !== undefined ? [[Number(fromBlock), Number(toBlock)]] : [],
  )

test('of many ranges come in one request, which ends at the newest final block', async () => {
  const { chain, index } = await startProvider({ factories })
  mine(chain)
  expect(logCounts(await index())).toEqual(SWAPS)
  expect(rangesOf(chain, false).length).toBeGreaterThan(1)
  expect(rangesOf(chain, true)).toEqual([[0, BLOCKS - 5]])
})

test.each([
  ['too wide', { code: -32602, message: 'query exceeds max block range 4' }, 4],
  ['refused in unknown words', { code: -32000, message: 'no such luck' }, 6],
])('of a request that is %s are asked for in narrower ones', async (_, error, most) => {
  const { chain, server, index } = await startProvider({ factories })
  mine(chain)
  server.replace(({ method, params }) => {
    const [{ address, fromBlock, toBlock }] = params as [Record<string, unknown>]
    const isWide = Number(toBlock) - Number(fromBlock) + 1 > most
    return method === 'eth_getLogs' && address !== undefined && isWide ? { error } : undefined
  })
  expect(logCounts(await index())).toEqual(SWAPS)
  const asked = rangesOf(chain, true)
  const given = asked.filter(([from = 0, to = 0]) => to - from < most)
  const blocks = given.flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
  expect(blocks.toSorted((a, b) => a - b)).toEqual(Array.from({ length: BLOCKS - 4 }, (_, at) => at))
})

test('that contradict their blocks, or lie elsewhere, are asked for anew', async () => {
  for (const change of [{ blockHash: `0x${word(9n)}` }, { blockNumber: '0x7fff' }]) {
    const { chain, server, index } = await startProvider({ factories })
    mine(chain)
    let isFirst = true
    server.replace(({ method, params }) => {
      const [{ address, fromBlock }] = params as [Record<string, unknown>]
      if (method !== 'eth_getLogs' || address === undefined || fromBlock === undefined || !isFirst) return undefined
      isFirst = false
      const answered = chain.answer(method, params)
      return 'result' in answered && Array.isArray(answered.result)
        ? { result: answered.result.map((log) => ({ ...log, ...change })) }
        : undefined
    })
    expect(logCounts(await index())).toEqual(SWAPS)
    expect(rangesOf(chain, true).length).toBeGreaterThan(0)
  }
})

test('of one block that is refused come from its receipts', async () => {
  const { chain, server, index } = await startProvider({ factories })
  chain.hasReceipts = true
  mine(chain)
  server.replace(({ method, params }) => {
    const [{ address, fromBlock }] = params as [Record<string, unknown>]
    return method === 'eth_getLogs' && address !== undefined && fromBlock !== undefined
      ? { error: { code: -32000, message: 'no such luck' } }
      : undefined
  })
  expect(logCounts(await index())).toEqual(SWAPS)
})

test('that a provider leaves out are noticed by the bloom', async () => {
  const { chain, server, index } = await startProvider({ factories })
  mine(chain)
  server.replace(({ method, params }) => {
    const [{ blockHash, address }] = params as [Record<string, unknown>]
    return method === 'eth_getLogs' && blockHash === undefined && address !== undefined ? { result: [] } : undefined
  })
  expect(logCounts(await index())).toEqual(SWAPS)
})

test('of a block that is too large for one answer are read on their own', async () => {
  const { chain, server, index } = await startProvider({ factories })
  mine(chain)
  server.replace(({ method, params }) => {
    const [{ topics = [], address }] = params as [{ topics?: string[][]; address?: string[] }]
    const isLarge = method === 'eth_getLogs' && address === undefined && topics[0]?.length !== 1
    return isLarge ? { error: { code: -32005, message: 'query returned more than 10000 results' } } : undefined
  })
  expect(logCounts(await index())).toEqual(SWAPS)
})

test('cost no request, and no filter by contract, where no exchange of the chain logs them', async () => {
  const counts: number[] = []
  for (const own of [[], factories]) {
    const { chain, index } = await startProvider({ factories: own })
    chain.mine(...Array.from({ length: BLOCKS }, () => 1))
    await index()
    const filters = filtersAsked(chain)
    counts.push(filters.length)
    expect(filters.some(({ address }) => address !== undefined)).toBe(own.length > 0)
  }
  expect(counts[0]).toBeLessThan(counts[1] as number)
})
