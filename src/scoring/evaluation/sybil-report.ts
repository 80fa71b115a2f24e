// Measures how well production's clustering finds the sybils in a graph of wallets with reviewed labels.
import { findClusters, groupClusters, joinSharedTargets } from '../sybil.ts'
import { SYBIL } from '../weights.ts'
import { readCells } from './csv.ts'
import type { LeftOut } from './left-out.ts'
import { judgeFlag } from './metrics.ts'

const WALLETS = ['id#', 'sybil#'] as const
const DIRECT = ['from_id#', 'to_id#'] as const
const SHARED = ['wallet_id#', 'counterparty_id#'] as const

export interface SybilReport {
  wallets: number
  sybils: number
  clusters: number
  flagged: number
  precision: number | null
  recall: number | null
  f1: number | null
}

/** Clusters wallets by direct transfers and shared targets. A wallet in a cluster that is large enough is flagged. The file numbers counterparties separately from wallets, so they become negative ids. */
export function evaluateSybil(folder: string, leftOut: LeftOut): SybilReport {
  const wallets = readCells(folder, 'wallets.csv.gz', WALLETS, leftOut).map(([id, sybil]) => ({
    id: Number(id),
    sybil: sybil === '1',
  }))
  const direct = readCells(folder, 'edges_wallet_wallet.csv.gz', DIRECT, leftOut).map(
    ([a, b]) => [Number(a), Number(b)] as const,
  )
  const shared = readCells(folder, 'edges_shared_counterparty.csv.gz', SHARED, leftOut).map(
    ([wallet, target]) => [Number(wallet), -1 - Number(target)] as const,
  )
  const groups = groupClusters(findClusters(direct, { joins: joinSharedTargets(shared) }))
  const known = new Set(wallets.map((wallet) => wallet.id))
  const large = [...groups.values()]
    .map((members) => members.filter((id) => known.has(id)))
    .filter((members) => members.length >= SYBIL.minSize)
  const flagged = new Set(large.flat())
  const verdict = judgeFlag(wallets.map(({ id, sybil }) => ({ positive: sybil, flagged: flagged.has(id) })))
  const { precision, recall } = verdict
  return {
    wallets: wallets.length,
    sybils: wallets.filter((wallet) => wallet.sybil).length,
    clusters: large.length,
    ...verdict,
    f1: precision && recall ? (2 * precision * recall) / (precision + recall) : null,
  }
}
