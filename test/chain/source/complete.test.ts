import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { EMPTY_ROOT, rootOf } from '../../../src/chain/source/receipts-root.ts'
import { ANVIL_MISSING, anvilBinary, startAnvil } from '../../support/anvil.ts'
import { logCounts, startProvider } from '../../support/chain.ts'
import { type FakeChain, type FakeLog, transferLog, viewLogs, viewReceipts, word } from '../../support/fake-chain.ts'
import type { RpcServer } from '../../support/rpc-server.ts'

/** Of the wrapped native coin, which alone may say it. */
const deposit: FakeLog = {
  address: `0x${'e'.repeat(40)}`,
  topics: [TOPICS.deposit, `0x${word(`0x${'1'.repeat(40)}`)}`],
  data: `0x${word(7)}`,
}
const BLOCKS = 30

/** A block of two logs with different topics every third block. */
function mineMixed(chain: FakeChain): void {
  for (let number = 1; number <= BLOCKS; number++) {
    chain.mineBlock({ logs: number % 3 === 0 ? [transferLog(number), deposit] : [] })
  }
}

type Filter = { fromBlock?: string; blockHash?: string; topics?: string[][] }

/** Leaves the logs out of the answers to questions about ranges, or about single blocks too. */
function leaveOut(
  server: RpcServer,
  chain: FakeChain,
  isLeftOut: (log: Record<string, unknown>) => boolean,
  always = false,
) {
  server.replace(({ method, params }) => {
    const [filter] = params as [Filter]
    if (method !== 'eth_getLogs' || (!always && filter.blockHash !== undefined)) return undefined
    const { result } = chain.answer(method, params) as { result: Record<string, unknown>[] }
    return { result: result.filter((log) => !isLeftOut(log)) }
  })
}

const ALL = Object.fromEntries(Array.from({ length: BLOCKS / 3 }, (_, i) => [3 * (i + 1), 2]))

describe('a provider that leaves out one log of a block', () => {
  it.each([0, 1])('is noticed by the bloom where log %i is the only one of its event', async (left) => {
    for (const at of [3, 15, 27]) {
      const { chain, server, index } = await startProvider()
      mineMixed(chain)
      leaveOut(server, chain, ({ blockNumber, logIndex }) => Number(blockNumber) === at && Number(logIndex) === left)
      expect(logCounts(await index())).toEqual(ALL)
    }
  })

  it.each([0, 1, 2])('is noticed by the receipts, whatever log it is: log %i of three alike', async (left) => {
    for (const at of [2, 9, BLOCKS - 1]) {
      const { chain, server, notices, index } = await startProvider({ receiptsShare: 1 })
      chain.hasReceipts = true
      chain.mine(...Array.from({ length: BLOCKS }, () => 3))
      leaveOut(
        server,
        chain,
        ({ blockNumber, logIndex }) => Number(blockNumber) === at && Number(logIndex) === left,
        true,
      )
      const blocks = await index()
      expect(Object.values(logCounts(blocks))).toEqual(Array.from({ length: BLOCKS }, () => 3))
      // Blocks that are not final are read from their receipts alone.
      const isFinal = at < BLOCKS - 5
      expect(notices).toEqual(
        isFinal ? [`the provider returned 2 of the 3 logs of block ${at}; the index has those of its receipts`] : [],
      )
    }
  })

  it('is checked against the receipts of every block once a sample has caught it', async () => {
    const { chain, server, notices, index } = await startProvider({ receiptsShare: 0.1 })
    chain.hasReceipts = true
    chain.mine(...Array.from({ length: 60 }, () => 2))
    leaveOut(server, chain, ({ blockNumber, logIndex }) => Number(blockNumber) >= 10 && Number(logIndex) === 1, true)
    const counts = logCounts(await index())
    expect(notices[0]).toMatch(/^the provider returned 1 of the 2 logs of block 10; .* Every block is checked/)
    expect([1, 10, 40, 41, 45, 60].map((number) => counts[number])).toEqual([2, 2, 2, 2, 2, 2])
  })
})

