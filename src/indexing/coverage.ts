// Measures which share of a chain's trades the index saw. It counts the swaps of all known exchanges in the newest
// indexed blocks, and those of pools that the index knows. Exchanges without a topic for their swaps, and unknown ones,
// are in no number.
import { traitsOf } from '../chain/exchanges/venues.ts'
import type { Preset } from '../chain/presets/preset.ts'
import type { Rpc } from '../chain/rpc/rpc.ts'
import { readSwapLogs, type SwapLog } from '../chain/source/swap-logs.ts'
import type { Database } from '../database/client.ts'
import { findKnownPools, readSwapDollars, swapKey } from '../ledger/read/coverage.ts'

/** The most blocks of a measurement, and the most contracts that it names. */
export const MOST_BLOCKS = 2_000
const MOST_UNREAD = 20

export interface ExchangeCoverage {
  exchange: string
  swaps: number
  read: number
  /** Of the swaps with a price. */
  usd: number
}

export interface SwapCoverage {
  from: number
  to: number
  swaps: number
  read: number
  /** The most swaps first. */
  exchanges: ExchangeCoverage[]
  /** Contracts with swaps that were not read, the most first; at most `MOST_UNREAD`. */
  unread: { address: string; exchange: string; swaps: number }[]
  /** How many there are. */
  unreadContracts: number
}

export interface CoverageDeps {
  rpc: Pick<Rpc, 'call'>
  pool: Database['pool']
  preset: Pick<Preset, 'factories'>
}

/** Measures the blocks from..to, both indexed; `from` of the answer is later where they have too many swaps. */
export async function measureCoverage(
  { rpc, pool, preset }: CoverageDeps,
  from: number,
  to: number,
): Promise<SwapCoverage> {
  const { from: first, logs } = await readSwapLogs(rpc, from, to)
  const known = await findKnownPools(pool, [...new Set(logs.map((log) => log.pool))])
  const dollars = await readSwapDollars(pool, first, to)
  const alone = preset.factories.filter((each) => traitsOf(each).tradesAnyPair || traitsOf(each).isCurve)
  const venues = new Set<string>(alone.map(({ address }) => address))
  const isRead = (log: SwapLog) =>
    known.has(log.pool) || venues.has(log.address) || dollars.has(swapKey(log.block, log.logIndex))
  return { ...summarise(logs, isRead, dollars), from: first, to }
}

function summarise(
  logs: readonly SwapLog[],
  isRead: (log: SwapLog) => boolean,
  dollars: ReadonlyMap<string, number>,
): Omit<SwapCoverage, 'from' | 'to'> {
  const exchanges = new Map<string, ExchangeCoverage>()
  const unread = new Map<string, { address: string; exchange: string; swaps: number }>()
  for (const log of logs) {
    const { exchange, address } = log
    const sum = exchanges.get(exchange) ?? { exchange, swaps: 0, read: 0, usd: 0 }
    exchanges.set(exchange, sum)
    sum.swaps += 1
    sum.usd += dollars.get(swapKey(log.block, log.logIndex)) ?? 0
    if (isRead(log)) sum.read += 1
    else {
      const other = unread.get(address) ?? { address, exchange, swaps: 0 }
      unread.set(address, other)
      other.swaps += 1
    }
  }
  const bySwaps = (a: { swaps: number }, b: { swaps: number }) => b.swaps - a.swaps
  const listed = [...exchanges.values()].sort(bySwaps)
  return {
    swaps: logs.length,
    read: listed.reduce((sum, { read }) => sum + read, 0),
    exchanges: listed,
    unread: [...unread.values()].sort(bySwaps).slice(0, MOST_UNREAD),
    unreadContracts: unread.size,
  }
}
