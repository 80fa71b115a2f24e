// What a check is told of a token, all of it from the chain's logs and from earlier checks. Who fills it in reads the ledger;
// nothing here is asked of the node.
import type { Address, Hash } from '../base/address.ts'
import type { PoolKind, Venue } from '../chain/event.ts'
import type { LogFacts } from './log-facts.ts'
import type { CodeFacts, Power, PowersTried } from './report.ts'

/** A token, and what the ledger knows about it. */
export interface SafetyTarget {
  token: Address
  /** The deepest first; at most 4 are looked at. */
  pools: readonly SafetyPool[]
  /** Accounts that hold the token by the ledger and bought it; neither pools, lockers nor insiders. 24 are looked at. */
  holders: readonly SafetyHolder[]
  deployer: Address | null
  /** Accounts that act for the deployer, as far as logs tell: past and present owners, wallets that it funded, first receivers. */
  insiders: readonly Address[]
  wrappedNative: Address
  /** Accounts that hold much of a pool's other token and pay for a trial purchase of it, by that token: its largest pools will do. */
  payers: ReadonlyMap<Address, readonly Address[]>
  /** Raw units, by the ledger; null where it is not known. */
  supply: bigint | null
  /** What a recent real trade of the token paid for gas, in wei; null: the price of the block's base fee is taken. */
  gasPrice: bigint | null
  /** A transaction of an insider to the token, or of the newest trade: what it touched is looked at. Newest first. */
  insiderCalls: readonly InsiderCall[]
  /** Null where no window of logs was measured. */
  logs: LogFacts | null
  /** What an earlier check found in the code. The powers are not looked for again while code, implementation and owner are the same. */
  known: { code: CodeFacts; powers: readonly Power[]; powersTried: PowersTried } | null
  /** Any text that nobody can foresee: probe accounts and the sample of holders follow from it. */
  seed: string
}

export interface SafetyPool {
  /** The contract, the 32 bytes of a manager's pool, or what a launch curve is known by. */
  address: Address
  kind: PoolKind
  /** The kind of its factory. */
  venue: Venue
  /** The factory, or the manager or launch venue that holds its tokens. */
  factory: Address
  /** As rows have them: the wrapped coin stands for the native one. */
  token0: Address
  token1: Address
  /** In hundredths of a basis point; null where it changes from trade to trade. */
  fee: number | null
  stable: boolean
  tickSpacing: number | null
  hooks: Address | null
  /** Bits of `hooks.ts`. */
  hookRights: number
  /** Raw units of each side, by the ledger; 0 where no log tells. */
  reserve0: bigint
  reserve1: bigint
  liquidityUsd: number
}

export interface SafetyHolder {
  address: Address
  /** Raw units, by the ledger. */
  balance: bigint
  /** When it first received the token, in seconds since 1970. */
  since: number
  /** Whether it ever sold. */
  hasSold: boolean
  /** Whether it bought from a pool; else somebody sent it the token. */
  hasBought: boolean
  /** When it last bought, in seconds since 1970; null: not within the window of logs. */
  lastBoughtAt: number | null
}

/** A transaction of an insider that called the token, or a contract that the token asks. */
export interface InsiderCall {
  txHash: Hash
  from: Address
  to: Address
}
