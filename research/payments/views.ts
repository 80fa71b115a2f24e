// One chain as nodes of different kinds would show it: no payment, plain payments alone, logs of each payment, or
// traces. Input: a node that traces. Output: a node of one kind.
import { TRANSFER_TOPIC } from '../../src/chain/contracts/topics.ts'
import { hexQuantity, readBlock } from '../../src/chain/raw.ts'
import { type Call, type Endpoint, isAnswered, type RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { TRACE_METHODS } from '../../src/chain/source/trace-answer.ts'
import { word } from '../../test/support/fake-chain.ts'
import { SYSTEM } from '../../test/support/native-logs.ts'

const TRACES = TRACE_METHODS.map(({ method }) => method)

export const VIEWS = {
  'no payments': { show: hidePayments, hasTraces: false },
  'plain payments': { show: (node: Endpoint) => allow(node, []), hasTraces: false },
  'EIP-7708 logs': { show: logPayments, hasTraces: false },
  trace_block: { show: (node: Endpoint) => allow(node, ['trace_block']), hasTraces: true },
  debug_traceBlockByHash: { show: (node: Endpoint) => allow(node, ['debug_traceBlockByHash']), hasTraces: true },
} as const

type Change = (call: Call, answer: RpcAnswer) => RpcAnswer | Promise<RpcAnswer>

const change = (node: Endpoint, by: Change): Endpoint => ({
  name: node.name,
  send: async (calls) => {
    const answers = await node.send(calls)
    return Promise.all(calls.map((call, at) => by(call, answers[at] as RpcAnswer)))
  },
})

/** The node without the other methods of tracing. */
const allow = (node: Endpoint, methods: readonly string[]): Endpoint =>
  change(node, ({ method }, answer) =>
    TRACES.includes(method) && !methods.includes(method)
      ? { error: new RpcError('unsupported', 'the method does not exist') }
      : answer,
  )

interface Transaction {
  input?: string
  value?: string
}

/** Transactions without data have no value, so that the index sees no payment at all. */
function hidePayments(node: Endpoint): Endpoint {
  return change(allow(node, []), ({ method, params }, answer) => {
    if (method !== 'eth_getBlockByNumber' || params[1] !== true || !isAnswered(answer) || !answer.result) return answer
    const block = answer.result as { transactions: Transaction[] }
    const transactions = block.transactions.map((each) => (each.input === '0x' ? { ...each, value: '0x0' } : each))
    return { result: { ...block, transactions } }
  })
}

interface Log {
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
  topics: string[]
}

/** The chain as it would log payments: those of a transaction before its other logs, whose indexes grow. */
function logPayments(node: Endpoint): Endpoint {
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const [answer] = await node.send([{ method, params }])
    if (!answer || !isAnswered(answer)) throw answer?.error ?? new Error('no answer')
    return answer.result
  }
  const [flat] = TRACE_METHODS
  const known = new Map<number, Promise<Log[]>>()
  const logsOf = async (number: number): Promise<Log[]> => {
    const block = readBlock(await ask('eth_getBlockByNumber', hexQuantity(number), true))
    const traced = block && flat?.read(await ask('trace_block', hexQuantity(number)), block)
    if (!block || !traced) throw new Error(`block ${number} cannot be read`)
    const others = (await ask('eth_getLogs', { fromBlock: hexQuantity(number), toBlock: hexQuantity(number) })) as Log[]
    const logs = block.transactions.flatMap(({ hash }) => [
      ...[...traced]
        .flatMap(([of, payments]) => (of === hash ? payments : []))
        .map(({ from, to, amount }) => ({
          ...{
            address: SYSTEM,
            topics: [TRANSFER_TOPIC, `0x${word(from)}`, `0x${word(to)}`],
            data: `0x${word(amount)}`,
          },
          ...{
            blockHash: block.hash,
            blockNumber: hexQuantity(number),
            transactionHash: hash,
            transactionIndex: '0x0',
          },
        })),
      ...others.filter(({ transactionHash }) => transactionHash === hash),
    ])
    return logs.map((log, index) => ({ ...log, logIndex: hexQuantity(index) }))
  }
  return change(allow(node, []), async ({ method, params }, answer) => {
    if (method !== 'eth_getLogs' || !isAnswered(answer)) return answer
    const { fromBlock, toBlock, blockHash, topics } = params[0] as Record<string, string> & { topics?: string[][] }
    const numbers = blockHash
      ? [...new Set((answer.result as Log[]).map((log) => Number(log.blockNumber)))]
      : Array.from({ length: Number(toBlock) - Number(fromBlock) + 1 }, (_, at) => Number(fromBlock) + at)
    const logs: Log[] = []
    for (const number of numbers) {
      if (!known.has(number)) known.set(number, logsOf(number))
      logs.push(...((await known.get(number)) ?? []))
    }
    return { result: logs.filter((log) => !topics?.[0] || topics[0].includes(log.topics[0] ?? '')) }
  })
}
