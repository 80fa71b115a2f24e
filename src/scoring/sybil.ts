// Finds clusters of linked wallets: the connected components of the links, without services. The result does not depend
// on the order of the links; a cluster is named by its smallest wallet id.

import { itemAt } from '../base/item-at.ts'
import { pushTo } from '../base/push-to.ts'
import type { ClusterLink } from '../ledger/clusters.ts'
import type { LinkFacts, SwapFacts, TokenFacts, TraderFacts } from '../ledger/facts/facts.ts'
import { findJoiningFunders } from '../ledger/facts/funders.ts'
import { ramp } from './ramp.ts'
import { SYBIL } from './weights.ts'

/** A link between two wallets. */
export type Edge = readonly [a: number, b: number]

export interface ClusterOptions {
  /** Wallets that are services, which connect no wallets. */
  entities?: ReadonlySet<number>
  /** A wallet with more neighbours than this counts as a service. */
  maxDegree?: number
  /** Additional links that do not count as neighbours. */
  joins?: readonly Edge[]
}

/**
 * Maps each wallet to the smallest id of its cluster; single wallets are left out. Services and hubs connect no
 * wallets.
 */
export function findClusters(
  edges: readonly Edge[],
  { entities, maxDegree = SYBIL.maxDegree, joins = [] }: ClusterOptions = {},
): Map<number, number> {
  const hubs = listHubs(edges, maxDegree)
  const isService = (id: number) => hubs.has(id) || entities?.has(id) === true
  const parent = new Map<number, number>()
  for (const [a, b] of [...edges, ...joins]) {
    if (a !== b && !isService(a) && !isService(b)) uniteWallets(parent, a, b)
  }
  return new Map([...parent.keys()].map((id) => [id, findRoot(parent, id)]))
}

/**
 * Wallets with more neighbours than `maxDegree`. Distinct neighbours are counted only for wallets with that many edges,
 * which are rare.
 */
function listHubs(edges: readonly Edge[], maxDegree: number): Set<number> {
  const counts = new Map<number, number>()
  for (const [a, b] of edges) {
    counts.set(a, (counts.get(a) ?? 0) + 1)
    counts.set(b, (counts.get(b) ?? 0) + 1)
  }
  const neighbours = new Map<number, Set<number>>()
  for (const [id, count] of counts) if (count > maxDegree) neighbours.set(id, new Set())
  if (neighbours.size > 0) {
    for (const [a, b] of edges) {
      if (a === b) continue
      neighbours.get(a)?.add(b)
      neighbours.get(b)?.add(a)
    }
  }
  return new Set([...neighbours].filter(([, near]) => near.size > maxDegree).map(([id]) => id))
}

/**
 * Edges to targets that enough wallets send to. A target shared by few wallets is chance, one shared by very many is a
 * service.
 */
export function joinSharedTargets(edges: readonly Edge[], minSharing: number = SYBIL.minSharing): Edge[] {
  const senders = new Map<number, Set<number>>()
  for (const [from, target] of edges) addTo(senders, target, from)
  return edges.filter(([, target]) => {
    const count = senders.get(target)?.size ?? 0
    return count >= minSharing && count <= SYBIL.maxDegree
  })
}

/** The members of each cluster, by its smallest member. */
export function groupClusters(clusters: ReadonlyMap<number, number>): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const [id, root] of clusters) {
    pushTo(groups, root, id)
  }
  return groups
}

/** Why wallets of a token belong together. */
export interface SybilEvidence {
  /** Links of each kind, also those of services; fresh buys without links that only close a circle. */
  edges: Readonly<Record<ClusterLink['kind'], readonly Edge[]>>
  /** Wallets that connect no others: no accounts, or with too many direct links. */
  services: ReadonlySet<number>
}

/** The links among a token's holders and traders; null if links and funders are unknown. */
export function readEvidence(facts: TokenFacts): SybilEvidence | null {
  if (facts.links === null) return null
  const wallets = (facts.holders ?? ([] as TraderFacts[])).concat(facts.traders)
  const sent: Record<LinkFacts['kind'], Edge[]> = { native: [], token: [], sharedTarget: [] }
  const linked: number[] = []
  for (const { fromId, toId, kind } of facts.links) {
    sent[kind].push([fromId, toId])
    linked.push(fromId, toId)
  }
  const joining = findJoiningFunders(
    wallets.map((wallet) => wallet.id),
    wallets.map((wallet) => wallet.firstFunderId),
    linked,
  )
  const funder: Edge[] = []
  for (const { id, firstFunderId } of wallets)
    if (firstFunderId !== null && joining.has(firstFunderId)) funder.push([id, firstFunderId])
  const { native, token, sharedTarget } = sent
  const services = listHubs(directOf({ native, token, funder }), SYBIL.maxDegree)
  for (const wallet of wallets) if (wallet.kind !== 'account') services.add(wallet.id)
  const accounts = wallets.filter(({ id }) => !services.has(id))
  const [shared_target, fresh_buys] = [joinSharedTargets(sharedTarget), joinFreshBuyers(facts.swaps, accounts)]
  return { edges: { native, token, funder, shared_target, fresh_buys }, services }
}

