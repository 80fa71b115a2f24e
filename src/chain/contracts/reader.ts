// Reads contracts at a block with `eth_call`. A contract that reverts or returns nonsense is a normal answer: null.
import type { Address } from '../../base/address.ts'
import type { PoolKind } from '../event.ts'

export interface TokenMetadata {
  /** Decoded from string or bytes32, without NUL and lone surrogates, at most 256 characters; empty when missing. */
  name: string
  symbol: string
  /** Null when missing, reverting, or above 255. There is no default such as 18, which would misprice other tokens. */
  decimals: number | null
  /** Raw units; null when the contract does not answer. */
  totalSupply: bigint | null
}

export interface PoolMetadata {
  kind: PoolKind
  factory: Address
  launchpad: string
  token0: Address
  token1: Address
  /** In hundredths of a basis point: 3000 is 0.3 %. Null if it changes from trade to trade. */
  fee: number | null
  /** Whether its reserves follow the stable curve x^3 y + y^3 x. */
  stable: boolean
  /** The contract that the pool calls around each change, and its rights as bits of `hooks.ts`; null without hooks. */
  hooks: Address | null
  hookRights: number
  /** The distance between ticks at which positions may begin and end; null if the fee determines it. */
  tickSpacing: number | null
  /** The V2 reserves, or the V3 pool's token balances, at the block; 0 when the provider no longer has the state. */
  reserve0: bigint
  reserve1: bigint
  /** V3 only; null for V2, or when the provider no longer has the state. */
  sqrtPriceX96: bigint | null
  /** V2 shares in existence (totalSupply) at the block; 0 for V3. */
  shares: bigint
  /** Of a launch curve: the number of tokens that it sells before the token graduates; null if unknown. */
  offered?: bigint | null
  /** Of a pool of more than two coins: the other rows, one per pair. */
  pairsOfMany?: readonly (PoolMetadata & { address: Address })[]
}

/** Reads contracts at the end of `block` (a number). Provider faults throw after retries; contract faults are nulls. */
export interface ChainReader {
  readTokens(addresses: readonly Address[], block: number): Promise<Map<Address, TokenMetadata>>
  /** Pools by address, or by the 32 bytes of a manager's pool. Null: no factory or key of the preset confirms it. */
  readPools(addresses: readonly Address[], block: number): Promise<Map<Address, PoolMetadata | null>>
  /** Raw balances in the order of `questions`; null if the state is pruned or the token does not answer. */
  readBalances(questions: readonly { token: Address; holder: Address }[], block: number): Promise<(bigint | null)[]>
  /** Whether an address with code acts for one owner; null: it has no code, or the node does not tell. */
  readAccounts(addresses: readonly Address[], block: number): Promise<Map<Address, boolean | null>>
}
