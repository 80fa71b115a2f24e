// The logs of a token for the judgement of its contract. Input of the measures: trades, mints and burns of a window,
// in the chain's order.
import type { Address } from '../../base/address.ts'

export interface WindowTrade {
  /** Seconds since 1970. */
  time: number
  trader: Address
  isBuy: boolean
}

/** A trade whose logs were read. */
export interface TokenTrade extends WindowTrade {
  /** Raw units that left the pool of a purchase, or the seller. */
  left: bigint
  /** And that arrived at the buyer, or the pool. */
  arrived: bigint
}

/** A mint or a burn: one side is nobody. */
export interface SupplyMove {
  /** Seconds since 1970. */
  time: number
  from: Address
  to: Address
  amount: bigint
}

export interface LogWindow {
  /** Seconds since 1970. */
  from: number
  to: number
  /** The time when strangers could first trade, and its block. */
  launchedAt: number
  launchedBlock: number
  trades: readonly WindowTrade[]
  /** The deployer and the owner. */
  minters: ReadonlySet<Address>
  supplyMoves: readonly SupplyMove[]
  /** Deployer, owners, and accounts that act for them. */
  insiders: ReadonlySet<Address>
  /** Raw units in existence before the first of them. */
  supplyBefore: bigint
}
