// What is known about a chain beforehand: one JSON file per chain id, which a CHAIN_CONFIG can extend.
import type { Address } from '../../base/address.ts'
import type { Venue } from '../event.ts'

export interface Factory {
  address: Address
  kind: Venue
  /** The name of the launch venue, in snake_case. */
  launchpad: string
  /** The contract that holds positions in ranges for their owners, each as a token. */
  positions?: Address | undefined
  /** The block in which it was made, before which none of its logs can be. */
  fromBlock?: number | undefined
  /** Of a launch venue: the contract that tells a token's quote and how much is sold. */
  helper?: Address | undefined
  /** Of a launch venue: what its tokens are sold for, where no log says it. */
  quote?: Address | undefined
  /** Where the address was seen: as the emitter of recorded logs of the chain, or in several independent published sources. */
  seen?: (typeof SEEN)[number] | undefined
}

export const SEEN = ['recorded', 'published'] as const

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
  /** By its source no function gives back a position that it holds: what it holds is locked for good. */
  permanent?: true | undefined
}

export interface Preset {
  chainId: number
  name: string
  wrappedNative: Address
  nativeSymbol: string
  /** Each counts as 1 USD. When a pool holds two, the earlier one in the list is the quote. */
  stablecoins: Address[]
  /** Tokens that others are paired with, besides the stablecoins and the native coin: their pools' price is a hop to a dollar. */
  hubs?: Address[] | undefined
  factories: Factory[]
  burnAddresses: Address[]
  lockers: Locker[]
  /** Hooks that may settle swaps by a curve of their own, and by their source only take a fee that way. */
  feeHooks?: Named[] | undefined
  exchanges: Named[]
  /** Of all these addresses but factories, which say it themselves, those that log in recorded transactions; the others were found in published sources alone. */
  recorded?: Address[] | undefined
  /** Blocks after which a block counts as final if the source has no `finalized` tag. */
  finalityDepth: number
  /** A pool with less on its quote side, in USD, gives no price. */
  minPoolDepthUsd: number
  /** Sector label by token address, for `sector_preference`; a token without one uses its launch venue. */
  sectors: Record<string, string>
  /** The default first block: that of the oldest factory. */
  startBlock: number
}
