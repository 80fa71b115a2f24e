// Reads the newest logs of some topics, from the newest block backwards. Input: a provider, topics, and a bound on requests.
// Output: logs whose form was checked. A refused range is halved; after the bound the logs that came are all there are.
import { type Address, parseAddress } from '../../base/address.ts'
import { hexQuantity, type RawLog } from '../raw.ts'
import { isAnswered } from '../rpc/endpoint.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface RecentLogs {
  logs: (RawLog & { address: Address })[]
  /** How many of the newest blocks they are of. */
  blocks: number
}

interface Range {
  head: number
  /** Blocks to ask for at once. */
  width: number
  /** The most requests. */
  requests: number
  address?: Address
}

/** The most logs that are kept: a busy chain fills them with its newest blocks. */
const MOST_LOGS = 20_000

export async function readRecentLogs(
  rpc: Rpc,
  topics: readonly string[] | undefined,
  { head, width, requests, address }: Range,
  isEnough: (logs: RecentLogs['logs']) => boolean = () => false,
): Promise<RecentLogs> {
  const logs: RecentLogs['logs'] = []
  let [next, size] = [head, Math.max(1, width)]
  for (let sent = 0; sent < requests && next >= 0 && logs.length < MOST_LOGS && !isEnough(logs); sent += 1) {
    const from = Math.max(0, next - size + 1)
    const range = { fromBlock: hexQuantity(from), toBlock: hexQuantity(next), ...(address && { address }) }
    const [answer] = await rpc.batch([
      { method: 'eth_getLogs', params: [{ ...range, ...(topics && { topics: [topics] }) }] },
    ])
    if (answer && isAnswered(answer) && Array.isArray(answer.result)) {
      for (const log of answer.result.slice(0, MOST_LOGS - logs.length)) logs.push(...check(log))
      next = from - 1
    } else if (size === 1) break
    else size = Math.ceil(size / 2)
  }
  return { logs, blocks: head - next }
}

function check(log: unknown): RecentLogs['logs'] {
  const { address, topics, data } = (log ?? {}) as Partial<RawLog>
  const emitter = typeof address === 'string' ? parseAddress(address) : null
  const isLog =
    emitter && typeof data === 'string' && Array.isArray(topics) && topics.every((topic) => typeof topic === 'string')
  return isLog ? [{ ...(log as RawLog), address: emitter }] : []
}

/** The keys with most values first. */
export function rank<Key>(keys: Iterable<Key>): [key: Key, count: number][] {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
