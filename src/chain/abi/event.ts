// The events that Assay reads: signature, topic0, and whose word counts. Everything else about a log stands in decode.
import { toEventSelector } from 'viem'

/** Who may emit: anybody (the ledger confirms pools), the chain's wrapped native, or a factory of the preset. */
type Emitter = 'any' | 'wrapped' | 'factory'

const SIGNATURES = {
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

export type EventName = keyof typeof SIGNATURES

const NAMES = Object.keys(SIGNATURES) as EventName[]

/** topic0 of each event. */
export const TOPICS = Object.fromEntries(NAMES.map((name) => [name, toEventSelector(SIGNATURES[name][0])])) as Record<
  EventName,
  `0x${string}`
>

/** The event of a topic0. */
export const EVENT_BY_TOPIC: ReadonlyMap<string, EventName> = new Map(NAMES.map((name) => [TOPICS[name], name]))

/** Who may emit the event. */
export const emitterOf = (name: EventName): Emitter => SIGNATURES[name][1]
