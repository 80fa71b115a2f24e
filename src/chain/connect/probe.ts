// Tests a provider: which data it has, which requests it refuses, and how fast it is. A refusal is a finding, and a fault
// that may pass is none: such a question is asked again. Input: one endpoint. Output: findings as facts; `assay check`
// puts them into words.
import type { Clock } from '../../base/clock.ts'
import { propertiesOf } from '../../base/json.ts'
import { emptyBatch, isEmptyBatch } from '../contracts/multicall.ts'
import { hexQuantity, readNumber } from '../raw.ts'
import { type Call, type Endpoint, isAnswered, NO_ANSWER, type RpcAnswer } from '../rpc/endpoint.ts'
import { RpcError } from '../rpc/error.ts'
import { type AskProvider, findOldBlocks, type OldBlocks } from './probe-history.ts'
import { findBatch, type MeasuredLogs, measureBlocks, measureRanges } from './probe-rates.ts'
import { type FoundTraces, findTraces } from './probe-traces.ts'

export interface Findings {
  chainId: number
  /** The node's name for itself; null if it gives none. */
  client: string | null
  head: number
  /** Seconds since 1970. */
  headTime: number
  /** The newest final block; null: the provider does not know the tag; `unknown`: it did not answer. */
  finalized: number | null | 'unknown'
  /** The number of blocks back to the oldest state found, of the depths that were tried; 0 for none. */
  stateDepth: number
  /** The depth whose state it does not have; null: it has every depth that was tried, or did not answer. */
  stateRefused: number | null
  /** What it has of the blocks from the start on. */
  old: OldBlocks
  /**
   * The widest range of logs that the provider answered, in blocks, and its reply to the next wider one; null: nothing
   * was refused.
   */
  logs: MeasuredLogs | null
  /** The largest batch that the provider answered; 1 for none. */
  batch: number
  /** Whether the chain has Multicall3, so that many contracts are read by one call; null: it did not answer. */
  hasMulticall: boolean | null
  /** Blocks with their transactions, read eight at a time. */
  blocksPerSecond: number
  /** How it traces blocks; null: it does not. */
  traces: FoundTraces | null
  /** The time between two of the newest blocks; null if the chain has too few. */
  secondsPerBlock: number | null
}

const ZERO = '0x0000000000000000000000000000000000000000'
const DEPTHS = [128, 1_000, 10_000, 100_000, 1_000_000]

/** Tries of a question whose fault may pass, and the pause between them unless the provider asks for another one. */
const [TRIES, PAUSE_MS] = [3, 1_000]
const LONGEST_PAUSE_MS = 10_000

const mayPass = ({ error }: RpcAnswer): boolean => error?.kind === 'rate' || error?.kind === 'transient'

/** Sends calls, again while a fault may pass. */
function createSend(endpoint: Endpoint, clock: Clock, signal: AbortSignal | undefined) {
  const once = async (calls: readonly Call[]): Promise<RpcAnswer[]> => {
    try {
      return await endpoint.send(calls, signal)
    } catch (error) {
      if (error instanceof RpcError && error.kind !== 'aborted') return calls.map(() => ({ error }))
      throw error
    }
  }
  return async (calls: readonly Call[]): Promise<RpcAnswer[]> => {
    for (let tries = 1; ; tries++) {
      const answers = await once(calls)
      const fault = answers.find(mayPass)?.error
      if (!fault || tries === TRIES) return answers
      await clock.sleep(Math.min(LONGEST_PAUSE_MS, fault.hint.retryAfterMs ?? PAUSE_MS * tries), signal)
    }
  }
}

export interface ProbeOptions {
  signal?: AbortSignal
  /** The block from which on an index is planned, for the provider's newest block. Undefined: the first one. */
  findStart?(head: number): Promise<number>
}

/** Throws the provider's `RpcError` if it does not name its chain or newest block, or does not answer for its logs. */
export async function probe(endpoint: Endpoint, clock: Clock, options: ProbeOptions = {}): Promise<Findings> {
  const { signal, findStart = () => Promise.resolve(1) } = options
  const batch = createSend(endpoint, clock, signal)
  const ask: AskProvider = async (method, ...params) => (await batch([{ method, params }]))[0] ?? NO_ANSWER
  const must = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await ask(method, ...params)
    if (isAnswered(answer)) return answer.result
    throw answer.error
  }

  const chainId = readNumber(await must('eth_chainId'))
  const head = readNumber(await must('eth_blockNumber'))
  const newest = propertiesOf(await must('eth_getBlockByNumber', hexQuantity(head ?? 0), false))
  const headTime = readNumber(newest.timestamp)
  if (chainId === null || head === null || headTime === null) {
    throw new RpcError('rejected', 'it does not answer as an Ethereum node does')
  }
  const old = await findOldBlocks(ask, Math.min(head, await findStart(head)), head)
  const client = await ask('web3_clientVersion')
  const final = await ask('eth_getBlockByNumber', 'finalized', false)
  const [multicall = final] = await batch([emptyBatch('latest')])

  return {
    chainId,
    client: isAnswered(client) && typeof client.result === 'string' ? client.result.slice(0, 80) : null,
    head,
    headTime,
    finalized: mayPass(final) ? 'unknown' : readFinal(final),
    ...(await findStateDepth(ask, head)),
    old,
    logs: await measureRanges(ask, head, clock),
    batch: await findBatch(batch, head),
    hasMulticall: mayPass(multicall) ? null : isEmptyBatch(multicall),
    ...(await measureBlocks(ask, head, clock)),
    traces: await findTraces(ask, old.from, head, clock),
  }
}

const readFinal = (answer: RpcAnswer): number | null =>
  isAnswered(answer) ? readNumber(propertiesOf(answer.result).number) : null

/** The deepest state found, and the first depth without one. A chain that is shorter than all depths is tried whole. */
async function findStateDepth(ask: AskProvider, head: number): Promise<Pick<Findings, 'stateDepth' | 'stateRefused'>> {
  const depths = DEPTHS.filter((each) => each < head)
  let stateDepth = 0
  for (const depth of depths.length > 0 ? depths : [head]) {
    const answer = await ask('eth_getBalance', ZERO, hexQuantity(head - depth))
    if (!isAnswered(answer)) return { stateDepth, stateRefused: mayPass(answer) ? null : depth }
    stateDepth = depth
  }
  return { stateDepth, stateRefused: null }
}
