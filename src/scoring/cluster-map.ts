// The clusters among a token's wallets as a map for people. A cluster has its wallets, their share of the supply, and the
// links between them. The result does not depend on the order of the facts.
import { CLUSTER_MAP, type ClusterLink, type ClusterMap, type MappedCluster } from '../ledger/clusters.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { type Edge, findRoot, findServices, isSybil, type SybilEvidence, type WalletCluster } from './sybil.ts'

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
function joiningLinks(evidence: SybilEvidence, clusters: readonly WalletCluster[]): ClusterLink[] {
  const members = clusters.flatMap((cluster) => cluster.members)
  const isMember = new Set(members)
  const isService = findServices(evidence)
  const parent = new Map<number, number>()
  const links: ClusterLink[] = []
  for (const kind of KINDS) {
    // A funder or a shared target may hold nothing, and still be what joins two members.
    const near = evidence.edges[kind].filter(
      ([a, b]) => a !== b && (isMember.has(a) || isMember.has(b)) && !isService(a) && !isService(b),
    )
    for (const [fromId, toId] of near.sort(byIds)) if (unite(parent, fromId, toId)) links.push({ fromId, toId, kind })
    // Fresh buys come last, are by far the most, and are seldom needed.
    if (new Set(members.map((id) => findRoot(parent, id))).size === clusters.length) break
  }
  return links.slice(0, CLUSTER_MAP.links)
}

/** Whether they were apart. */
function unite(parent: Map<number, number>, a: number, b: number): boolean {
  const [rootA, rootB] = [findRoot(parent, a), findRoot(parent, b)]
  if (rootA !== rootB) parent.set(Math.max(rootA, rootB), Math.min(rootA, rootB))
  return rootA !== rootB
}

/** The plainest evidence first. */
const KINDS: readonly ClusterLink['kind'][] = ['native', 'funder', 'token', 'shared_target', 'fresh_buys']

const byIds = ([fromA, toA]: Edge, [fromB, toB]: Edge): number => fromA - fromB || toA - toB
