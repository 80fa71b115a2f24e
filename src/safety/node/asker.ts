// Questions of one check to the node, all at the end of the block of the ledger's facts. Input: calls. Output: the contract's answer, its
// refusal, or a fault of the node. Contracts are hostile: gas, bytes, time and the number of requests are bounded here.
// Calls that are asked at the same time share a request, as far as the node takes that.
import { type Hash, parseAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { hexQuantity } from '../../chain/raw.ts'
import { type Call, isAnswered, NO_ANSWER, type RpcAnswer } from '../../chain/rpc/endpoint.ts'
import { RpcError } from '../../chain/rpc/error.ts'
import type { Rpc } from '../../chain/rpc/rpc.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyTarget } from '../target.ts'
import { type CallBatcher, createCallBatcher } from './call-batcher.ts'
import type { LastingAnswers } from './lasting.ts'
import { readRefusal } from './refusal.ts'
import type { AskNode, BlockFacts, Reply } from './reply.ts'
import type { ShareWay } from './shared.ts'

export interface Asker extends Omit<CallBatcher, 'learn'> {
  block: BlockFacts
  /** Each in a request of its own, as anybody would repeat it. */
  askAlone: AskNode
  /** Requests that were sent. */
  asked(): number
  /** Requests that may still be sent. */
  left(): number
  /** Whether time or requests ran out. */
  isSpent(): boolean
}

export interface AskerOptions {
  rpc: Rpc
  signal: AbortSignal
  /** Requests that one check may send. */
  maxCalls: number
  /** The block of the ledger's facts, and the token. */
  target: Pick<SafetyTarget, 'token' | 'block' | 'seed'>
  /** How calls share a request; 'none' if undefined. */
  way?: ShareWay
  /** Answers of earlier checks. */
  lasting?: LastingAnswers
  /** A shared request failed as a whole, or came back. */
  onShared?: (isAnswered: boolean) => void
}

/**
 * A longer answer is not read. The longest expected answer is a contract's code, 24,576 bytes, or a trial's results.
 */
const MAX_ANSWER_CHARS = 400_000
/** Tries per call: a node that fails twice is asked again at the next check. */
const ATTEMPTS = 2

/**
 * Fixes the block. Throws an `RpcError` when the node does not return it, has another one in its place, or lost its
 * state. At another block the facts of the ledger would say nothing about the contract's answers.
 */
export async function createAsker({ rpc, signal, maxCalls, target, ...sharing }: AskerOptions): Promise<Asker> {
  let asked = 0
  const send = async (calls: readonly Call[]): Promise<RpcAnswer[]> => {
    asked += calls.length
    return until(signal, rpc.batch(calls, ATTEMPTS))
  }
  const { number, hash, finalized } = target.block
  const tag = hexQuantity(number)
  // Not a call, whose error the contract could write.
  const codeCall = { method: 'eth_getCode', params: [target.token, tag] }
  const [found, state] = await send([
    { method: 'eth_getBlockByNumber', params: [tag, false], accept: (it) => it !== null },
    codeCall,
  ])
  if (!found || found.error) throw found?.error ?? NO_ANSWER.error
  if (state?.error?.kind === 'pruned') throw new RpcError('pruned', `the node lost the state of block ${number}`)
  const block = readBlock(found.result, number, hash)
  const askAlone = async (calls: readonly RpcCall[]): Promise<Reply[]> => {
    const open = signal.aborted ? 0 : Math.min(calls.length, Math.max(0, maxCalls - asked))
    const answers = open === 0 ? [] : await send(calls.slice(0, open))
    return calls.map((call, at) => toReply(call, answers[at]))
  }
  const { way = 'none', lasting, onShared = () => {} } = sharing
  const { token, seed } = target
  const batcher = createCallBatcher({ token, seed, block, finalized, way, lasting, askAlone, onShared })
  batcher.learn(toReply(codeCall, state))
  return {
    block,
    ...batcher,
    askAlone,
    asked: () => asked,
    left: () => Math.max(0, maxCalls - asked),
    isSpent: () => signal.aborted || asked >= maxCalls,
  }
}

/** The answers, or aborted ones as soon as the check has no time left. */
function until(signal: AbortSignal, answers: Promise<RpcAnswer[]>): Promise<RpcAnswer[]> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve([])
    signal.addEventListener('abort', stop, { once: true })
    answers.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function toReply(call: RpcCall, answer: RpcAnswer | undefined): Reply {
  if (!answer) return { kind: 'failed', isUnsupported: false, text: 'out of time or calls', call }
  if (isAnswered(answer)) {
    const isLong = typeof answer.result === 'string' && answer.result.length > MAX_ANSWER_CHARS
    return isLong
      ? { kind: 'refused', text: 'the answer is too long', call }
      : { kind: 'result', result: answer.result, call }
  }
  const { kind, message, revertData } = answer.error
  if (kind === 'execution') return { kind: 'refused', text: readRefusal(message, revertData), call }
  if (kind === 'size') return { kind: 'refused', text: 'the answer is too long', call }
  return { kind: 'failed', isUnsupported: kind === 'unsupported' || kind === 'rejected', text: message, call }
}

function readBlock(result: unknown, number: number, wanted: Hash): BlockFacts {
  const { hash, timestamp, baseFeePerGas, miner } = propertiesOf(result)
  if (String(hash).toLowerCase() !== wanted) throw new RpcError('lagging', `the node has another block ${number}`)
  if (!isHex(timestamp)) throw new RpcError('lagging', `block ${number} has no time`)
  const baseFee = isHex(baseFeePerGas) ? BigInt(baseFeePerGas) : 0n
  const proposer = (typeof miner === 'string' ? parseAddress(miner) : null) ?? ZERO_ADDRESS
  return { number, tag: hexQuantity(number), time: Number(timestamp), baseFee, proposer }
}
