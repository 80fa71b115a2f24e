// Answers JSON-RPC in process from a tape, so that the demo runs through the same source as a network. Input: a
// recording, or a tape of one. Output: an endpoint. A request for anything outside the tape is an error, never a guess.

import { hexQuantity } from '../raw.ts'
import type { Call, Endpoint, RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import type { CallObject } from './call.ts'
import { keysOfFilter } from './log-keys.ts'
import type { RecordedBlock, RecordedLog, Recording } from './recording.ts'
import { createTape, type Tape } from './tape.ts'

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

/** The recording as an endpoint. */
export const createReplay = (recording: Recording, { head }: ReplayOptions = {}): Endpoint =>
  playTape(createTape(recording, head))

/** A tape as an endpoint. */
export function playTape(tape: Tape): Endpoint {
  const { head } = tape

  /** The number of a tag or hex number; null when there is no such block. */
  function numberOf(tag: unknown): number | null {
    if (tag === 'latest' || tag === 'pending') return head()
    if (tag === 'finalized' || tag === 'safe') return Math.max(0, head() - tape.finalityDepth)
    const number = tag === 'earliest' ? 0 : Number(tag)
    return Number.isInteger(number) && number >= 0 && number <= head() ? number : null
  }

  function contractAt(address: unknown, tag: unknown) {
    const number = numberOf(tag ?? 'latest')
    if (number === null) throw new RpcError('lagging', 'demo: header not found')
    return tape.contract(String(address).toLowerCase(), number)
  }

  const viewBlock = (number: number | null, full: boolean) => {
    const block = number === null ? undefined : tape.block(number)
    return block && number !== null ? toBlock(block, number, tape.block(number - 1)?.hash ?? ZERO_HASH, full) : null
  }

  const methods: Methods = {
    eth_chainId: () => hexQuantity(tape.chainId),
    net_version: () => String(tape.chainId),
    web3_clientVersion: () => 'assay/demo',
    eth_syncing: () => false,
    eth_blockNumber: () => hexQuantity(head()),
    eth_getBlockByNumber: ([tag, full]) => viewBlock(numberOf(tag), full === true),
    eth_getBlockByHash: ([hash, full]) => viewBlock(tape.find(String(hash)), full === true),
    eth_getLogs: ([filter]) => findLogs(tape, numberOf, filter as LogFilter),
    eth_call: ([call, tag]) => {
      const number = numberOf(tag ?? 'latest')
      if (number === null) throw new RpcError('lagging', 'demo: header not found')
      return tape.call(call as CallObject, number)
    },
    eth_getCode: ([of, tag]) => {
      const contract = contractAt(of, tag)
      return contract ? tape.code(contract) : '0x'
    },
    eth_getStorageAt: ([of, slot, tag]) => {
      const contract = contractAt(of, tag)
      const word = contract ? contract.slots?.[String(slot)] : ZERO_HASH
      if (word === undefined) throw new RpcError('unsupported', 'demo: this slot was not recorded')
      return word
    },
  }

  return { name: 'demo', send: async (calls) => calls.map((call) => answer(methods, call)) }
}

type Methods = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

function answer(methods: Methods, { method, params }: Call): RpcAnswer {
  const run = methods[method]
  if (!run) return { error: new RpcError('unsupported', `demo: the method ${method} is not supported`) }
  try {
    return { result: run(params) }
  } catch (error) {
    if (error instanceof RpcError) return { error }
    throw error
  }
}

function findLogs(tape: Tape, numberOf: (tag: unknown) => number | null, filter: LogFilter): unknown[] {
  const only = filter.blockHash === undefined ? null : tape.find(filter.blockHash)
  if (filter.blockHash !== undefined && only === null) throw new RpcError('lagging', 'demo: unknown block')
  const from = only ?? numberOf(filter.fromBlock ?? 'latest')
  const to = only ?? numberOf(filter.toBlock ?? 'latest')
  if (from === null || to === null) throw new RpcError('lagging', 'demo: block range extends beyond current head block')
  const wanted = createTest(filter)
  const keys = keysOfFilter(filter)
  const found: unknown[] = []
  for (let number = from; number <= to; number++) {
    if (keys && !tape.mayHave(number, keys)) continue
    const block = tape.block(number)
    block?.logs.forEach((log, index) => {
      if (wanted(log)) found.push(toLog(log, index, block, number))
    })
  }
  return found
}

function toBlock(block: RecordedBlock, number: number, parentHash: string, full: boolean) {
  return {
    number: hexQuantity(number),
    hash: block.hash,
    parentHash,
    timestamp: hexQuantity(block.time),
    logsBloom: block.bloom,
    transactions: full
      ? block.transactions.map((transaction, index) => ({
          ...transaction,
          transactionIndex: hexQuantity(index),
          blockHash: block.hash,
          blockNumber: hexQuantity(number),
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
    blockNumber: hexQuantity(number),
    blockTimestamp: hexQuantity(block.time),
    logIndex: hexQuantity(index),
    transactionHash: block.transactions[log.at]?.hash ?? ZERO_HASH,
    transactionIndex: hexQuantity(log.at),
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
