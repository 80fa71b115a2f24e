// The events that Assay reads: signature, topic0, and whose word counts. Everything else about a log stands in decode.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { LockerKind, Preset } from '../preset.ts'
import { LOCK_EVENTS, type LockEventName } from './lock.ts'

/** Who may emit: anybody (the ledger confirms pools), the chain's wrapped native, a factory or a locker of the preset. */
type Emitter = 'any' | 'wrapped' | 'factory' | LockerKind

const POOL_EVENTS = {
  transfer: ['Transfer(address,address,uint256)', 'any'],
  deposit: ['Deposit(address,uint256)', 'wrapped'],
  withdrawal: ['Withdrawal(address,uint256)', 'wrapped'],
  pair_created: ['PairCreated(address,address,address,uint256)', 'factory'],
  v2_mint: ['Mint(address,uint256,uint256)', 'any'],
  v2_burn: ['Burn(address,uint256,uint256,address)', 'any'],
  v2_swap: ['Swap(address,uint256,uint256,uint256,uint256,address)', 'any'],
  v2_sync: ['Sync(uint112,uint112)', 'any'],
  pool_created: ['PoolCreated(address,address,uint24,int24,address)', 'factory'],
  v3_initialize: ['Initialize(uint160,int24)', 'any'],
  v3_mint: ['Mint(address,address,int24,int24,uint128,uint256,uint256)', 'any'],
  v3_burn: ['Burn(address,int24,int24,uint128,uint256,uint256)', 'any'],
  v3_swap: ['Swap(address,address,int256,int256,uint160,uint128,int24)', 'any'],
  /** PancakeSwap V3 says the protocol's fees too; the words before them are the same. */
  v3_swap_fees: ['Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)', 'any'],
} as const satisfies Record<string, readonly [string, Emitter]>

/** The events of tokens, pools and factories. */
export type PoolEventName = keyof typeof POOL_EVENTS
export type EventName = PoolEventName | LockEventName

const EVENTS: Record<EventName, readonly [signature: string, emitter: Emitter, ...unknown[]]> = {
  ...POOL_EVENTS,
  ...LOCK_EVENTS,
}
const NAMES = Object.keys(EVENTS) as EventName[]

/** keccak-256 of the signature (ABI specification, "Events"). */
const topicOf = (name: EventName) => `0x${bytesToHex(keccak_256(utf8ToBytes(EVENTS[name][0])))}` as const

/** topic0 of each event. */
export const TOPICS = Object.fromEntries(NAMES.map((name) => [name, topicOf(name)])) as Record<EventName, `0x${string}`>

/** The event of a topic0. */
export const EVENT_BY_TOPIC: ReadonlyMap<string, EventName> = new Map(NAMES.map((name) => [TOPICS[name], name]))

/** Who may emit the event. */
export const emitterOf = (name: EventName): Emitter => EVENTS[name][1]

/** topic0 of every event that counts on the chain: those of lockers only where the preset names such a locker. */
export function listTopics({ lockers }: Pick<Preset, 'lockers'>): `0x${string}`[] {
  const emitters = new Set<Emitter | undefined>(['any', 'wrapped', 'factory', ...lockers.map(({ kind }) => kind)])
  return NAMES.filter((name) => emitters.has(emitterOf(name))).map((name) => TOPICS[name])
}
