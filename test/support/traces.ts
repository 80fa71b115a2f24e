// Traces of blocks, as nodes give them in two forms. Input: a block with its transactions, and the payments inside each.
// Output: the answers of `trace_block` and of `callTracer`, and a node that has them.
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'

interface ViewedTransaction {
  hash: string
  from: string
  to?: string | null
  value: string
  input?: string
}

export interface ViewedBlock {
  number: string
  hash: string
  transactions: ViewedTransaction[]
}

/** A payment in the native coin. */
export interface TracedPayment {
  from: string
  to: string
  amount: bigint
}

/** The payments inside a transaction, in order. */
export type InnerOf = (transaction: ViewedTransaction) => readonly TracedPayment[]

const quantity = (value: bigint) => `0x${value.toString(16)}`

/** The answer of `trace_block`. */
export const toFlatTraces = ({ number, hash, transactions }: ViewedBlock, innerOf: InnerOf) =>
  transactions.flatMap((transaction, transactionPosition) => {
    const inner = innerOf(transaction)
    const place = {
      blockHash: hash,
      blockNumber: Number(number),
      transactionHash: transaction.hash,
      transactionPosition,
    }
    const { from, to, value, input = '0x' } = transaction
    const calls = [{ from, to, value, input }, ...inner.map(toCall)]
    return calls.map((action, at) => ({
      ...place,
      action: { callType: 'call', gas: '0x0', ...action },
      result: { gasUsed: '0x0', output: '0x' },
      subtraces: at === 0 ? inner.length : 0,
      traceAddress: at === 0 ? [] : [at - 1],
      type: 'call',
    }))
  })

const toCall = ({ from, to, amount }: TracedPayment) => ({ from, to, value: quantity(amount), input: '0x' })

/** The answer of `debug_traceBlockByHash` and `debug_traceBlockByNumber`. */
export const toNestedTraces = ({ transactions }: ViewedBlock, innerOf: InnerOf) =>
  transactions.map((transaction) => {
    const { hash: txHash, from, to, value, input = '0x' } = transaction
    const calls = innerOf(transaction).map((payment) => ({ type: 'CALL', ...toCall(payment) }))
    return { txHash, result: { type: 'CALL', from, to, value, input, ...(calls.length > 0 && { calls }) } }
  })

/** The node with these methods of tracing. It finds a block by its hash among those that it gave before. */
export function withTraces(node: Endpoint, innerOf: InnerOf, methods: readonly string[]): Endpoint {
  const given = new Map<string, string>()
  const read = async (number: unknown): Promise<ViewedBlock | null> => {
    const [answer] = await node.send([{ method: 'eth_getBlockByNumber', params: [number, true] }])
    return (answer && 'result' in answer ? answer.result : null) as ViewedBlock | null
  }
  const answer = async (call: Call): Promise<RpcAnswer> => {
    const [given0] = call.params
    if (!methods.includes(call.method)) {
      const [plain] = await node.send([call])
      const block = plain && 'result' in plain ? (plain.result as Partial<ViewedBlock> | null) : null
      if (call.method === 'eth_getBlockByNumber' && block?.hash && block.number) given.set(block.hash, block.number)
      return plain as RpcAnswer
    }
    const block = await read(call.method.endsWith('Hash') ? given.get(String(given0)) : given0)
    if (!block) return { result: null }
    return { result: (call.method === 'trace_block' ? toFlatTraces : toNestedTraces)(block, innerOf) }
  }
  return { name: node.name, send: (calls) => Promise.all(calls.map(answer)) }
}