/** Links that count as neighbours of a wallet: transfers between two wallets, and first payments. */
const directOf = ({ native, token, funder }: Pick<SybilEvidence['edges'], 'native' | 'token' | 'funder'>): Edge[] =>
  native.concat(token, funder)

/** The clusters that the links join. */
export const joinEvidence = ({ edges, services }: SybilEvidence): Map<number, number> =>
  findClusters(directOf(edges), {
    entities: services,
    maxDegree: Number.POSITIVE_INFINITY,
    joins: edges.shared_target.concat(edges.fresh_buys),
  })

export interface SybilMeasures {
  /** Share of the supply outside pools that the cluster holds which weighs the most, 0-1; and how surely it is one, 0-1. */
  clusterSupplyShare: number | null
  clusterStrength: number
  /** Share of the whole supply that this cluster holds, 0-1. */
  clusterHeldShare: number | null
  /** Largest share of the fifty largest accounts that belongs to one cluster, 0-1. */
  clusterTopFiftyShare: number | null
}

/** A cluster and what it holds; the shares as in `SybilMeasures`. */
export interface WalletCluster {
  members: number[]
  /** Grows with its size; 1: it is large enough for the flag. */
  strength: number
  supplyShare: number
  /** Share of the whole supply, 0-1. */
  heldShare: number
  topFiftyShare: number
}

/** The largest shares of any cluster; null if clusters are unknown. */
export function measureSybil(clusters: readonly WalletCluster[] | null): SybilMeasures {
  const weightOf = ({ supplyShare, strength }: WalletCluster) => supplyShare * strength
  let heaviest: WalletCluster | null = null
  const flagged = clusters?.filter(isSybil) ?? []
  for (const cluster of flagged.length > 0 ? flagged : (clusters ?? []))
    if (!heaviest || weightOf(cluster) > weightOf(heaviest)) heaviest = cluster
  const whole = clusters?.filter(({ strength }) => strength === 1)
  return {
    clusterSupplyShare: clusters && Math.min(1, heaviest?.supplyShare ?? 0),
    clusterStrength: heaviest?.strength ?? 0,
    clusterHeldShare: clusters && Math.min(1, heaviest?.heldShare ?? 0),
    clusterTopFiftyShare: whole ? Math.max(0, ...whole.map((cluster) => cluster.topFiftyShare)) : null,
  }
}

/** Whether a cluster by itself sets the flag `sybil_cluster`. */
export const isSybil = ({
  supplyShare,
  topFiftyShare,
  strength,
}: Pick<WalletCluster, 'supplyShare' | 'topFiftyShare' | 'strength'>): boolean =>
  strength === 1 && (supplyShare >= SYBIL.flag.supply || topFiftyShare >= SYBIL.flag.topFifty)

/** The wallets of all clusters that set `sybil_cluster`, in ascending order. */
export const listSybils = (clusters: readonly WalletCluster[] | null): number[] =>
  (clusters ?? [])
    .filter(isSybil)
    .flatMap(({ members }) => members)
    .sort((a, b) => a - b)

/** What each cluster holds that is no chance; null if unknown. */
export function weighClusters(facts: TokenFacts, clusters: ReadonlyMap<number, number> | null): WalletCluster[] | null {
  if (clusters === null || facts.holders === null || facts.circulating === null) return null
  if (clusters.size === 0) return []
  const accounts = facts.holders.filter((holder) => holder.kind === 'account')
  const inPools = facts.holders.filter((holder) => holder.kind === 'pool').reduce((total, it) => total + it.share, 0)
  const top = new Set(accounts.slice(0, 50).map((holder) => holder.id))
  const minutes = firstBuyMinutes(facts.swaps)
  const weighed: WalletCluster[] = []
  const known = new Set([...facts.holders, ...facts.traders].map((wallet) => wallet.id))
  for (const group of groupClusters(clusters).values()) {
    const members = group.filter((id) => known.has(id))
    const bySize = ramp(members.length, SYBIL.size)
    const strength = Math.max(bySize, ramp(countInMinute(members, minutes), SYBIL.sizeSameMinute))
    if (strength === 0) continue
    const inside = new Set(members)
    const held = accounts.filter((holder) => inside.has(holder.id)).reduce((total, it) => total + it.share, 0)
    const supplyShare = held / Math.max(1 - inPools, SYBIL.leastOutside)
    const topFiftyShare = members.filter((id) => top.has(id)).length / Math.max(top.size, 10)
    weighed.push({ members, strength, supplyShare, heldShare: held, topFiftyShare })
  }
  return weighed
}

