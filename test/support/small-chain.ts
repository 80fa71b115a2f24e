// Whole chains of a few blocks, built from logs by the functions here, and a node over one of them. A contract answers
// at each block as the chain says, whatever it logged.
import { createHash } from 'node:crypto'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { word } from './fake-chain.ts'
import type { ChainParts } from './live.ts'

interface SmallLog {
  address: string
  topics: string[]
  data: string
}

interface SmallTransaction {
  from: string
  to?: string | null
  value?: string
  input?: string
  type?: string
  logs?: SmallLog[]
}

/** A value, or its values from blocks on. */
type Dated<Value> = Value | [from: number, value: Value][]

interface SmallToken {
  name: Dated<string>
  symbol: Dated<string>
  decimals?: Dated<number> | null
  /** The first block with the contract. */
  from?: number
  supply?: Dated<string>
  balances?: Record<string, Dated<string>>
}

export interface SmallChain {
  chainId: number
  /** How many of the newest blocks are not final. */
  unfinal?: number
  blocks: { time: number; txs?: SmallTransaction[] }[]
  tokens: Record<string, SmallToken>
  /** The codes of other addresses. */
  codes?: Record<string, Dated<string>>
  /** The answers of other contracts, by the data of the call. */
  answers?: Record<string, Record<string, string>>
  config: object
}

const hex = (value: number | bigint) => `0x${value.toString(16)}`
const digest = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

/** The address that ends with these digits. */
export const at = (digits: string): string => `0x${digits.padStart(40, '0')}`

const EVENTS = {
  transfer: 'Transfer(address,address,uint256)',
  deposit: 'Deposit(address,uint256)',
  withdrawal: 'Withdrawal(address,uint256)',
  pair: 'PairCreated(address,address,address,uint256)',
  sync: 'Sync(uint112,uint112)',
  swap: 'Swap(address,uint256,uint256,uint256,uint256,address)',
  mint: 'Mint(address,uint256,uint256)',
  burn: 'Burn(address,uint256,uint256,address)',
  upgraded: 'Upgraded(address)',
} as const

/** A log with its indexed values, addresses or numbers, and the words of its data. */
export const log = (
  address: string,
  event: keyof typeof EVENTS,
  indexed: readonly string[],
  words: readonly (bigint | string)[],
): SmallLog => ({
  address,
  topics: [keccakOfText(EVENTS[event]), ...indexed.map((value) => `0x${word(value)}`)],
  data: `0x${words.map((value) => word(value)).join('')}`,
})

/** A node over the chain up to its head, which may grow. */
export interface SmallNode extends Endpoint {
  head: number
}

export function createSmallNode(chain: SmallChain): SmallNode {
  const blocks = viewBlocks(chain)
  const node: SmallNode = {
    name: 'small',
    head: blocks.length - 1,
    send: async (calls) => calls.map((call) => answer(chain, blocks.slice(0, node.head + 1), call)),
  }
  return node
}

type View = ReturnType<typeof viewBlocks>[number]

function viewBlocks(chain: SmallChain) {
  let parentHash = `0x${'0'.repeat(64)}`
  return chain.blocks.map(({ time, txs = [] }, number) => {
    const hash = digest(`${parentHash} ${number} ${JSON.stringify(txs)}`)
    let logIndex = 0
    const placed = txs.map((tx, index) => ({ ...tx, index, hash: digest(`${hash} ${index}`) }))
    const logs = placed.flatMap(({ logs: own = [], index, hash: transactionHash }) =>
      own.map((each) => ({
        ...each,
        ...{ blockHash: hash, blockNumber: hex(number), transactionHash, transactionIndex: hex(index) },
        ...{ logIndex: hex(logIndex++), removed: false },
      })),
    )
    const transactions = placed.map(
      ({ from, to = null, value = '0', input = '0x', type = '0x2', index, hash: own }) => ({
        ...{ from, to, input, type, hash: own, value: hex(BigInt(value)), transactionIndex: hex(index) },
      }),
    )
    const view = { number: hex(number), hash, parentHash, timestamp: hex(time), transactions }
    parentHash = hash
    return { view, logs }
  })
}

function answer(chain: SmallChain, blocks: readonly View[], { method, params }: Call): RpcAnswer {
  const last = blocks.length - 1
  if (method === 'eth_chainId') return { result: hex(chain.chainId) }
  if (method === 'eth_blockNumber') return { result: hex(last) }
  if (method === 'eth_getBlockByNumber') {
    const found = blocks[numberOf(String(params[0]), last, chain.unfinal ?? 0)]
    if (!found) return { result: null }
    const { transactions } = found.view
    return { result: { ...found.view, transactions: params[1] ? transactions : transactions.map(({ hash }) => hash) } }
  }
  if (method === 'eth_getLogs') {
    const { fromBlock, toBlock, blockHash, topics } = params[0] as Record<string, string> & { topics?: string[][] }
    const asked = blockHash
      ? blocks.filter(({ view }) => view.hash === blockHash)
      : blocks.slice(Number(fromBlock), Number(toBlock) + 1)
    const [wanted] = topics ?? []
    return {
      result: asked.flatMap(({ logs }) => logs).filter((each) => !wanted || wanted.includes(each.topics[0] ?? '')),
    }
  }
  if (method === 'eth_call') {
    const [{ to, data }, tag] = params as [{ to: string; data: string }, string]
    const answered = chain.answers?.[to]?.[data]
    return answered ? { result: answered } : call(chain.tokens[to], data, numberOf(tag, last, 0))
  }
  if (method === 'eth_getCode') {
    const [of, tag] = params as [string, string]
    return { result: valueAt(chain.codes?.[of], numberOf(tag, last, 0)) ?? (chain.tokens[of] ? '0x6000' : '0x') }
  }
  return { error: new RpcError('unsupported', `the method ${method} does not exist`) }
}

