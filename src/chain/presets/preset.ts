// The known addresses of a chain: one JSON file per chain id, which a CHAIN_CONFIG can extend.
import type { Address } from '../../base/address.ts'
import type { Seen } from '../exchanges/exchange.ts'
import type { Venue } from '../exchanges/venues.ts'

export interface Factory {
  address: Address
  kind: Venue
  /** The name of the launch venue, in snake_case. */
  launchpad: string
  /** The contract that holds positions in ranges for their owners, each as a token. */
  positions?: Address | undefined
  /** The block of its deployment; no log of it is older. */
  fromBlock?: number | undefined
  /** Of a launch venue: the contract that returns a token's quote and the amount for sale. */
  helper?: Address | undefined
  /** Of a launch venue: the default quote of its tokens, if no log names one. */
  quote?: Address | undefined
  /**
   * The source of the address: an emitter of recorded logs of the chain, or one publication; left out: several of them.
   * A preset's factory of one source is off until a CHAIN_CONFIG names it.
   */
  seen?: Seen | undefined
}

interface Named {
  address: Address
  name: string
}

/** Lockers whose logs are read: UNCX for V2 shares (both generations), PinkLock V2, Team Finance, Doppler's for Uniswap V4. */
export const LOCKER_KINDS = ['uncx', 'pinklock', 'team_finance', 'doppler'] as const
export type LockerKind = (typeof LOCKER_KINDS)[number]

export interface Locker extends Named {
  /** The format of its logs. Undefined: its logs are not read, so the end of its locks is unknown. */
  kind?: LockerKind | undefined
  /** By its source no function returns a position that it holds, so its positions are locked for good. */
  permanent?: true | undefined
}

export interface Preset {
  chainId: number
  name: string
  /** The token that wraps the native coin. A chain without one has a place without a contract here. */
  wrappedNative: Address
  /** The ERC-20 through which contracts move the native coin itself, where the chain has one; the coin has 18 decimals. */
  nativeToken?: { address: Address; decimals: number } | undefined
  /** Contracts that log payments in the native coin, besides those of every chain (exchanges/native.ts). */
  nativeLogs?: Address[] | undefined
  /** Contracts that a Transfer pays the fee of a transaction to, and that give the rest back. */
  feeCollectors?: Address[] | undefined
  nativeSymbol: string
  /** Each counts as 1 USD. A pool of two of them has the earlier one in the list as its quote. */
  stablecoins: Address[]
  /** Quote tokens besides the stablecoins and the native coin: the price of their pools is one step from a dollar. */
  hubs?: Address[] | undefined
  factories: Factory[]
  burnAddresses: Address[]
  lockers: Locker[]
  /** Hooks that may settle swaps by their own curve, and by their source only take a fee that way. */
  feeHooks?: Named[] | undefined
  exchanges: Named[]
  /** Contracts that verify a signed request and forward it (ERC-2771). Whom their logs name has acted. */
  forwarders?: Address[] | undefined
  /** The addresses that log in recorded transactions; the others come only from published sources. Factories have `seen`. */
  recorded?: Address[] | undefined
  /** The seconds after which a block is final if the source has no `finalized` tag. */
  finalitySeconds?: number | undefined
  /** The same as a number of blocks, which counts instead. */
  finalityDepth?: number | undefined
  /** A pool with a smaller quote side, in USD, gives no price. */
  minPoolDepthUsd: number
  /** Sector label by token address, for `sector_preference`; a token without one uses its launch venue. */
  sectors: Record<string, string>
  /** The default first block: that of the oldest factory. */
  startBlock: number
}
