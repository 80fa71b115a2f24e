// Answers JSON-RPC in process from a recorded chain, so that the demo runs through the same source as a network.
// Input: a recording. Output: an endpoint. What the recording does not contain is an error, never a guess.

import type { Call, Endpoint, RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import { answerCall } from './call.ts'
import type { RecordedBlock, RecordedLog, Recording } from './recording.ts'
import { createState } from './state.ts'

export interface ReplayOptions {
  /** The newest block that the replay shows; default: the last recorded block. */
  head?: () => number
}

interface LogFilter {
  blockHash?: string
  fromBlock?: string
  toBlock?: string
  address?: string | string[]
  topics?: (string | string[] | null)[]
}

const ZERO_HASH = `0x${'0'.repeat(64)}`
const hex = (number: number) => `0x${number.toString(16)}`

/** The recording as an endpoint. */
export function createReplay(recording: Recording, options: ReplayOptions = {}): Endpoint {
  const { blocks } = recording
  const last = blocks.length - 1
  const head = () => Math.min(options.head?.() ?? last, last)
  const numbers = new Map(blocks.map((block, number) => [block.hash, number]))
  const state = createState(recording)

  /** The number of a tag or hex number; null when there is no such block. */
  function numberOf(tag: unknown): number | null {
    if (tag === 'latest' || tag === 'pending') return head()
    if (tag === 'finalized' || tag === 'safe') return Math.max(0, head() - recording.finalityDepth)
    const number = tag === 'earliest' ? 0 : Number(tag)
    return Number.isInteger(number) && number >= 0 && number <= head() ? number : null
  }

  const viewBlock = (number: number | null, full: boolean) => {
    const block = number === null ? undefined : blocks[number]
    return block && number !== null ? toBlock(block, number, blocks[number - 1]?.hash ?? ZERO_HASH, full) : null
  }

  function findLogs(filter: LogFilter): unknown[] {
    const only = filter.blockHash === undefined ? null : (numbers.get(filter.blockHash) ?? null)
    if (filter.blockHash !== undefined && only === null) throw new RpcError('lagging', 'demo: unknown block')
    const from = only ?? numberOf(filter.fromBlock ?? 'latest')
    const to = only ?? numberOf(filter.toBlock ?? 'latest')
    if (from === null || to === null)
      throw new RpcError('lagging', 'demo: block range extends beyond current head block')
    const wanted = createTest(filter)
    const found: unknown[] = []
    for (let number = from; number <= to; number++) {
      const block = blocks[number]
      block?.logs.forEach((log, index) => {
        if (wanted(log)) found.push(toLog(log, index, block, number))
      })
    }
    return found
  }

  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => hex(recording.chainId),
    net_version: () => String(recording.chainId),
    web3_clientVersion: () => 'assay/demo',
    eth_syncing: () => false,
    eth_blockNumber: () => hex(head()),
    eth_getBlockByNumber: ([tag, full]) => viewBlock(numberOf(tag), full === true),
    eth_getBlockByHash: ([hash, full]) => viewBlock(numbers.get(String(hash)) ?? null, full === true),
    eth_getLogs: ([filter]) => findLogs(filter as LogFilter),
    eth_call: ([call, tag]) => {
      const number = numberOf(tag ?? 'latest')
      if (number === null) throw new RpcError('lagging', 'demo: header not found')
      return answerCall(recording, state, call as { to?: string; data?: string; input?: string }, number)
    },
  }

  function answer({ method, params }: Call): RpcAnswer {
    const run = methods[method]
    if (!run) return { error: new RpcError('unsupported', `demo: the method ${method} is not supported`) }
    try {
      return { result: run(params) }
    } catch (error) {
      if (error instanceof RpcError) return { error }
      throw error
    }
  }

  return { name: 'demo', send: async (calls) => calls.map(answer) }
}

function toBlock(block: RecordedBlock, number: number, parentHash: string, full: boolean) {
  return {
    number: hex(number),
    hash: block.hash,
    parentHash,
    timestamp: hex(block.time),
    logsBloom: block.bloom,
    transactions: full
      ? block.transactions.map((transaction, index) => ({
          ...transaction,
          transactionIndex: hex(index),
          blockHash: block.hash,
          blockNumber: hex(number),
        }))
      : block.transactions.map(({ hash }) => hash),
  }
}

function toLog(log: RecordedLog, index: number, block: RecordedBlock, number: number) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    removed: false,
    blockHash: block.hash,
    blockNumber: hex(number),
    blockTimestamp: hex(block.time),
    logIndex: hex(index),
    transactionHash: block.transactions[log.at]?.hash ?? ZERO_HASH,
    transactionIndex: hex(log.at),
  }
}

/** A test whether a log matches the filter's addresses and topics. */
function createTest({ address, topics = [] }: LogFilter): (log: RecordedLog) => boolean {
  const places = topics.map((topic) => (topic === null ? null : new Set([topic].flat())))
  const addresses = address === undefined ? null : new Set([address].flat().map((one) => one.toLowerCase()))
  return (log) =>
    (!addresses || addresses.has(log.address)) &&
    places.every((allowed, i) => allowed === null || allowed.has(log.topics[i] ?? ''))
}
