// The clusters among a token's wallets as a map for people. A cluster has its wallets, their share of the supply, and the
// links between them. The result does not depend on the order of the facts.
import { CLUSTER_MAP, type ClusterLink, type ClusterMap, type MappedCluster } from '../ledger/clusters.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { type Edge, isSybil, type SybilEvidence, uniteWallets, type WalletCluster } from './sybil.ts'

/** The map; null where clusters are unknown. */
export function mapClusters(
  { holders }: Pick<TokenFacts, 'holders'>,
  evidence: SybilEvidence | null,
  weighed: readonly WalletCluster[] | null,
): ClusterMap | null {
  if (evidence === null || weighed === null) return null
  const shares = new Map((holders ?? []).map(({ id, share }) => [id, share]))
  const kept = weighed
    .toSorted((a, b) => b.heldShare - a.heldShare || b.members.length - a.members.length || least(a) - least(b))
    .slice(0, CLUSTER_MAP.clusters)
  return {
    clusters: kept.map((cluster): MappedCluster => {
      const byShare = cluster.members.toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0) || a - b)
      return {
        walletCount: cluster.members.length,
        heldShare: cluster.heldShare,
        outsideShare: Math.min(1, cluster.supplyShare),
        isFlagged: isSybil(cluster),
        walletIds: byShare.slice(0, CLUSTER_MAP.wallets),
      }
    }),
    links: kept.length > 0 ? joiningLinks(evidence, kept) : [],
  }
}

const least = ({ members }: WalletCluster): number => Math.min(...members)

/** Links that join the wallets of each cluster, without those that only close a circle. */
function joiningLinks({ edges, services }: SybilEvidence, clusters: readonly WalletCluster[]): ClusterLink[] {
  const members = new Set(clusters.flatMap((cluster) => cluster.members))
  const parent = new Map<number, number>()
  return KINDS.flatMap((kind) =>
    edges[kind]
      // A funder or a shared target may hold nothing, and still be what joins two members.
      .filter(([a, b]) => a !== b && (members.has(a) || members.has(b)) && !services.has(a) && !services.has(b))
      .sort(byIds)
      .filter(([a, b]) => uniteWallets(parent, a, b))
      .map(([fromId, toId]): ClusterLink => ({ fromId, toId, kind })),
  ).slice(0, CLUSTER_MAP.links)
}

/** The plainest evidence first. */
const KINDS: readonly ClusterLink['kind'][] = ['native', 'funder', 'token', 'shared_target', 'fresh_buys']

const byIds = ([fromA, toA]: Edge, [fromB, toB]: Edge): number => fromA - fromB || toA - toB
