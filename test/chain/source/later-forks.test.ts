// Blocks of later forks, and of chains with blocks of their own form: fields and transactions that nobody here knows. Each
// is proven by its receipts, and its logs are read as before.
import { expect, test } from 'vitest'
import { rootOf } from '../../../src/chain/source/receipts-root.ts'
import { startProvider } from '../../support/chain.ts'
import { type FakeChain, viewReceipts } from '../../support/fake-chain.ts'
import type { RpcServer } from '../../support/rpc-server.ts'

type Fields = Record<string, unknown>

/** Changes each block, and its receipts, before the provider gives them. */
function change(
  chain: FakeChain,
  server: RpcServer,
  block: (block: Fields) => Fields,
  receipts: (receipts: Fields[]) => Fields[] = (each) => each,
): void {
  server.replace(({ method, params }) => {
    const answered = chain.answer(method, params)
    if (!('result' in answered) || !answered.result) return undefined
    if (method === 'eth_getBlockReceipts') return { result: receipts(answered.result as Fields[]) }
    if (method !== 'eth_getBlockByNumber') return undefined
    const own = answered.result as Fields
    const number = Number(own.number)
    const root = rootOf(receipts(viewReceipts(chain.blocks[number]!) as unknown as Fields[]) as never)
    return { result: block({ ...own, receiptsRoot: root }) }
  })
}

async function read(
  block: (block: Fields) => Fields,
  receipts?: (receipts: Fields[]) => Fields[],
): Promise<{ logs: number[]; sent: unknown[]; notices: string[]; proofs: number }> {
  const { chain, server, index, notices } = await startProvider({ receiptsShare: 1 })
  chain.hasReceipts = true
  for (let n = 1; n <= 12; n++) chain.mine(2)
  change(chain, server, block, receipts)
  const blocks = await index()
  return {
    logs: blocks.filter(({ logs }) => logs.length > 0).map(({ logs }) => logs.length),
    sent: blocks.at(-1)?.transactions.map(({ from, to }) => [from, to]) ?? [],
    notices,
    proofs: server.calls.flat().filter(({ method }) => method === 'eth_getBlockReceipts').length,
  }
}

const readPlain = () => read((block) => block)

test('fields of a header that nobody here knows change nothing', async () => {
  const hash = `0x${'7'.repeat(64)}`
  const found = await read((block) => ({
    ...block,
    // EIP-7928, EIP-7843, and what may come after them.
    blockAccessListHash: hash,
    slotNumber: '0xffffffffffffffffffff',
    somethingLater: { of: [null, hash] },
  }))
  const plain = await readPlain()
  expect(found).toEqual(plain)
  expect(plain).toMatchObject({ logs: Array.from({ length: 12 }, () => 2), notices: [] })
  expect(plain.proofs).toBeGreaterThan(0)
})

test('the gas of a block that counts without refunds, as its receipts do not, leaves the block proven', async () => {
  const gas = (block: Fields) => ({ ...block, gasUsed: '0x1c9c380', gasLimit: '0x1c9c380' })
  const refunded = (receipts: Fields[]) =>
    receipts.map((each) => ({ ...each, cumulativeGasUsed: '0x5208', gasUsed: '0x1' }))
  expect(await read(gas, refunded)).toEqual(await readPlain())
})

test.each(['0x76', '0x7e', '0x7f', null])('transactions of the type %s are read like any other', async (type) => {
  const transactions = (block: Fields) =>
    (block.transactions as unknown[]).map((each) =>
      typeof each === 'object'
        ? { ...each, type, calls: [{ to: null, value: '0x1', input: '0x' }], feeToken: 'a' }
        : each,
    )
  const found = await read(
    (block) => ({ ...block, transactions: transactions(block) }),
    (receipts) => receipts.map((each) => ({ ...each, type: type ?? '0x0' })),
  )
  expect(found).toEqual(await readPlain())
})

test('system transactions that log nothing are not read', async () => {
  const system = (at: number): Fields => ({
    hash: `0x${String(at).repeat(64)}`,
    from: `0x${'d'.repeat(40)}`,
    to: `0x${'4'.repeat(40)}`,
    type: '0x7e',
    value: '0x0',
    input: '0x098999be',
    sourceHash: `0x${'5'.repeat(64)}`,
    mint: '0x0',
  })
  const { chain, server, index } = await startProvider()
  for (let n = 1; n <= 12; n++) chain.mine(2)
  change(chain, server, (block) => {
    const own = block.transactions as unknown[]
    const added = typeof own[0] === 'string' ? [1, 2].map((at) => system(at).hash) : [system(1), system(2)]
    return { ...block, receiptsRoot: null, transactions: [...added, ...own] }
  })
  const blocks = (await index()).filter(({ logs }) => logs.length > 0)
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual(Array.from({ length: 12 }, () => 2))
})
