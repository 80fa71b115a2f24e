// A real node with as many logs as requested: anvil with WETH9, Uniswap V2 as published, plain ERC-20s, and tens of
// thousands of transactions. Input: the number of logs. Output: a chain that is served until this process ends.
import { type Address, encodeFunctionData } from 'viem'
import { type Anvil, startAnvil } from '../../support/anvil.ts'
import { artifacts } from '../../support/contracts/artifacts.ts'
import { createMarketChain, type MarketChain } from '../../support/market/chain.ts'
import { createTrade, ether } from '../../support/market/trade.ts'
import type { Venues } from '../../support/market/venue.ts'
import { createMarket, type Holding, type Order, type Pool } from './anvil-market.ts'
import type { Chain } from './chain.ts'

const CHAIN_ID = 31_337
const GENESIS = 1_760_000_000
const BLOCK_SECONDS = 12
const FOUNDER: Address = '0xfa00000000000000000000000000000000000001'
const TOKENS = 48
/** Trades and transfers per block: about 220 logs. */
const DEEDS_PER_BLOCK = 50
const GAS = 400_000
/** Empty blocks at the end, so that every measured block is final for every indexer. */
const EMPTY_BLOCKS = 64
const hex = (value: number | bigint) => `0x${value.toString(16)}`

/** Fills a new node. */
export async function fillAnvil(logs: number, seed: number): Promise<Chain> {
  const node = await startAnvil({
    timestamp: GENESIS,
    chainId: CHAIN_ID,
    noMining: true,
    // Blocks and receipts are needed, the state of old blocks is not.
    arguments: ['--prune-history', '16'],
  })
  await node.rpc('anvil_setBalance', [FOUNDER, hex(10n ** 9n * 10n ** 18n)])
  const places = await open(createMarketChain(node.rpc))
  const market = createMarket(seed, { ...places, founder: FOUNDER })
  const submit = await createSubmit(node)
  let block = Number(await node.rpc<string>('eth_blockNumber'))
  const opening = await countLogs(node, block)
  const orders: Order[] = []
  for (market.begin(orders); opening.all + market.counts().logs < logs; ) {
    await submit(orders.splice(0))
    await node.rpc('evm_mine', [{ timestamp: GENESIS + ++block * BLOCK_SECONDS }])
    for (let i = 0; i < DEEDS_PER_BLOCK; i++) market.act(orders)
  }
  await submit(orders)
  await node.rpc('evm_mine', [{ timestamp: GENESIS + ++block * BLOCK_SECONDS }])
  await node.rpc('anvil_mine', [hex(EMPTY_BLOCKS), hex(BLOCK_SECONDS)])
  await compare(node, market.sample())
  const made = market.counts()
  const readableLogs = opening.readable + made.logs
  const { weth, usd, factory } = places
  return {
    url: node.url,
    chainId: CHAIN_ID,
    blocks: block + 1,
    head: block + EMPTY_BLOCKS,
    readableLogs,
    logs: opening.all + made.logs + made.approvals,
    preset: {
      chainId: CHAIN_ID,
      name: 'bench',
      wrappedNative: weth,
      nativeSymbol: 'ETH',
      stablecoins: [usd],
      factories: [{ address: factory, kind: 'v2', launchpad: 'uniswap_v2' }],
      burnAddresses: [],
      lockers: [],
      exchanges: [],
      finalityDepth: 64,
      minPoolDepthUsd: 1_000,
      sectors: {},
      startBlock: 0,
    },
    about: `anvil, a real node: Uniswap V2, ${TOKENS} tokens, ${made.wallets} wallets`,
  }
}

/** Deploys everything and opens the pools. */
async function open(chain: MarketChain) {
  let block = 0
  const mine = () => chain.mine(GENESIS + ++block * BLOCK_SECONDS)
  const weth = await chain.deploy(FOUNDER, 'weth')
  const usd = await chain.deploy(FOUNDER, 'faucetToken', ['Bench Dollar', 'bUSD', 6])
  const factory = await chain.deploy(FOUNDER, 'v2Factory', [FOUNDER])
  const router = await chain.deploy(FOUNDER, 'v2Router', [factory, weth])
  await mine()
  const venue = { kind: 'v2', name: 'uniswap_v2', factory, router } as const
  const trade = createTrade(chain, { weth, usd, uniswapV2: venue } as Venues)
  await trade.mintUsd(FOUNDER, 9_000_000n * 10n ** 6n)
  await trade.addLiquidity(venue, FOUNDER, usd, 9_000_000n * 10n ** 6n, ether(3_000))
  await mine()
  const pools: Pool[] = []
  for (let i = 0; i < TOKENS; i++) {
    const [reserveToken, reserveWeth] = [ether(1_000_000), ether(40 + i)]
    const token = await chain.deploy(FOUNDER, 'plainToken', [`Bench token ${i}`, `B${i}`, 18, reserveToken, FOUNDER])
    await mine()
    await trade.addLiquidity(venue, FOUNDER, token, reserveToken, reserveWeth)
    await mine()
    pools.push({ token, reserveToken, reserveWeth })
  }
  if (chain.failures.length > 0) throw new Error(`anvil: ${chain.failures.join('; ')}`)
  return { weth, usd, factory, router, pools }
}

/**
 * Sends all orders of a block in one request. It counts nonces itself, so that it need not wait for any transaction.
 */
async function createSubmit(node: Anvil) {
  const nonces = new Map<Address, number>([
    [FOUNDER, Number(await node.rpc<string>('eth_getTransactionCount', [FOUNDER, 'latest']))],
  ])
  return async (orders: readonly Order[]): Promise<void> => {
    const batch = orders.map(({ from, to, value, data }, id) => {
      const nonce = nonces.get(from) ?? 0
      nonces.set(from, nonce + 1)
      const transaction = { from, to, data, value: hex(value), nonce: hex(nonce), gas: hex(GAS), gasPrice: '0x0' }
      return { jsonrpc: '2.0', id, method: 'eth_sendTransaction', params: [transaction] }
    })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(node.url, { method: 'POST', headers, body: JSON.stringify(batch) })
    const answers = (await response.json()) as { error?: { message: string } }[]
    const refused = answers.find(({ error }) => error)
    if (refused) throw new Error(`anvil refused a transaction: ${refused.error?.message}`)
  }
}

const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const OWNERSHIP = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0'

/** The number of logs up to the block, and of those whose events are read. */
async function countLogs(node: Anvil, block: number): Promise<{ all: number; readable: number }> {
  const found = await node.rpc<{ topics: string[] }[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: hex(block) }])
  const readable = found.filter(({ topics: [topic] }) => topic !== APPROVAL && topic !== OWNERSHIP)
  return { all: found.length, readable: readable.length }
}

/** Compares the computed balances with the node's. They differ when a transaction failed. */
async function compare(node: Anvil, holdings: readonly Holding[]): Promise<void> {
  const { abi } = artifacts.plainToken
  for (const { token, wallet, amount } of holdings) {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [wallet] })
    const held = BigInt(await node.rpc<string>('eth_call', [{ to: token, data }, 'latest']))
    if (held !== amount) throw new Error(`anvil: ${wallet} holds ${held} of ${token} and not ${amount}`)
  }
}
