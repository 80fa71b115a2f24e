// What is known of a chain beforehand: data in JSON, one file per chain id, and a CHAIN_CONFIG that adds to it.
import type { Address } from '../../base/address.ts'

export interface Factory {
  address: Address
  kind: 'v2' | 'v3'
  /** The launch venue's name, snake_case. */
  launchpad: string
}

interface Named {
  address: Address
  name: string
}

/** Whose logs tell when a lock ends: UNCX for V2 shares (both generations), PinkLock V2, Team Finance. */
export const LOCKER_KINDS = ['uncx', 'pinklock', 'team_finance'] as const
export type LockerKind = (typeof LOCKER_KINDS)[number]

export interface Locker extends Named {
  /** Which logs it writes. None: the ends of its locks are not known. */
  kind?: LockerKind | undefined
}

export interface Preset {
  chainId: number
  name: string
  wrappedNative: Address
  nativeSymbol: string
  /** Taken as one dollar each; earlier ones outrank later ones as quote. */
  stablecoins: Address[]
  factories: Factory[]
  burnAddresses: Address[]
  lockers: Locker[]
  exchanges: Named[]
  /** Blocks after which a block counts as final where the source has no `finalized` tag. */
  finalityDepth: number
  /** Dollars on the quote side below which a pool prices nothing. */
  minPoolDepthUsd: number
  /** Sector label by token address, for `sector_preference`; else the launch venue serves. */
  sectors: Record<string, string>
  /** A reasonable first block: the oldest factory's. */
  startBlock: number
}
