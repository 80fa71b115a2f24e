// Nodes with fewer capabilities than anvil, or with other answers. Input: a URL, and the removed capabilities. Output:
// an endpoint for `createRpc`.
import { type Call, createHttpEndpoint, type Endpoint, type RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'

export interface Lacks {
  simulate?: boolean
  /** The node ignores code that is laid over addresses. */
  override?: boolean
  /** The node refuses calls without `to`. */
  construct?: boolean
}

const refuse = (method: string): RpcAnswer => ({
  error: new RpcError('unsupported', `the method ${method} is not available`),
})

export function limitedNode(url: string, lacks: Lacks): Endpoint {
  const node = createHttpEndpoint(url)
  return {
    name: 'limited',
    async send(calls, signal) {
      const answers = await Promise.all(
        calls.map(async (call): Promise<RpcAnswer> => {
          if (lacks.simulate && call.method === 'eth_simulateV1') return refuse(call.method)
          const [transaction] = call.params as [{ to?: string }]
          if (lacks.construct && call.method === 'eth_call' && !transaction.to) return refuse(call.method)
          const isPlain = lacks.override && call.method === 'eth_call'
          const sent = isPlain ? { ...call, params: call.params.slice(0, 2) } : call
          return (await node.send([sent], signal))[0] as RpcAnswer
        }),
      )
      return answers
    },
  }
}

/** A node whose answers pass through a function. */
export function bentNode(url: string, bend: (call: Call, answer: RpcAnswer) => RpcAnswer): Endpoint {
  const node = createHttpEndpoint(url)
  return {
    name: 'bent',
    send: async (calls, signal) => {
      const answers = await node.send(calls, signal)
      return answers.map((answer, at) => bend(calls[at] as Call, answer))
    },
  }
}
