// The logs of a token for the judgement of its contract. Input of the measures: trades and transfers of a window, in
// the chain's order.
import type { Address, Hash } from '../../base/address.ts'

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

export interface TokenTransfer {
  txHash: Hash
  block: number
  time: number
  from: Address
  to: Address
  amount: bigint
  /** The signer of the transaction. */
  signer: Address
}

export interface LogWindow {
  /** Seconds since 1970. */
  from: number
  to: number
  /** The time when strangers could first trade, and its block. */
  launchedAt: number
  launchedBlock: number
  trades: readonly WindowTrade[]
  transfers: readonly TokenTransfer[]
  /** Deployer, owners, and accounts that act for them. */
  insiders: ReadonlySet<Address>
  /** Accounts that do not sign: pools, lockers, smart accounts. */
  contracts: ReadonlySet<Address>
  /** Accounts that ever approved a spender for this token; null: those logs were not read. */
  approvers: ReadonlySet<Address> | null
  /** Raw units in existence before the window's first mint. */
  supplyBefore: bigint
  /** Whether the window has every transfer of the token. */
  isWhole: boolean
}
