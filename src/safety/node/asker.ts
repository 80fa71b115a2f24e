// Questions of one check to the node, all at the end of the block of the ledger's facts. Input: calls. Output: the contract's answer, its
// refusal, or a fault of the node. Contracts are hostile: gas, bytes, time and the number of calls are bounded here.
import { type Address, type Hash, parseAddress, ZERO_ADDRESS } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { hexQuantity } from '../../chain/raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../../chain/rpc/endpoint.ts'
import { RpcError } from '../../chain/rpc/error.ts'
import type { Rpc } from '../../chain/rpc/rpc.ts'
import type { RpcCall } from '../report.ts'
import type { SafetyTarget } from '../target.ts'
import { readRefusal } from './refusal.ts'

/** The result of one call. `failed`: the node did not answer it, so it says nothing about the contract. */
export type Reply<T = unknown> =
  | { kind: 'result'; result: T; call: RpcCall }
  | { kind: 'refused'; text: string; call: RpcCall }
  | { kind: 'failed'; isUnsupported: boolean; text: string; call: RpcCall }

export interface Asker {
  block: BlockFacts
  /** One reply per call, in order. */
  ask(calls: readonly RpcCall[]): Promise<Reply[]>
  /** Calls that were sent. */
  asked(): number
  /** Calls that may still be sent. */
  left(): number
  /** Whether time or calls ran out. */
  isSpent(): boolean
}

export interface BlockFacts {
  number: number
  tag: `0x${string}`
  /** Seconds since 1970. */
  time: number
  /** Wei. */
  baseFee: bigint
  /** The receiver of the block's fees. */
  proposer: Address
}

export interface AskerOptions {
  rpc: Rpc
  signal: AbortSignal
  /** Calls that one check may send. */
  maxCalls: number
  /** The block of the ledger's facts, and the token. */
  target: Pick<SafetyTarget, 'token' | 'block'>
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
export async function createAsker({ rpc, signal, maxCalls, target }: AskerOptions): Promise<Asker> {
  let asked = 0
  const send = async (calls: readonly Call[]): Promise<RpcAnswer[]> => {
    asked += calls.length
    return until(signal, rpc.batch(calls, ATTEMPTS))
  }
  const { number, hash } = target.block
  const tag = hexQuantity(number)
  const [found, state] = await send([
    { method: 'eth_getBlockByNumber', params: [tag, false], accept: (it) => it !== null },
    // Not a call, whose error the contract could write.
    { method: 'eth_getCode', params: [target.token, tag] },
  ])
  if (!found || found.error) throw found?.error ?? new RpcError('transient', 'no answer')
  if (state?.error?.kind === 'pruned') throw new RpcError('pruned', `the node lost the state of block ${number}`)
  const block = readBlock(found.result, number, hash)
  return {
    block,
    asked: () => asked,
    left: () => Math.max(0, maxCalls - asked),
    isSpent: () => signal.aborted || asked >= maxCalls,
    async ask(calls) {
      const open = signal.aborted ? 0 : Math.min(calls.length, Math.max(0, maxCalls - asked))
      const answers = open === 0 ? [] : await send(calls.slice(0, open))
      return calls.map((call, at) => toReply(call, answers[at]))
    },
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
  const { hash, timestamp, baseFeePerGas, miner } = (result ?? {}) as Record<string, unknown>
  if (String(hash).toLowerCase() !== wanted) throw new RpcError('lagging', `the node has another block ${number}`)
  if (!isHex(timestamp)) throw new RpcError('lagging', `block ${number} has no time`)
  const baseFee = isHex(baseFeePerGas) ? BigInt(baseFeePerGas) : 0n
  const proposer = (typeof miner === 'string' ? parseAddress(miner) : null) ?? ZERO_ADDRESS
  return { number, tag: hexQuantity(number), time: Number(timestamp), baseFee, proposer }
}
