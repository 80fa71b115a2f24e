// Tests a provider: which data it has, which requests it refuses, and how fast it is. Each question is asked once, and
// a refusal is a finding. Input: one endpoint. Output: findings as facts; `assay check` puts them into words.
import type { Clock } from '../../base/clock.ts'
import { emptyBatch, isEmptyBatch } from '../contracts/multicall.ts'
import { readNumber } from '../raw.ts'
import { type Call, type Endpoint, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import { TARGET_LOGS } from '../source/ranges.ts'

/** The number of different values, from which the number in more blocks is estimated. */
export interface Growth {
  all: number
  half: number
}

export interface Findings {
  chainId: number
  /** The node's name for itself; null if it gives none. */
  client: string | null
  head: number
  /** Seconds since 1970. */
  headTime: number
  /** The newest final block; null: the provider does not know the tag. */
  finalized: number | null
  /** The number of blocks back to the oldest state found, of the depths that were tried; 0 for no state. */
  stateDepth: number
  /**
   * The widest range of logs that the provider answered, in blocks, and its reply to the next wider one; null: nothing
   * was refused.
   */
  logs: {
    blocks: number
    refusal: string | null
    logsPerBlock: number
    logsPerSecond: number
    bytesPerLog: number
    /** Different pairs of a token and a holder, and different tokens, in these blocks and in their newer half. */
    pairs: Growth
    tokens: Growth
  } | null
  /** The largest batch that the provider answered; 1 for none. */
  batch: number
  /** Whether the chain has Multicall3, so that many contracts are read by one call. */
  hasMulticall: boolean
  /** Blocks with their transactions, read eight at a time. */
  blocksPerSecond: number
  /** The time between two of the newest blocks; null if the chain has too few. */
  secondsPerBlock: number | null
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ZERO = '0x0000000000000000000000000000000000000000'
const DEPTHS = [128, 1_000, 10_000, 100_000, 1_000_000]
const WIDTHS = [1, 10, 100, 500, 1_000, 2_000]
const BATCHES = [10, 50, 100]
const SAMPLE_BLOCKS = 32
const AT_ONCE = 8

const hex = (number: number): string => `0x${number.toString(16)}`

/** Throws the provider's `RpcError` if it does not name its chain or newest block. */
export async function probe(endpoint: Endpoint, clock: Clock, signal?: AbortSignal): Promise<Findings> {
  const batch = async (calls: readonly Call[]): Promise<RpcAnswer[]> => {
    try {
      return await endpoint.send(calls, signal)
    } catch (error) {
      if (error instanceof RpcError && error.kind !== 'aborted') return calls.map(() => ({ error }))
      throw error
    }
  }
  const ask = async (method: string, ...params: unknown[]): Promise<RpcAnswer> =>
    (await batch([{ method, params }]))[0] ?? { error: new RpcError('transient', 'no answer') }
  const must = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await ask(method, ...params)
    if (isAnswered(answer)) return answer.result
    throw answer.error
  }

  const chainId = readNumber(await must('eth_chainId'))
  const head = readNumber(await must('eth_blockNumber'))
  const newest = (await must('eth_getBlockByNumber', hex(head ?? 0), false)) as { timestamp?: unknown } | null
  const headTime = readNumber(newest?.timestamp)
  if (chainId === null || head === null || headTime === null) {
    throw new RpcError('rejected', 'it does not answer as an Ethereum node does')
  }
  const client = await ask('web3_clientVersion')
  const final = await ask('eth_getBlockByNumber', 'finalized', false)
  const finalized = isAnswered(final) ? readNumber((final.result as { number?: unknown } | null)?.number) : null

  return {
    chainId,
    client: isAnswered(client) && typeof client.result === 'string' ? client.result.slice(0, 80) : null,
    head,
    headTime,
    finalized,
    stateDepth: await findStateDepth(ask, head),
    logs: await measureLogs(ask, head, clock),
    batch: await findBatch(batch, head),
    hasMulticall: (await batch([emptyBatch('latest')])).every(isEmptyBatch),
    ...(await measureBlocks(ask, head, clock)),
  }
}

type Ask = (method: string, ...params: unknown[]) => Promise<RpcAnswer>

async function findStateDepth(ask: Ask, head: number): Promise<number> {
  let deepest = 0
  for (const depth of DEPTHS.filter((each) => each < head)) {
    if (!isAnswered(await ask('eth_getBalance', ZERO, hex(head - depth)))) break
    deepest = depth
  }
  return deepest
}

/** Ranges grow until the provider refuses one, or one has as many logs as the indexer asks for at once. */
async function measureLogs(ask: Ask, head: number, clock: Clock): Promise<Findings['logs']> {
  let found: Findings['logs'] = null
  for (const blocks of WIDTHS.filter((each) => each <= head + 1)) {
    const from = clock.monotonicMs()
    const range = { fromBlock: hex(head - blocks + 1), toBlock: hex(head), topics: [TRANSFER] }
    const answer = await ask('eth_getLogs', range)
    const ms = Math.max(1, clock.monotonicMs() - from)
    if (!isAnswered(answer) || !Array.isArray(answer.result)) {
      const refusal = isAnswered(answer) ? 'an answer that is no list' : answer.error.message
      return found ? { ...found, refusal } : null
    }
    const count = answer.result.length
    const bytes = JSON.stringify(answer.result).length
    found = {
      blocks,
      refusal: null,
      logsPerBlock: count / blocks,
      logsPerSecond: (count * 1_000) / ms,
      bytesPerLog: count === 0 ? 0 : bytes / count,
      ...countKinds(answer.result, head - Math.ceil(blocks / 2) + 1),
    }
    if (count >= TARGET_LOGS) break
  }
  return found
}

/** Counts tokens and their holders in Transfers. The format is checked, because the provider is not trusted. */
function countKinds(logs: readonly unknown[], halfFrom: number): { pairs: Growth; tokens: Growth } {
  const [pairs, newerPairs] = [new Set<string>(), new Set<string>()]
  const [tokens, newerTokens] = [new Set<string>(), new Set<string>()]
  for (const log of logs) {
    const { address, topics, blockNumber } = (log ?? {}) as {
      address?: unknown
      topics?: unknown
      blockNumber?: unknown
    }
    const holders = Array.isArray(topics) && topics.length === 3 ? topics.slice(1) : []
    const isNewer = (readNumber(blockNumber) ?? 0) >= halfFrom
    for (const holder of holders) {
      for (const set of isNewer ? [pairs, newerPairs] : [pairs]) set.add(`${address} ${holder}`)
      for (const set of isNewer ? [tokens, newerTokens] : [tokens]) set.add(String(address))
    }
  }
  return {
    pairs: { all: pairs.size, half: newerPairs.size },
    tokens: { all: tokens.size, half: newerTokens.size },
  }
}

async function findBatch(batch: (calls: readonly Call[]) => Promise<RpcAnswer[]>, head: number): Promise<number> {
  let largest = 1
  for (const size of BATCHES) {
    const calls = Array.from({ length: size }, (_, at) => ({
      method: 'eth_getBlockByNumber',
      params: [hex(Math.max(0, head - at)), false],
    }))
    const answers = await batch(calls)
    if (answers.length !== size || !answers.every(isAnswered)) break
    largest = size
  }
  return largest
}

async function measureBlocks(
  ask: Ask,
  head: number,
  clock: Clock,
): Promise<Pick<Findings, 'blocksPerSecond' | 'secondsPerBlock'>> {
  const numbers = Array.from({ length: Math.min(SAMPLE_BLOCKS, head + 1) }, (_, at) => head - at)
  const from = clock.monotonicMs()
  const times: number[] = []
  let answered = 0
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const answers = await Promise.all(
      numbers.slice(at, at + AT_ONCE).map((number) => ask('eth_getBlockByNumber', hex(number), true)),
    )
    answered += answers.filter(isAnswered).length
    times.push(...answers.flatMap(timeOf))
  }
  const blocksPerSecond = (answered * 1_000) / Math.max(1, clock.monotonicMs() - from)
  const seconds = Math.max(...times) - Math.min(...times)
  return { blocksPerSecond, secondsPerBlock: seconds > 0 ? seconds / (times.length - 1) : null }
}

function timeOf(answer: RpcAnswer): number[] {
  const block = isAnswered(answer) ? (answer.result as { timestamp?: unknown } | null) : null
  const time = readNumber(block?.timestamp)
  return time === null ? [] : [time]
}
