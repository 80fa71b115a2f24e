// Adds the contract Multicall3 to a stub node without an EVM. Input: an endpoint that answers single calls. Output: the
// same endpoint, which also answers batches. It counts the calls that reach it.
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from 'viem'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { isAnswered } from '../../src/chain/rpc/endpoint.ts'

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const POWERS = '0x0000000000000000000000000000000000000005'

export interface CountedEndpoint extends Endpoint {
  /** Calls by method, and requests. */
  calls: Map<string, number>
  requests: number
}

interface Asked {
  to: string
  data: `0x${string}`
}

/** Counts the calls that reach the endpoint. */
export function countCalls(node: Endpoint): CountedEndpoint {
  const counted: CountedEndpoint = {
    name: node.name,
    calls: new Map(),
    requests: 0,
    send(calls, signal) {
      counted.requests += 1
      for (const { method } of calls) counted.calls.set(method, (counted.calls.get(method) ?? 0) + 1)
      return node.send(calls, signal)
    },
  }
  return counted
}

/** Adds the contract, and counts the calls that reach the endpoint: a batch is one. */
export function withMulticall(node: Endpoint): CountedEndpoint {
  async function aggregate({ params: [asked, tag] }: Call): Promise<RpcAnswer> {
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: (asked as Asked).data })
    const inner = args[0] as readonly { target: string; callData: `0x${string}` }[]
    const singles = inner.map(({ target, callData }) => ({
      method: 'eth_call',
      params: [{ to: target.toLowerCase(), data: callData }, tag],
    }))
    const own = singles.filter((_, at) => inner[at]?.target !== POWERS)
    const came = own.length === 0 ? [] : await node.send(own)
    const pruned = came.find(({ error }) => error?.kind === 'pruned')
    if (pruned) return pruned
    const answers = [...came, { result: `0x${'0'.repeat(2 * 768)}` } as RpcAnswer]
    const result = answers.map((answer) => ({
      success: isAnswered(answer),
      returnData: (isAnswered(answer) ? answer.result : '0x') as `0x${string}`,
    }))
    return { result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }) }
  }

  const isBatch = ({ method, params: [asked] }: Call) => method === 'eth_call' && (asked as Asked).to === MULTICALL
  return countCalls({
    name: node.name,
    async send(calls, signal) {
      const others = calls.filter((call) => !isBatch(call))
      const answers = (others.length === 0 ? [] : await node.send(others, signal)).values()
      return Promise.all(
        calls.map(async (call) => (isBatch(call) ? aggregate(call) : (answers.next().value as RpcAnswer))),
      )
    },
  })
}
