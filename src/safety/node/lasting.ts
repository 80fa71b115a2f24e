// Answers that stay as they are: transactions by their hash, and logs of blocks that no reorganisation takes back. They
// are kept in memory for later checks, of any token.
import { LRUCache } from 'lru-cache'
import { propertiesOf } from '../../base/json.ts'
import { isHex } from '../../chain/columns/hex.ts'
import type { RpcCall } from '../report.ts'
import type { Reply } from './reply.ts'

export interface LastingAnswers {
  find(call: RpcCall): Reply | undefined
  /** `finalized`: the newest final block of the index. A fast chain has thousands that are not. */
  keep(reply: Reply, finalized: number): void
}

/** Characters of all kept answers. */
const MOST_CHARS = 4 * 2 ** 20
/** A longer answer is not kept. */
const LONGEST_CHARS = 64 * 2 ** 10

export function createLastingAnswers(): LastingAnswers {
  const answers = new LRUCache<string, Reply>({ maxSize: MOST_CHARS, maxEntrySize: LONGEST_CHARS })
  return {
    find: (call) => (METHODS.has(call.method) ? answers.get(JSON.stringify(call)) : undefined),
    keep(reply, finalized) {
      if (reply.kind !== 'result' || !reply.result || !lasts(reply.call, finalized)) return
      const key = JSON.stringify(reply.call)
      answers.set(key, reply, { size: key.length + JSON.stringify(reply.result).length })
    },
  }
}

const METHODS: ReadonlySet<string> = new Set(['eth_getTransactionByHash', 'eth_getLogs'])

/** The hash of a transaction tells its signer, its receiver and its data. */
function lasts({ method, params }: RpcCall, finalized: number): boolean {
  if (method === 'eth_getTransactionByHash') return true
  const { toBlock } = propertiesOf(params[0])
  return method === 'eth_getLogs' && isHex(toBlock) && Number(toBlock) <= finalized
}
