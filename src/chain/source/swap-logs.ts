// Reads the swaps of all known exchanges in a range of blocks, also those that Assay does not read. Input: a range. Output:
// where each log stands, its exchange, and the key of its pool: the contract, or what a manager's log names.
import type { Address } from '../../base/address.ts'
import { SWAP_TOPICS } from '../logs/swap-topics.ts'
import { hexQuantity, isLogs, type RawLog, readNumber } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'

export interface SwapLog {
  block: number
  logIndex: number
  address: Address
  exchange: string
  /** The address or the 32 bytes by which the index knows the pool. */
  pool: Address
}

/** The most blocks of one request, and the most logs of a reading. */
export const BLOCKS_AT_ONCE = 20
const MOST_LOGS = 200_000

/** Exchanges whose manager names the pool in its first topic, as 32 bytes or as an address. */
const MANAGED: ReadonlySet<string> = new Set(['v4', 'infinity', 'infinity_bin', 'balancer_v2', 'balancer_v3'])

const TOPICS = [...SWAP_TOPICS.keys()]

/** Swaps of the blocks from..to, both included, the newest first; `from` is later where there are too many. */
export async function readSwapLogs(
  rpc: Pick<Rpc, 'call'>,
  from: number,
  to: number,
): Promise<{ from: number; logs: SwapLog[] }> {
  const logs: SwapLog[] = []
  let size = BLOCKS_AT_ONCE
  let end = to
  while (end >= from && logs.length < MOST_LOGS) {
    const first = Math.max(from, end - size + 1)
    try {
      logs.push(...(await readRange(rpc, first, end)))
      end = first - 1
    } catch (error) {
      const isTooMuch = error instanceof RpcError && (error.kind === 'range' || error.kind === 'size')
      if (!isTooMuch || size === 1) throw error
      size = Math.max(1, Math.floor(size / 2))
    }
  }
  return { from: end + 1, logs }
}

async function readRange(rpc: Pick<Rpc, 'call'>, from: number, to: number): Promise<SwapLog[]> {
  const filter = { fromBlock: hexQuantity(from), toBlock: hexQuantity(to), topics: [TOPICS] }
  const answer = await rpc.call({ method: 'eth_getLogs', params: [filter], accept: isLogs })
  return (answer as RawLog[]).flatMap((log) => toSwapLog(log, from, to) ?? [])
}

/** Null for a log that was not asked for. */
function toSwapLog({ address, topics, blockNumber, logIndex }: RawLog, from: number, to: number): SwapLog | null {
  const known = SWAP_TOPICS.get(topics[0]?.toLowerCase() ?? '')
  const [block, index] = [readNumber(blockNumber), readNumber(logIndex)]
  if (!known || block === null || index === null || block < from || block > to) return null
  const emitter = address.toLowerCase() as Address
  const named = MANAGED.has(known.exchange) ? (topics[1]?.toLowerCase() ?? null) : null
  const isAddress = known.exchange === 'balancer_v3'
  const pool = named === null ? emitter : ((isAddress ? `0x${named.slice(26)}` : named) as Address)
  return { block, logIndex: index, address: emitter, exchange: known.exchange, pool }
}
