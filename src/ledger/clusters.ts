// The clusters among a token's wallets, in stored form: ids of wallets, and shares from 0 to 1.

/** Bounds of a map: clusters, wallets of a cluster, links of all clusters. */
export const CLUSTER_MAP = { clusters: 10, wallets: 50, links: 100 } as const

/** Why two wallets count as one owner's. */
export const CLUSTER_LINK_KINDS = ['native', 'token', 'funder', 'shared_target', 'fresh_buys'] as const
type ClusterLinkKind = (typeof CLUSTER_LINK_KINDS)[number]

/** With the kind `funder`, `toId` paid `fromId` first; with `shared_target`, `fromId` sent to `toId`, as others did. */
export interface ClusterLink {
  fromId: number
  toId: number
  kind: ClusterLinkKind
}

export interface MappedCluster {
  walletCount: number
  /** Of the supply, and of the supply outside pools. */
  heldShare: number
  outsideShare: number
  /** Whether it sets the flag `sybil_cluster`. */
  isFlagged: boolean
  /** The largest holders of it. */
  walletIds: number[]
}

export interface ClusterMap {
  /** The largest share first. */
  clusters: MappedCluster[]
  links: ClusterLink[]
}
