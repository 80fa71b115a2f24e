// The clusters among a token's holders and traders: wallets that count as one owner's, and why.
import { toMeaning } from '../../base/amount.ts'
import { CLUSTER_LINK_KINDS, CLUSTER_MAP, type ClusterLink, type MappedCluster } from '../../ledger/clusters.ts'
import type { ClusterMapRow } from '../../ledger/read/cluster.ts'
import { listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { limitArgs } from '../schema/length.ts'
import { TokenObject } from '../schema/refs.ts'
import { described } from '../schema/vocabulary.ts'

const ClusterLinkKindEnum = builder.enumType('ClusterLinkKind', {
  description: 'The reason why two wallets count as one owner\u2019s.',
  values: described(CLUSTER_LINK_KINDS, {
    native: 'One sent native coin to the other.',
    token: 'One sent tokens to the other.',
    funder: 'The wallet `to` made the first payment to `from`, and to others of the cluster.',
    shared_target: 'The wallet `from` sent to `to`, as at least three other wallets of the token did.',
    fresh_buys: 'Both were less than a day old, and bought amounts within 5 % of each other within ten minutes.',
  }),
})

const HolderLinkObject = builder.objectRef<ClusterLink>('HolderLink').implement({
  description: 'A link between two wallets of a cluster. One of them may hold nothing, such as their funder.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ClusterLinkKindEnum, description: 'The reason.' }),
    from: t.field({
      type: 'Address',
      description: 'One of the wallets.',
      resolve: async ({ fromId }, _, { loaders }) => (await loaders.walletById.load(fromId)).address,
    }),
    to: t.field({
      type: 'Address',
      description: 'The other one.',
      resolve: async ({ toId }, _, { loaders }) => (await loaders.walletById.load(toId)).address,
    }),
    blockNumber: t.int({
      nullable: true,
      description: 'The number of the block of the first transfer; null for a link that is no transfer.',
      resolve: async (link, _, { lists }) => (await lists.linkBlocks.load(link))[0]?.blockNumber ?? null,
    }),
    paidAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'For a funder, when `from` was first seen, which is the time of the first payment; otherwise null.',
      resolve: async ({ fromId, kind }, _, { loaders }) =>
        kind === 'funder' ? (await loaders.walletById.load(fromId)).firstSeen : null,
    }),
  }),
})

const HolderClusterObject = builder.objectRef<MappedCluster>('HolderCluster').implement({
  description: 'Wallets that count as one owner\u2019s.',
  fields: (t) => ({
    walletCount: t.exposeInt('walletCount', {
      description: 'How many of the token\u2019s holders and traders it has.',
    }),
    heldPct: t.float({
      description: 'Their share of the supply without burned tokens, in percent.',
      resolve: ({ heldShare }) => toMeaning(100 * heldShare),
    }),
    outsidePct: t.float({
      description: 'Their share of the supply outside pools, in percent.',
      resolve: ({ outsideShare }) => toMeaning(100 * outsideShare),
    }),
    isFlagged: t.exposeBoolean('isFlagged', { description: 'Whether it sets the flag `sybil_cluster`.' }),
    wallets: t.field({
      type: ['Address'],
      description: 'Its largest holders, 50 at most.',
      extensions: listOf(CLUSTER_MAP.wallets),
      resolve: async ({ walletIds }, _, { loaders }) =>
        (await Promise.all(walletIds.map((id) => loaders.walletById.load(id)))).map(({ address }) => address),
    }),
  }),
})

const TokenClustersObject = builder.objectRef<ClusterMapRow>('TokenClusters').implement({
  description: 'The clusters among the holders and traders of a token, from its newest score.',
  extensions: PART,
  fields: (t) => ({
    clusters: t.field({
      type: [HolderClusterObject],
      description: 'The clusters, the largest share first.',
      args: limitArgs(CLUSTER_MAP.clusters, CLUSTER_MAP.clusters),
      extensions: listOf('limit', CLUSTER_MAP.clusters),
      resolve: ({ clusters: { clusters } }, { limit }) =>
        clusters.slice(0, readLimit(limit, CLUSTER_MAP.clusters, CLUSTER_MAP.clusters)),
    }),
    links: t.field({
      type: [HolderLinkObject],
      description: 'The links that hold them together, without those that only close a circle.',
      args: limitArgs(CLUSTER_MAP.links, CLUSTER_MAP.links),
      extensions: listOf('limit', CLUSTER_MAP.links),
      resolve: ({ clusters: { links } }, { limit }) =>
        links.slice(0, readLimit(limit, CLUSTER_MAP.links, CLUSTER_MAP.links)),
    }),
  }),
})

builder.prismaObjectField(TokenObject, 'clusters', (t) =>
  t.field({
    type: TokenClustersObject,
    nullable: true,
    description: 'The clusters among its holders and traders; null if they are unknown, which is no sign of safety.',
    resolve: (token, _, { loaders }) => loaders.clusters.load(token.id),
  }),
)
