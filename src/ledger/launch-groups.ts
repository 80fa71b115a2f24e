// The wallets around the launch of a token, as facts: who bought first, who is linked to the maker, and how their
// holdings moved. The rules of the groups are in `scoring/launch-groups.ts`.

/** The groups, in the order of answers. A wallet can be in several of them. */
export const LAUNCH_GROUPS = ['snipers', 'bundlers', 'insiders', 'developer', 'fresh'] as const
export type LaunchGroupName = (typeof LAUNCH_GROUPS)[number]

/** The rules that decide which facts are read. */
export interface LaunchReadRules {
  /** The most events of a token that are read: the first ones. */
  events: number
  /** How long after the first liquidity a first buy belongs to the launch. */
  seconds: number
  /** Links, or wallets funded, above which an address is a service. */
  hubLinks: number
  /** With more token transfer counterparts than this, a wallet's token transfers show nothing about its owner. */
  crowdLinks: number
}

/** A wallet around a launch: what decides its groups, and what it holds. */
export interface LaunchHolder {
  walletId: number
  firstSeenAt: number
  /** The wallet that funded it first, and other first buyers of the launch. Null: none, unknown, or a service. */
  funderId: number | null
  isDeveloper: boolean
  isInsider: boolean
  /** Its first buy, if that belongs to the launch. */
  firstBuyAt: number | null
  /** Whole tokens held now; raw ones of a token without decimals, as in the events. */
  balance: number
}

/** The same with the rest of its position in the token. */
export interface LaunchWalletFacts extends LaunchHolder {
  address: string
  /** When it first held the token; null: it never did. */
  firstAt: number | null
  /** How many events of the token it has. */
  eventCount: number
  boughtUsd: number
  soldUsd: number
  /** The part of `soldUsd` whose cost is known. */
  soldKnownUsd: number
  realisedUsd: number
}

/** An event that changed the holding of one of these wallets. */
export interface LaunchMove {
  walletId: number
  block: number
  time: number
  /** Whole tokens, below zero: they left. */
  change: number
  isSale: boolean
}

/** What decides the groups of a token. */
export interface LaunchHolders<Wallet extends LaunchHolder = LaunchHolder> {
  tokenId: number
  /** The first liquidity. Null: there was none, or it may be older than the index. */
  openedAt: number | null
  /** Whether it is one of the chain's stablecoins or its wrapped coin. */
  isMoney: boolean
  /** Whether the database still has the first events. */
  hasFirstEvents: boolean
  hasDeployer: boolean
  /** From this time on the index knows when a wallet was first seen. Null: it always did. */
  seenSince: number | null
  /** The supply without burned tokens, in the unit of the balances. Null: unknown. */
  circulating: number | null
  wallets: Wallet[]
}

export interface LaunchFacts extends LaunchHolders<LaunchWalletFacts> {
  openedBlock: number | null
  /** In the order of the chain. */
  moves: LaunchMove[]
}
