// Finds the block at which an index begins, from the value of START. Asks the provider for a few dozen blocks at most.
import { StartupError } from '../../base/errors.ts'
import { propertiesOf } from '../../base/json.ts'
import type { Start } from '../../base/start.ts'
import { readNumber } from '../raw.ts'
import type { Rpc } from '../rpc/rpc.ts'

/** Reads the time of a block in seconds since 1970. */
export type ReadTime = (block: number) => Promise<number>

/** The number of the newest block. */
export async function readNewest(rpc: Rpc): Promise<number> {
  const number = readNumber(await rpc.call({ method: 'eth_blockNumber', params: [] }))
  if (number === null) throw new StartupError('RPC_URL does not say which block is its newest.', 69)
  return number
}

/** The time of a block, from its header. */
export async function readBlockTime(rpc: Rpc, block: number): Promise<number> {
  const header = await rpc.call({ method: 'eth_getBlockByNumber', params: [`0x${block.toString(16)}`, false] })
  const time = readNumber(propertiesOf(header).timestamp)
  if (time === null)
    throw new StartupError(`RPC_URL does not have block ${block}: begin later, or use an archive node.`, 69)
  return time
}

/** The first block that START means; a time after the newest block is an error. */
export async function findStartBlock(start: Start, head: number, timeOf: ReadTime): Promise<number> {
  if (start.kind === 'head') return head
  if (start.kind === 'block') return start.number
  const newest = await timeOf(head)
  const time = start.kind === 'ago' ? newest - start.seconds : start.time
  if (time > newest) {
    const last = new Date(newest * 1_000).toISOString()
    throw new StartupError(`START is after the newest block, which is of ${last}: use an earlier time, or head.`, 78)
  }
  return firstAt(time, head, newest, timeOf)
}

/**
 * The first block at or after the time. Each guess uses the mean time of the blocks; a guess that does not help is
 * replaced by halving.
 */
async function firstAt(time: number, head: number, newest: number, timeOf: ReadTime): Promise<number> {
  let [low, lowTime] = [1, await timeOf(Math.min(1, head))]
  let [high, highTime] = [head, newest]
  if (lowTime >= time) return low
  // Invariant: block `low` is before the time, block `high` is not.
  for (let turn = 0; high - low > 1; turn++) {
    const share = turn % 2 === 0 ? (time - lowTime) / Math.max(1, highTime - lowTime) : 0.5
    const middle = Math.min(high - 1, Math.max(low + 1, Math.round(low + share * (high - low))))
    const at = await timeOf(middle)
    if (at < time) [low, lowTime] = [middle, at]
    else [high, highTime] = [middle, at]
  }
  return high
}