/** A buy of a fresh wallet, which `seat` numbers from 0. */
interface FreshBuy {
  walletId: number
  seat: number
  time: number
  quantity: number
}

/** The buys of wallets less than a day old, by size. */
function listFreshBuys(swaps: readonly SwapFacts[], wallets: readonly TraderFacts[]): FreshBuy[] {
  const { seconds, wallets: least } = SYBIL.fresh
  const oldest = (swaps[0]?.time ?? Number.POSITIVE_INFINITY) - seconds
  const fresh = new Map<number, { seat: number; since: number }>()
  for (const { id, firstSeenAt } of wallets)
    if (firstSeenAt !== null && firstSeenAt >= oldest) fresh.set(id, { seat: fresh.size, since: firstSeenAt })
  if (fresh.size < least) return []
  const buys: FreshBuy[] = []
  for (const { direction, walletId, time, quantity } of swaps) {
    const wallet = walletId === null ? undefined : fresh.get(walletId)
    if (walletId === null || !wallet || direction !== 'buy' || time - wallet.since > seconds) continue
    buys.push({ walletId, seat: wallet.seat, time, quantity })
  }
  return buys.sort((a, b) => a.quantity - b.quantity || a.time - b.time || a.walletId - b.walletId)
}

/** Links wallets less than a day old whose buys are close in time and size; no link that only closes a circle. */
function joinFreshBuyers(swaps: readonly SwapFacts[], wallets: readonly TraderFacts[]): Edge[] {
  const { withinSeconds, size, wallets: least } = SYBIL.fresh
  const buys = listFreshBuys(swaps, wallets)
  const edges: Edge[] = []
  const parent = new Map<number, number>()
  /** By seat: the last buy that the wallet was near to. */
  const nearTo = new Int32Array(wallets.length).fill(-1)
  const near: number[] = []
  let start = 0
  for (let end = 0; end < buys.length; end++) {
    const last = itemAt(buys, end)
    while (itemAt(buys, start).quantity < last.quantity * (1 - size)) start++
    near.length = 0
    for (let at = Math.max(start, end - 200); at <= end; at += 1) {
      const { time, seat, walletId } = itemAt(buys, at)
      if (nearTo[seat] === end || Math.abs(time - last.time) > withinSeconds) continue
      nearTo[seat] = end
      near.push(walletId)
    }
    if (near.length < least) continue
    // Two hundred buys near each other would be twenty thousand links, and one less than the wallets join them.
    for (const id of near) if (uniteWallets(parent, id, last.walletId)) edges.push([id, last.walletId])
  }
  return edges
}

function firstBuyMinutes(swaps: readonly SwapFacts[]): Map<number, number> {
  const minutes = new Map<number, number>()
  for (const swap of swaps) {
    if (swap.direction === 'buy' && swap.walletId !== null && !minutes.has(swap.walletId))
      minutes.set(swap.walletId, Math.floor(swap.time / 60))
  }
  return minutes
}

/** The most members whose first buys lie in the same minute. */
function countInMinute(members: readonly number[], minutes: ReadonlyMap<number, number>): number {
  const counts = new Map<number, number>()
  for (const id of members) {
    const minute = minutes.get(id)
    if (minute !== undefined) counts.set(minute, (counts.get(minute) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

/** The smallest wallet of a cluster, in a forest of parents; shortens the way to it. */
function findRoot(parent: Map<number, number>, id: number): number {
  let root = id
  for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up
  if (!parent.has(id)) parent.set(id, root)
  for (let at = id; at !== root; ) {
    const up = parent.get(at) ?? root
    parent.set(at, root)
    at = up
  }
  return root
}

/** Joins two clusters; whether they were apart. */
export function uniteWallets(parent: Map<number, number>, a: number, b: number): boolean {
  const [rootA, rootB] = [findRoot(parent, a), findRoot(parent, b)]
  if (rootA !== rootB) parent.set(Math.max(rootA, rootB), Math.min(rootA, rootB))
  return rootA !== rootB
}

function addTo(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}
