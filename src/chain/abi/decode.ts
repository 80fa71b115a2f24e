// Raw logs of JSON-RPC -> the logs that Assay understands. By topic0, with slices and BigInt: an ABI decoder would hold the
// indexer back tenfold. What does not fit to the byte (ERC-721, other shapes, broken hex) is not decoded; nothing throws.
import { type Address, type Hash, parseAddress } from '../../base/address.ts'
import type { DecodedLog } from '../event.ts'
import type { Preset } from '../preset.ts'
import { type RawLog, readNumber } from '../raw.ts'
import { EVENT_BY_TOPIC, type EventName, emitterOf, type PoolEventName } from './event.ts'
import { LOCK_EVENTS } from './lock.ts'
import { memoise } from './memo.ts'
import { type Read, shape } from './shape.ts'
import {
  hasWords,
  topicAddress,
  toTick,
  wordUintOf as uintOf,
  wordAddress,
  wordInt,
  wordTick,
  wordUint,
} from './word.ts'

/** The decoded log, or null for one that Assay does not read. */
export type Decode = (log: RawLog) => DecodedLog | null

/** Emitters that are remembered. */
const REMEMBERED = 10_000

/** The decoder of a chain: wrapped native, factories and lockers count only where the preset names them. */
export function createDecode(preset: Pick<Preset, 'wrappedNative' | 'factories' | 'lockers'>): Decode {
  const factories = new Set<string>(preset.factories.map(({ address }) => address))
  const lockers = new Map<string, string | undefined>(preset.lockers.map(({ address, kind }) => [address, kind]))
  const wrapped: string = preset.wrappedNative
  const readEmitter = memoise(REMEMBERED, parseAddress)
  return (log) => {
    const topic0 = log.topics[0]
    if (topic0 === undefined) return null
    const name = EVENT_BY_TOPIC.get(topic0) ?? EVENT_BY_TOPIC.get(topic0.toLowerCase())
    if (!name) return null
    const address = readEmitter(log.address)
    if (!address) return null
    const emitter = emitterOf(name)
    if (emitter === 'wrapped') {
      if (address !== wrapped) return null
    } else if (emitter === 'factory') {
      if (!factories.has(address)) return null
    } else if (emitter !== 'any' && lockers.get(address) !== emitter) return null
    try {
      return decode(name, log, address)
    } catch {
      return null
    }
  }
}

/** Before the standard settled, some tokens indexed nothing: one topic and three words. ERC-721 has four topics. */
const readTransfer: Read = (topics, data) => {
  if (topics.length === 3 && hasWords(data, 1))
    return { kind: 'transfer', from: topicAddress(topics[1]), to: topicAddress(topics[2]), amount: wordUint(data, 0) }
  if (topics.length === 1 && hasWords(data, 3))
    return { kind: 'transfer', from: wordAddress(data, 0), to: wordAddress(data, 1), amount: wordUint(data, 2) }
  return null
}

const readV3Swap = (_: readonly string[], data: string): object => ({
  kind: 'v3_swap',
  amount0: wordInt(data, 0),
  amount1: wordInt(data, 1),
  sqrtPriceX96: uintOf(data, 2, 160),
  liquidity: uintOf(data, 3, 128),
  tick: wordTick(data, 4),
})

/** Owner and ticks are indexed; the amounts stand in the data from `first` on (Mint says its sender before them). */
const v3Change =
  (kind: 'v3_mint' | 'v3_burn', first: number) =>
  (topics: readonly string[], data: string): object => ({
    kind,
    owner: topicAddress(topics[1]),
    tickLower: toTick(topics[2] ?? ''),
    tickUpper: toTick(topics[3] ?? ''),
    liquidity: uintOf(data, first, 128),
    amount0: wordUint(data, first + 1),
    amount1: wordUint(data, first + 2),
  })

const READ_POOL: Record<PoolEventName, Read> = {
  transfer: readTransfer,
  deposit: shape(2, 1, (t, d) => ({ kind: 'deposit', to: topicAddress(t[1]), amount: wordUint(d, 0) })),
  withdrawal: shape(2, 1, (t, d) => ({ kind: 'withdrawal', from: topicAddress(t[1]), amount: wordUint(d, 0) })),
  pair_created: shape(3, 2, (t, d) => ({
    kind: 'pair_created',
    token0: topicAddress(t[1]),
    token1: topicAddress(t[2]),
    pool: wordAddress(d, 0),
  })),
  v2_mint: shape(2, 2, (_, d) => ({ kind: 'v2_mint', amount0: wordUint(d, 0), amount1: wordUint(d, 1) })),
  v2_burn: shape(3, 2, (t, d) => ({
    kind: 'v2_burn',
    to: topicAddress(t[2]),
    amount0: wordUint(d, 0),
    amount1: wordUint(d, 1),
  })),
  v2_swap: shape(3, 4, (t, d) => ({
    kind: 'v2_swap',
    to: topicAddress(t[2]),
    amount0In: wordUint(d, 0),
    amount1In: wordUint(d, 1),
    amount0Out: wordUint(d, 2),
    amount1Out: wordUint(d, 3),
  })),
  v2_sync: shape(1, 2, (_, d) => ({ kind: 'v2_sync', reserve0: uintOf(d, 0, 112), reserve1: uintOf(d, 1, 112) })),
  pool_created: shape(4, 2, (t, d) => ({
    kind: 'pool_created',
    token0: topicAddress(t[1]),
    token1: topicAddress(t[2]),
    fee: Number(uintOf(t[3] ?? '', 0, 24)),
    pool: wordAddress(d, 1),
  })),
  v3_initialize: shape(1, 2, (_, d) => ({
    kind: 'v3_initialize',
    sqrtPriceX96: uintOf(d, 0, 160),
    tick: wordTick(d, 1),
  })),
  v3_mint: shape(4, 4, v3Change('v3_mint', 1)),
  v3_burn: shape(4, 3, v3Change('v3_burn', 0)),
  v3_swap: shape(3, 5, readV3Swap),
  v3_swap_fees: shape(3, 7, readV3Swap),
}

const READ: Record<EventName, Read> = {
  ...READ_POOL,
  ...(Object.fromEntries(Object.entries(LOCK_EVENTS).map(([name, [, , read]]) => [name, read])) as Record<
    keyof typeof LOCK_EVENTS,
    Read
  >),
}

function decode(name: EventName, log: RawLog, address: Address): DecodedLog | null {
  const logIndex = readNumber(log.logIndex)
  if (logIndex === null) return null
  const decoded = READ[name](log.topics, log.data) as DecodedLog | null
  if (!decoded) return null
  // One by one: Object.assign takes three times as long.
  decoded.address = address
  decoded.logIndex = logIndex
  decoded.txHash = log.transactionHash.toLowerCase() as Hash
  return decoded
}
