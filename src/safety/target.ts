// The inputs of a check, all from the chain's logs and from earlier checks. The ledger fills them in; nothing here
// comes from the node.
import type { Address, Hash } from '../base/address.ts'
import type { PoolKind } from '../chain/event.ts'
import type { Venue } from '../chain/exchanges/venues.ts'
import type { LogFacts } from './log-facts.ts'
import type { CodeFacts, Power, PowersTried } from './report.ts'

/** A token, and the ledger's facts about it. */
export interface SafetyTarget {
  token: Address
  /** The block at whose end the other facts hold: the node is asked there. */
  block: TargetBlock
  /** The deepest first; at most 4 are used. */
  pools: readonly SafetyPool[]
  /** Accounts that hold the token by the ledger and bought it; neither pools, lockers nor insiders. 24 are used. */
  holders: readonly SafetyHolder[]
  deployer: Address | null
  /** Null: it is older than the first indexed block. */
  createdBlock: number | null
  /** Accounts that act for the deployer, by logs: past and present owners, wallets that it funded, first receivers. */
  insiders: readonly Address[]
  wrappedNative: Address
  /**
   * Accounts that hold much of a pool's other token and pay for a trial purchase, by that token: its largest pools
   * suffice.
   */
  payers: ReadonlyMap<Address, readonly Address[]>
  /** Raw units, by the ledger; null if unknown. */
  supply: bigint | null
  /** The newest sales and purchases of strangers, a few of each. */
  trades: readonly RecentTrade[]
  /** Transfers out of other accounts that were no trades: those to insiders first, then the newest. */
  moves: readonly RecentMove[]
  /** Null if no window of logs was measured. */
  logs: LogFacts | null
  /**
   * The earlier findings in the code. The powers are not tried again while code, implementation and owner are the same.
   */
  known: { code: CodeFacts; powers: readonly Power[]; powersTried: PowersTried; powersRead: readonly string[] } | null
  /** A text that nobody can foresee: probe accounts and the sample of holders follow from it. */
  seed: string
}

export interface TargetBlock {
  number: number
  hash: Hash
  /** The newest block that no reorganisation takes back. */
  finalized: number
}

export interface RecentTrade {
  txHash: Hash
  block: number
  /** Seconds since 1970. */
  time: number
  trader: Address
  isBuy: boolean
}

export interface RecentMove {
  txHash: Hash
  block: number
  from: Address
  to: Address
}

export interface SafetyPool {
  /** The contract, the 32 bytes of a manager's pool, or the key of a launch curve. */
  address: Address
  kind: PoolKind
  /** The kind of its factory. */
  venue: Venue
  /** The factory, or the manager or launch venue that holds its tokens. */
  factory: Address
  /** In the form of rows: the wrapped coin stands for the native one. */
  token0: Address
  token1: Address
  /** In hundredths of a basis point; null if it changes from trade to trade. */
  fee: number | null
  stable: boolean
  tickSpacing: number | null
  hooks: Address | null
  /** Bits of `hooks.ts`. */
  hookRights: number
  /** Raw units of each side, by the ledger; 0 without a log of them. */
  reserve0: bigint
  reserve1: bigint
  liquidityUsd: number
}

export interface SafetyHolder {
  address: Address
  /** Raw units, by the ledger. */
  balance: bigint
  /** The time of its first receipt of the token, in seconds since 1970. */
  since: number
  /** Whether it ever sold. */
  hasSold: boolean
  /** Whether it bought from a pool; else it received the token by transfer. */
  hasBought: boolean
  /** When it last bought, in seconds since 1970; null: not within the window of logs. */
  lastBoughtAt: number | null
}
