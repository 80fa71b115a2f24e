// Questions to contracts at a block (`eth_call`). A contract that reverts, lies or answers nonsense is a normal answer: null.
import type { Address } from '../../base/address.ts'

export interface TokenMetadata {
  /** Text as the contract gave it, decoded from string or bytes32, without NUL and lone surrogates, 256 characters at most. Empty: none. */
  name: string
  symbol: string
  /** Null: absent, reverting, or above 255. Never a default of 18. */
  decimals: number | null
  /** Raw units. Null: not answered. */
  totalSupply: bigint | null
}

export interface PoolMetadata {
  kind: 'v2' | 'v3'
  factory: Address
  launchpad: string
  token0: Address
  token1: Address
  /** Hundredths of a basis point: 3000 is 0.3 %. */
  fee: number
  /** V2's reserves, or the V3 pool's token balances, at the block; 0 where the provider has no state for it any more. */
  reserve0: bigint
  reserve1: bigint
  /** V3 only; null also where the state is gone. */
  sqrtPriceX96: bigint | null
  /** Shares in being (V2 totalSupply) at the block; 0 for V3. */
  shares: bigint
}

/** What the ledger asks of the chain. `block` is a number; answers are as of its end. Faults of the provider throw after retries; faults of a contract are nulls. */
export interface ChainReader {
  readTokens(addresses: readonly Address[], block: number): Promise<Map<Address, TokenMetadata>>
  /** Null: no pool that a factory of the preset confirms. */
  readPools(addresses: readonly Address[], block: number): Promise<Map<Address, PoolMetadata | null>>
  /** Raw balances in the order of the questions; null where the state is gone (pruned) or the token does not answer. */
  readBalances(questions: readonly { token: Address; holder: Address }[], block: number): Promise<(bigint | null)[]>
}
