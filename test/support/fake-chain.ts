// An in-memory chain that answers JSON-RPC and can be reorganised. Deterministic: the same calls give the same hashes.
import { createHash } from 'node:crypto'
import { hexToBytes, keccak256 } from 'viem'
import type { Address } from '../../src/base/address.ts'
import { TOPICS } from '../../src/chain/logs/events.ts'
import type { Link, RawLog } from '../../src/chain/raw.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { type RawReceipt, rootOf } from '../../src/chain/source/receipts-root.ts'

export interface FakeLog {
  address: string
  topics: string[]
  data: string
}

export interface FakeBlock extends Link {
  time: number
  logs: FakeLog[]
  /** Wei of plain transfers, each in its own transaction. */
  payments: number[]
}

export interface FakeFault {
  code: number
  message: string
  data?: unknown
}

export interface FakeChain extends Endpoint {
  readonly blocks: readonly FakeBlock[]
  /** Adds one block per argument, with that many token transfers. */
  mine(...transfers: number[]): void
  mineBlock(content: { logs?: FakeLog[]; payments?: number[] }): FakeBlock
  /** Drops the newest blocks; the blocks mined next have other hashes. */
  drop(depth: number): void
  /** The result or fault of one call. */
  answer(method: string, params: readonly unknown[]): { result: unknown } | { error: FakeFault }
  chainId: number
  /** Null: the chain does not know the `finalized` tag. */
  finalized: number | null
  /** Whether the node has the receipts of blocks, and blocks have their root. */
  hasReceipts: boolean
  /** The calls that were answered. */
  calls: { method: string; params: readonly unknown[] }[]
}

export const TOKEN = '0x00000000000000000000000000000000000c0de0' as Address
export const SENDER = '0x00000000000000000000000000000000000000aa'
export const RECEIVER = '0x00000000000000000000000000000000000000bb'
const START_TIME = 1_760_000_000

const hex = (number: number | bigint) => `0x${number.toString(16)}`
export const word = (value: number | bigint | string): string =>
  (typeof value === 'string' ? value.replace(/^0x/, '') : value.toString(16)).padStart(64, '0')
const digest = (text: string): `0x${string}` => `0x${createHash('sha256').update(text).digest('hex')}`

export const transferLog = (amount: number | bigint, token: string = TOKEN): FakeLog => ({
  address: token,
  topics: [TOPICS.transfer, `0x${word(SENDER)}`, `0x${word(RECEIVER)}`],
  data: `0x${word(amount)}`,
})

