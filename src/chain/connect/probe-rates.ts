// Measures what a provider answers at once: ranges of logs, batches, and blocks in a second. Input: questions to it.
// Output: the widest and largest that it answered, and its words for more.
import type { Clock } from '../../base/clock.ts'
import { propertiesOf } from '../../base/json.ts'
import { TRANSFER_TOPIC } from '../contracts/topics.ts'
import { hexQuantity, readNumber } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import { RETRYABLE } from '../rpc/error.ts'
import { TARGET_LOGS } from '../source/ranges.ts'
import type { AskProvider } from './probe-history.ts'

/** The number of different values, from which the number in more blocks is estimated. */
export interface Growth {
  all: number
  half: number
}

/** What a provider answers about logs. */
export interface MeasuredLogs {
  blocks: number
  refusal: string | null
  logsPerBlock: number
  logsPerSecond: number
  bytesPerLog: number
  /** Different pairs of a token and a holder, and different tokens, in these blocks and in their newer half. */
  pairs: Growth
  tokens: Growth
}

const WIDTHS = [1, 10, 100, 500, 1_000, 2_000]
const BATCHES = [10, 50, 100]
const SAMPLE_BLOCKS = 32
const AT_ONCE = 8

/** Ranges grow until the provider refuses one, or one has as many logs as the indexer asks for at once. */
export async function measureRanges(ask: AskProvider, head: number, clock: Clock): Promise<MeasuredLogs | null> {
  let found: MeasuredLogs | null = null
  for (const blocks of WIDTHS.filter((each) => each <= head + 1)) {
    const from = clock.monotonicMs()
    const range = { fromBlock: hexQuantity(head - blocks + 1), toBlock: hexQuantity(head), topics: [TRANSFER_TOPIC] }
    const answer = await ask('eth_getLogs', range)
    const ms = Math.max(1, clock.monotonicMs() - from)
    if (answer.error && RETRYABLE.has(answer.error.kind) && !found) throw answer.error
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
    const { address, topics, blockNumber } = propertiesOf(log)
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

export async function findBatch(
  batch: (calls: readonly Call[]) => Promise<RpcAnswer[]>,
  head: number,
): Promise<number> {
  let largest = 1
  for (const size of BATCHES) {
    const calls = Array.from({ length: size }, (_, at) => ({
      method: 'eth_getBlockByNumber',
      params: [hexQuantity(Math.max(0, head - at)), false],
    }))
    const answers = await batch(calls)
    if (answers.length !== size || !answers.every(isAnswered)) break
    largest = size
  }
  return largest
}

export async function measureBlocks(
  ask: AskProvider,
  head: number,
  clock: Clock,
): Promise<{ blocksPerSecond: number; secondsPerBlock: number | null }> {
  const numbers = Array.from({ length: Math.min(SAMPLE_BLOCKS, head + 1) }, (_, at) => head - at)
  const from = clock.monotonicMs()
  const times: number[] = []
  let answered = 0
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const answers = await Promise.all(
      numbers.slice(at, at + AT_ONCE).map((number) => ask('eth_getBlockByNumber', hexQuantity(number), true)),
    )
    answered += answers.filter(isAnswered).length
    times.push(...answers.flatMap(timeOf))
  }
  const blocksPerSecond = (answered * 1_000) / Math.max(1, clock.monotonicMs() - from)
  const seconds = Math.max(...times) - Math.min(...times)
  return { blocksPerSecond, secondsPerBlock: seconds > 0 ? seconds / (times.length - 1) : null }
}

/** In seconds, with their thousandths where the node tells them: whole seconds say little of blocks that are faster. */
function timeOf(answer: RpcAnswer): number[] {
  const block = propertiesOf(isAnswered(answer) ? answer.result : null)
  const [time, ms] = [readNumber(block.timestamp), readNumber(block.timestampMs)]
  if (time === null) return []
  return [ms !== null && Math.floor(ms / 1_000) === time ? ms / 1_000 : time]
}
