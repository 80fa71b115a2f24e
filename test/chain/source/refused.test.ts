// Requests for logs that the provider refuses in any words: narrower ones, then receipts, then other endpoints.
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/chain/rpc/classify.ts'
import { logCounts, startProvider } from '../../support/chain.ts'
import { type FakeBlock, viewLogs, viewReceipts } from '../../support/fake-chain.ts'
import { type RpcRequest, times } from '../../support/rpc-server.ts'

const REFUSAL = { status: 200, method: 'eth_getLogs', isRpc: true }

const isLogs = ({ method }: RpcRequest) => method === 'eth_getLogs'
const widthOf = ({ params }: RpcRequest): number => {
  const { fromBlock, toBlock } = params[0] as { fromBlock?: string; toBlock?: string }
  return Number(toBlock) - Number(fromBlock) + 1
}

/** Refusals as providers wrote them in 2026, and some that nobody wrote yet. */
const WORDS: [code: number, message: string][] = [
  [-32000, 'logs matched by query exceeds limit of 10000'],
  [-32000, 'GetLogs query must be smaller than size 1024'],
  [-32000, 'maximum [from, to] blocks distance: 5'],
  [-32601, 'the method eth_getLogs does not exist/is not available'],
  [4444, 'pruned history unavailable'],
  [-32000, 'Archive requests require a personal token'],
  [-32099, 'computer says no'],
  [3, 'execution reverted'],
  [-32602, ''],
]

describe('a refused request for logs', () => {
  it.each(WORDS)('of more than one block is halved, whatever the words: %i "%s"', async (code, message) => {
    const { chain, server, index } = await startProvider()
    chain.mine(...Array.from({ length: 60 }, () => 1))
    server.intervene((requests) => {
      const [request] = requests
      return request && isLogs(request) && widthOf(request) > 5 ? { error: { code, message } } : undefined
    })
    expect(Object.keys(logCounts(await index()))).toHaveLength(60)
  })

  it.each(WORDS)('that comes once is forgotten: %i "%s"', async (code, message) => {
    const { chain, server, index } = await startProvider()
    chain.mine(...Array.from({ length: 300 }, () => 1))
    server.intervene(times(2, 'eth_getLogs', { error: { code, message } }))
    expect(Object.keys(logCounts(await index()))).toHaveLength(300)
    const widths = server.calls.flat().filter(isLogs).map(widthOf)
    // Words that name a range of blocks hold for many answers.
    if (classify({ ...REFUSAL, code, message }) !== 'range')
      expect(Math.max(...widths.filter(Number.isFinite))).toBeGreaterThan(8)
  })

  const refuseAll = (code: number, message: string) => (request: RpcRequest) =>
    isLogs(request) ? { error: { code, message } } : undefined

  it.each([...WORDS, [-32005, 'limit exceeded']] as [number, string][])(
    'for every block is answered by receipts, and said once: %i "%s"',
    async (code, message) => {
      const { chain, server, index, notices } = await startProvider()
      chain.hasReceipts = true
      chain.mine(...Array.from({ length: 40 }, (_, i) => i % 3))
      server.replace(refuseAll(code, message))
      const counts = logCounts(await index())
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(39)
      expect(notices.filter((text) => text.includes('are read from the receipts'))).toHaveLength(1)
    },
  )

  it('and of the receipts of a block is answered by the receipts of its transactions', async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(1, 0, 2, 3, 0, 1, 2, 3, 1)
    server.replace(refuseAll(-32601, 'Method not found'))
    server.replace(({ method, params: [hash] }) => {
      if (method !== 'eth_getTransactionReceipt') return undefined
      const own = ({ transactionHash }: { transactionHash: unknown }) => transactionHash === hash
      const block = chain.blocks.find((each) => viewReceipts(each).some(own)) as FakeBlock
      return { result: { ...viewReceipts(block).find(own), blockHash: block.hash } }
    })
    expect(logCounts(await index())).toEqual({ 1: 1, 3: 2, 4: 3, 6: 1, 7: 2, 8: 3, 9: 1 })
  })

  it('of one block is answered by another endpoint', async () => {
    const { chain, server, index } = await startProvider({ urls: 2 })
    chain.mine(1, 2, 3, 4, 5, 6, 7, 8)
    server.replace(refuseAll(-32099, 'computer says no'))
    expect(logCounts(await index())).toEqual({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8 })
  })
})

describe('an oddity that stays', () => {
  /** The logs of a request, with other fields. */
  const edit =
    (chain: Awaited<ReturnType<typeof startProvider>>['chain'], change: (log: Record<string, unknown>) => object) =>
    ({ method, params }: RpcRequest) => {
      if (method !== 'eth_getLogs') return undefined
      const { result } = chain.answer(method, params) as { result: Record<string, unknown>[] }
      return { result: result.map((log) => ({ ...log, ...change(log) })) }
    }

  it('logs that are counted from 0 in each transaction are put in order by their transactions, and said once', async () => {
    const { chain, server, index, notices } = await startProvider()
    chain.mine(3, 1, 4, 0, 2, 3, 1, 1, 2)
    const straight = await index()
    server.replace(edit(chain, () => ({ logIndex: '0x0' })))
    expect(await index()).toEqual(straight)
    expect(notices).toEqual([
      expect.stringMatching(/^two logs of block \d+ have one logIndex: its logs are numbered by their transactions$/),
    ])
  })

  it("logs whose transaction is their block belong to nobody's transaction", async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(1, 2, 0, 1, 1, 1, 1, 1, 1)
    server.replace(edit(chain, ({ blockHash }) => ({ transactionHash: blockHash })))
    const blocks = await index()
    expect(logCounts(blocks)).toEqual({ 1: 1, 2: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1 })
    const [block] = blocks.filter(({ number }) => number === 2)
    expect(block?.transactions).toMatchObject([{ hash: block?.hash, from: `0x${'0'.repeat(40)}`, to: null, value: 0n }])
  })

  it('two logs at one place of one transaction are named with the rule and the block', async () => {
    const { chain, server, index } = await startProvider()
    chain.mine(1, 2, 1, 1, 1, 1, 1, 1, 1)
    const [first] = viewLogs(chain.blocks[2] as FakeBlock)
    server.replace(
      edit(chain, ({ blockNumber }) =>
        blockNumber === '0x2'
          ? { logIndex: '0x0', transactionIndex: '0x0', transactionHash: first?.transactionHash }
          : {},
      ),
    )
    const stop = new Error('seen enough')
    const seen: unknown[] = []
    await expect(
      index({
        onTrouble: ({ kind, block, message }) => {
          seen.push({ kind, block, message: message.replace(/0x\w+/, '0x') })
          if (seen.length === 3) throw stop
        },
      }),
    ).rejects.toBe(stop)
    const text = 'block 2 (0x): two different logs at index 0 of transaction 0'
    expect(seen).toEqual(Array.from({ length: 3 }, () => ({ kind: 'lagging', block: 2, message: text })))
  })
})