const numberOf = (tag: string, last: number, unfinal: number): number =>
  tag === 'latest' ? last : tag === 'finalized' ? Math.max(0, last - unfinal) : Number(tag)

function valueAt<Value extends string | number>(dated: Dated<Value> | undefined, block: number): Value | undefined {
  return Array.isArray(dated) ? dated.findLast(([from]) => from <= block)?.[1] : dated
}

function call(token: SmallToken | undefined, data: string, block: number): RpcAnswer {
  if (!token || block < (token.from ?? 0)) return { result: '0x' }
  const selector = data.slice(0, 10)
  const text = (value = '') => {
    const bytes = Buffer.from(value).toString('hex')
    return { result: `0x${word(32)}${word(bytes.length / 2)}${bytes.padEnd(64 * Math.ceil(bytes.length / 64), '0')}` }
  }
  if (selector === '0x06fdde03') return text(valueAt(token.name, block))
  if (selector === '0x95d89b41') return text(valueAt(token.symbol, block))
  if (selector === '0x18160ddd') return { result: `0x${word(BigInt(valueAt(token.supply, block) ?? 0))}` }
  if (selector === '0x70a08231')
    return { result: `0x${word(BigInt(valueAt(token.balances?.[`0x${data.slice(34)}`], block) ?? 0))}` }
  const decimals = valueAt(token.decimals ?? undefined, block)
  if (selector === '0x313ce567' && decimals !== undefined) return { result: `0x${word(decimals)}` }
  return { error: new RpcError('execution', 'execution reverted') }
}

/** The parts of the program that read the node. */
export function readSmall(chain: SmallChain, node: Endpoint, startBlock = 0, hasTraces = false): ChainParts {
  const preset: Preset = { ...loadPreset(chain.chainId, JSON.stringify(chain.config)), startBlock }
  const rpc = createRpc({ endpoints: [node], clock: systemClock, chainId: preset.chainId })
  return {
    source: createSource({ rpc, preset, clock: systemClock, hasTraces }),
    reader: createChainReader(rpc, preset),
    preset,
  }
}

const E18 = 10n ** 18n

/** The addresses of a built chain: its coin, its dollar, its token, their pairs, and the token's owner. */
export const PLACES = {
  ...{ weth: at('ee01'), usdc: at('ee02'), token: at('7001'), factory: at('fa02') },
  ...{ quotes: at('bb01'), pair: at('bb02'), owner: at('10001'), router: at('9001'), zero: at('') },
} as const

/** Each block takes so many seconds. */
const BLOCK_SECONDS = 12

/**
 * A chain on which the coin is worth $3,000 and the token $0.60. The owner made 1,000,000 tokens; 500,000 of them
 * stand against 100 coins in a pair. Then come these blocks, each of transactions. `token` says what the token's
 * contract answers from block 3 on.
 */
export function buildSmallChain(token: Partial<SmallToken>, ...blocks: SmallTransaction[][]): SmallChain {
  const { weth, usdc, token: address, factory, quotes, pair, owner, router, zero } = PLACES
  const money = (name: string, decimals: number): SmallToken => ({ name, symbol: name, decimals, from: 1 })
  const open = (place: string, token0: string, token1: string, amount0: bigint, amount1: bigint) => ({
    from: owner,
    to: router,
    input: '0xabcdef01',
    logs: [
      log(factory, 'pair', [token0, token1], [place, 1n]),
      log(token0, 'transfer', [owner, place], [amount0]),
      log(token1, 'transfer', [owner, place], [amount1]),
      log(place, 'transfer', [zero, zero], [1000n]),
      log(place, 'transfer', [zero, owner], [10n * E18]),
      log(place, 'sync', [], [amount0, amount1]),
      log(place, 'mint', [router], [amount0, amount1]),
    ],
  })
  const minted = (what: string, event: 'deposit' | 'transfer', amount: bigint) => ({
    from: owner,
    to: what,
    input: '0xabcdef01',
    logs: [log(what, event, event === 'deposit' ? [owner] : [zero, owner], [amount])],
  })
  const first: SmallTransaction[][] = [
    [],
    [minted(weth, 'deposit', 100_000n * E18), minted(usdc, 'transfer', 50_000_000n * 10n ** 6n)],
    [open(quotes, weth, usdc, 10_000n * E18, 30_000_000n * 10n ** 6n)],
    [minted(address, 'transfer', 1_000_000n * E18), open(pair, address, weth, 500_000n * E18, 100n * E18)],
  ]
  return {
    chainId: 31337,
    unfinal: 3,
    blocks: [...first, ...blocks].map((txs, number) => ({ time: 1_764_000_012 + BLOCK_SECONDS * number, txs })),
    tokens: {
      [weth]: money('WETH', 18),
      [usdc]: money('USDC', 6),
      [address]: { name: 'TOKEN', symbol: 'TOKEN', decimals: 18, from: 3, ...token },
    },
    config: {
      ...{ name: 'Small', nativeSymbol: 'ETH', wrappedNative: weth, stablecoins: [usdc] },
      ...{
        factories: [{ address: factory, kind: 'v2', launchpad: 'uniswap_v2' }],
        finalityDepth: 5,
        minPoolDepthUsd: 1000,
      },
    },
  }
}

/** A transaction of a router or another contract, with these logs. */
export const called = (from: string, ...logs: SmallLog[]): SmallTransaction => ({
  ...{ from, to: PLACES.router, input: '0xabcdef01', logs },
})