describe('receipts that prove nothing', () => {
  it('a node without them is reported once, and its blocks are read by their blooms', async () => {
    const { chain, notices, index } = await startProvider({ receiptsShare: 1 })
    chain.hasReceipts = true
    mineMixed(chain)
    const answer = chain.answer
    chain.answer = (method, params) =>
      method === 'eth_getBlockReceipts'
        ? { error: { code: -32601, message: 'the method eth_getBlockReceipts does not exist' } }
        : answer(method, params)
    expect(logCounts(await index())).toEqual(ALL)
    expect(notices).toEqual([
      expect.stringMatching(/^blocks are not checked against their receipts: .*eth_getBlockReceipts does not exist/),
    ])
  })

  it('a chain that makes its root otherwise is reported once, and asked no more', async () => {
    const { chain, server, notices, index } = await startProvider({ receiptsShare: 1 })
    chain.hasReceipts = true
    mineMixed(chain)
    server.replace(({ method, params }) =>
      method === 'eth_getBlockReceipts'
        ? {
            result: viewReceipts(chain.blocks[Number(params[0])]!).map((each) => ({
              ...each,
              cumulativeGasUsed: '0x7',
            })),
          }
        : undefined,
    )
    expect(logCounts(await index())).toEqual(ALL)
    expect(notices).toEqual([
      'blocks are not checked against their receipts: they do not give the receiptsRoot of their blocks, so the chain makes it otherwise',
    ])
    const asked = server.calls.flat().filter(({ method }) => method === 'eth_getBlockReceipts').length
    expect(asked).toBeLessThanOrEqual(20)
  })

  it('receipts with a log left out are not believed, and the next provider is asked', async () => {
    const { chain, server, index } = await startProvider({ receiptsShare: 1, urls: 2 })
    chain.hasReceipts = true
    chain.mine(...Array.from({ length: 10 }, () => 2))
    server.replace(({ method, params }) =>
      method === 'eth_getBlockReceipts'
        ? {
            result: viewReceipts(chain.blocks[Number(params[0])]!).map((each, i) =>
              i === 0 ? { ...each, logs: [] } : each,
            ),
          }
        : undefined,
    )
    leaveOut(server, chain, ({ logIndex }) => Number(logIndex) === 0, true)
    expect(Object.values(logCounts(await index()))).toEqual(Array.from({ length: 10 }, () => 2))
  })

  it('no receipts are asked for with a share of 0', async () => {
    const { chain, server, index } = await startProvider({ receiptsShare: 0 })
    chain.hasReceipts = true
    mineMixed(chain)
    expect(logCounts(await index())).toEqual(ALL)
    expect(server.calls.flat().some(({ method }) => method === 'eth_getBlockReceipts')).toBe(false)
  })
})

describe('the root of receipts', () => {
  test('an empty block has the known root, and a changed log another', () => {
    expect(rootOf([])).toBe(EMPTY_ROOT)
    const block = {
      number: 1,
      hash: `0x${'a'.repeat(64)}`,
      parentHash: `0x${'b'.repeat(64)}`,
      time: 0,
      payments: [1],
    } as const
    const of = (logs: FakeLog[]) => rootOf(viewReceipts({ ...block, payments: [1], logs }))
    expect(of([transferLog(1), transferLog(2)])).not.toBe(of([transferLog(1), transferLog(3)]))
    expect(viewLogs({ ...block, payments: [1], logs: [deposit] })).toHaveLength(1)
  })

  test.skipIf(!anvilBinary)(`a node's blocks of up to 300 transactions have it (${ANVIL_MISSING})`, async () => {
    const anvil = await startAnvil({ noMining: true })
    try {
      const [from] = await anvil.rpc<string[]>('eth_accounts')
      for (const count of [1, 2, 17, 130, 300]) {
        for (let i = 0; i < count; i++) {
          const type =
            i % 2 === 0 ? { gasPrice: '0x77359400' } : { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' }
          // LOG1 with one topic, as a contract's creation.
          await anvil.rpc('eth_sendTransaction', [
            { from, data: '0x602a600052600760206000a100', gas: '0x15f90', ...type },
          ])
        }
        await anvil.rpc('evm_mine')
        const block = await anvil.rpc<{ receiptsRoot: string; transactions: string[] }>('eth_getBlockByNumber', [
          'latest',
          false,
        ])
        expect(block.transactions).toHaveLength(count)
        expect(rootOf(await anvil.rpc('eth_getBlockReceipts', ['latest']))).toBe(block.receiptsRoot)
      }
    } finally {
      await anvil.stop()
    }
  })

  const folder = resolve('../shared/data/receipts/blocks')
  test.skipIf(!existsSync(folder)).each(['ethereum-18000000', 'arbitrum-150000000'])(
    'the recorded block %s has it (skipped without ../shared/data)',
    (name) => {
      const read = (part: string) =>
        JSON.parse(gunzipSync(readFileSync(`${folder}/${name}-${part}.json.gz`)).toString())
      expect(rootOf(read('receipts'))).toBe(read('block').receiptsRoot)
    },
  )
})