/** The logs bloom of the logs' addresses and topics. */
function bloomOf(logs: readonly FakeLog[]): string {
  const bits = new Uint8Array(256)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    const hash = hexToBytes(keccak256(value as `0x${string}`))
    for (const i of [0, 2, 4]) {
      const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047
      bits[255 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return `0x${Buffer.from(bits).toString('hex')}`
}

/** A chain with its genesis block, and so many seconds between blocks. */
export function createFakeChain(chainId = 31337, blockSeconds = 12): FakeChain {
  const blocks: FakeBlock[] = []
  let salt = 0
  const chain: FakeChain = {
    name: 'fake',
    blocks,
    chainId,
    finalized: null,
    hasReceipts: false,
    calls: [],
    mine: (...transfers) => {
      for (const count of transfers)
        chain.mineBlock({ logs: Array.from({ length: count }, (_, i) => transferLog(i + 1)) })
    },
    mineBlock({ logs = [], payments = [] }) {
      const parentHash = blocks.at(-1)?.hash ?? digest('none')
      const number = blocks.length
      const block = { number, parentHash, hash: digest(`${parentHash} ${number} ${salt}`), logs, payments }
      blocks.push({ ...block, time: START_TIME + Math.floor(blockSeconds * number) })
      return blocks.at(-1)!
    },
    drop(depth) {
      blocks.splice(Math.max(1, blocks.length - depth))
      salt += 1
    },
    answer(method, params) {
      chain.calls.push({ method, params })
      return answer(chain, method, params)
    },
    async send(calls: readonly Call[]): Promise<RpcAnswer[]> {
      return calls.map(({ method, params }) => {
        const answered = chain.answer(method, params)
        if ('result' in answered) return answered
        return { error: new RpcError(answered.error.code === -32001 ? 'lagging' : 'rejected', answered.error.message) }
      })
    },
  }
  chain.mineBlock({})
  return chain
}

function answer(
  chain: FakeChain,
  method: string,
  params: readonly unknown[],
): { result: unknown } | { error: FakeFault } {
  if (method === 'eth_chainId') return { result: hex(chain.chainId) }
  if (method === 'eth_blockNumber') return { result: hex(chain.blocks.length - 1) }
  if (method === 'eth_getBlockByNumber')
    return { result: viewBlock(findBlock(chain, String(params[0])), params[1] === true, chain.hasReceipts) }
  if (method === 'eth_getBlockReceipts' && chain.hasReceipts) {
    const block = findBlock(chain, String(params[0]))
    return { result: block ? viewReceipts(block) : null }
  }
  if (method === 'eth_getLogs') return findLogs(chain, params[0] as Record<string, unknown>)
  return { error: { code: -32601, message: `the method ${method} does not exist` } }
}

function findBlock(chain: FakeChain, tag: string): FakeBlock | undefined {
  if (tag === 'latest') return chain.blocks.at(-1)
  if (tag === 'finalized') return chain.finalized === null ? undefined : chain.blocks[chain.finalized]
  return chain.blocks[Number(tag)]
}

const txHash = (block: FakeBlock, index: number) => digest(`${block.hash} ${index}`)

/** Each log has its own transaction; payments follow. */
function viewBlock(block: FakeBlock | undefined, full: boolean, rooted: boolean): Record<string, unknown> | null {
  if (!block) return null
  const { number, hash, parentHash, time, logs, payments } = block
  const transactions = [...logs.map(() => null), ...payments].map((value, index) => ({
    hash: txHash(block, index),
    from: SENDER,
    to: value === null ? TOKEN : RECEIVER,
    value: hex(value ?? 0),
    input: value === null ? '0xa9059cbb' : '0x',
    transactionIndex: hex(index),
  }))
  return {
    number: hex(number),
    hash,
    parentHash,
    timestamp: hex(time),
    logsBloom: bloomOf(logs),
    ...(rooted ? { receiptsRoot: rootOf(viewReceipts(block)) } : {}),
    transactions: full ? transactions : transactions.map((transaction) => transaction.hash),
  }
}

export const viewLogs = (block: FakeBlock): Record<string, unknown>[] =>
  block.logs.map((log, index) => ({
    ...log,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    transactionHash: txHash(block, index),
    transactionIndex: hex(index),
    logIndex: hex(index),
    removed: false,
  }))

/** Each log's transaction has a receipt, and so have the payments. */
export function viewReceipts(block: FakeBlock): RawReceipt[] {
  const logs = viewLogs(block) as unknown as RawLog[]
  return [...logs.map((log) => [log]), ...block.payments.map(() => [])].map((own, index) => ({
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: hex(21_000 * (index + 1)),
    logsBloom: bloomOf(own as unknown as FakeLog[]),
    transactionHash: txHash(block, index),
    logs: own,
  }))
}

function findLogs(chain: FakeChain, filter: Record<string, unknown>): { result: unknown } | { error: FakeFault } {
  const { blockHash, fromBlock, toBlock, topics, address } = filter
  const wanted = (topics as string[][] | undefined)?.[0]
  const emitters = address as string[] | undefined
  const of = (blocks: readonly FakeBlock[]) => ({
    result: blocks
      .flatMap(viewLogs)
      .filter((log) => !wanted || wanted.includes((log.topics as string[])[0] ?? ''))
      .filter((log) => !emitters || emitters.includes(log.address as string)),
  })
  if (blockHash === undefined) return of(chain.blocks.slice(Number(fromBlock), Number(toBlock) + 1))
  const block = chain.blocks.find(({ hash }) => hash === blockHash)
  return block ? of([block]) : { error: { code: -32001, message: 'unknown block' } }
}
