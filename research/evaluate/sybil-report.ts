// Measures production's clustering on a graph of wallets with reviewed sybil labels. It uses the served thresholds, and
// on parts of the graph thresholds that were chosen on the other parts.
import { type Edge, findClusters, groupClusters, joinSharedTargets } from '../../src/scoring/sybil.ts'
import { SYBIL } from '../../src/scoring/weights.ts'
import { readCells } from '../labels/csv.ts'
import type { LeftOut } from '../labels/left-out.ts'
import { createRandom, judgeFlag, type PrecisionRecall } from '../statistics/metrics.ts'

const WALLETS = ['id#', 'sybil#'] as const
const DIRECT = ['from_id#', 'to_id#'] as const
const SHARED = ['wallet_id#', 'counterparty_id#'] as const

/** Parts of the graph. */
const PARTS = 5
/** The chosen thresholds: the size of a cluster, and the number of senders of a shared target. */
const SIZES = [4, 5, 6, 7, 8, 9, 10, 12, 15] as const
const SHARING = [2, 3, 4, 5] as const
/** The largest clusters; two of them are left out. */
const RINGS = 2
/** The required precision of the choice. */
const MIN_PRECISION = 0.9

interface Verdict extends PrecisionRecall {
  f1: number | null
}

interface Thresholds {
  minSize: number
  minSharing: number
}

export interface SybilReport extends Verdict {
  wallets: number
  sybils: number
  clusters: number
  /** Without the two largest clusters, which alone would decide: by the served thresholds, and by those chosen there. */
  withoutRings: { wallets: number; served: Verdict; chosen: Verdict & Thresholds }
  /** Every part judged by thresholds that were chosen on the others: all parts together, and each. */
  leftOut: Verdict & { parts: (Verdict & { wallets: number; minSize: number; minSharing: number })[] }
}

interface Wallet {
  id: number
  sybil: boolean
}

interface Graph {
  wallets: readonly Wallet[]
  direct: readonly Edge[]
  /** The file numbers counterparties separately from wallets, so they become negative ids. */
  shared: readonly Edge[]
}

/** Clusters wallets by direct transfers and shared targets. A wallet in a cluster that is large enough is flagged. The seed decides which groups are in which part. */
export function evaluateSybil(folder: string, seed: number, leftOut: LeftOut): SybilReport {
  const graph: Graph = {
    wallets: readCells(folder, 'wallets.csv.gz', WALLETS, leftOut).map(([id, sybil]) => ({
      id: Number(id),
      sybil: sybil === '1',
    })),
    direct: readCells(folder, 'edges_wallet_wallet.csv.gz', DIRECT, leftOut).map(([a, b]) => [Number(a), Number(b)]),
    shared: readCells(folder, 'edges_shared_counterparty.csv.gz', SHARED, leftOut).map(([wallet, target]) => [
      Number(wallet),
      -1 - Number(target),
    ]),
  }
  const serving = { minSize: SYBIL.size[1], minSharing: SYBIL.minSharing }
  const large = listLarge(graph, serving)
  const flagged = new Set(large.flat())
  return {
    wallets: graph.wallets.length,
    sybils: graph.wallets.filter((wallet) => wallet.sybil).length,
    clusters: large.length,
    ...judge(graph.wallets, flagged),
    withoutRings: judgeWithoutRings(graph, large),
    leftOut: judgeLeftOut(graph, seed),
  }
}

const listLarge = (graph: Graph, { minSize, minSharing }: Thresholds): number[][] =>
  listClusters(graph, minSharing).filter((members) => members.length >= minSize)

function listClusters({ wallets, direct, shared }: Graph, minSharing: number): number[][] {
  const known = new Set(wallets.map((wallet) => wallet.id))
  const clusters = findClusters(direct, { joins: joinSharedTargets(shared, minSharing) })
  return [...groupClusters(clusters).values()].map((members) => members.filter((id) => known.has(id)))
}

function judge(wallets: readonly Wallet[], flagged: ReadonlySet<number>): Verdict {
  const verdict = judgeFlag(wallets.map(({ id, sybil }) => ({ positive: sybil, flagged: flagged.has(id) })))
  const { precision, recall } = verdict
  return { ...verdict, f1: precision && recall ? (2 * precision * recall) / (precision + recall) : null }
}

function judgeWithoutRings(graph: Graph, large: readonly number[][]): SybilReport['withoutRings'] {
  const rings = new Set(
    large
      .toSorted((a, b) => b.length - a.length)
      .slice(0, RINGS)
      .flat(),
  )
  const rest = cutGraph(graph, (id) => !rings.has(id))
  const by = (thresholds: Thresholds) => judge(rest.wallets, new Set(listLarge(rest, thresholds).flat()))
  const chosen = choose(rest)
  return {
    wallets: rest.wallets.length,
    served: by({ minSize: SYBIL.size[1], minSharing: SYBIL.minSharing }),
    chosen: { ...by(chosen), ...chosen },
  }
}

function judgeLeftOut(graph: Graph, seed: number): SybilReport['leftOut'] {
  const partOf = dealGroups(graph, seed)
  const all = new Set<number>()
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const own = cutGraph(graph, (id) => partOf.get(id) === part)
    const thresholds = choose(cutGraph(graph, (id) => partOf.get(id) !== part))
    const flagged = new Set(listLarge(own, thresholds).flat())
    for (const id of flagged) all.add(id)
    return { wallets: own.wallets.length, ...thresholds, ...judge(own.wallets, flagged) }
  })
  return { ...judge(graph.wallets, all), parts }
}

/**
 * Distributes the groups of linked wallets over the parts. Linked wallets stay together, because production never sees
 * a graph that is cut in two.
 */
function dealGroups({ wallets, direct, shared }: Graph, seed: number): Map<number, number> {
  const joins = joinSharedTargets(shared, Math.min(...SHARING))
  const groups = findClusters(direct, { maxDegree: Number.POSITIVE_INFINITY, joins })
  const random = createRandom(seed)
  const dealt = new Map<number, number>()
  return new Map(
    wallets.map(({ id }) => {
      const group = groups.get(id) ?? id
      const part = dealt.get(group) ?? Math.floor(random() * PARTS)
      dealt.set(group, part)
      return [id, part]
    }),
  )
}

/** The wallets of a part, and the links between them and of them. */
const cutGraph = ({ wallets, direct, shared }: Graph, isIn: (id: number) => boolean): Graph => ({
  wallets: wallets.filter(({ id }) => isIn(id)),
  direct: direct.filter(([a, b]) => isIn(a) && isIn(b)),
  shared: shared.filter(([wallet]) => isIn(wallet)),
})

/** The thresholds with the best F1 at the required precision, or the most precise ones. */
function choose(graph: Graph): Thresholds {
  const tried = SHARING.flatMap((minSharing) => {
    const clusters = listClusters(graph, minSharing)
    return SIZES.map((minSize) => {
      const flagged = new Set(clusters.filter((members) => members.length >= minSize).flat())
      const { precision, f1 } = judge(graph.wallets, flagged)
      const worth = (precision ?? 0) >= MIN_PRECISION ? 1 + (f1 ?? 0) : (precision ?? 0)
      return { thresholds: { minSize, minSharing }, worth }
    })
  })
  return tried.reduce((best, one) => (one.worth > best.worth ? one : best)).thresholds
}
