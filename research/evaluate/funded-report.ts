// How often wallets that one wallet paid are reviewed sybils: the evidence behind the bundlers of a launch. No label says
// who bought together, so the same block, which makes chance rarer, is not judged here.
import { LAUNCH, SYBIL } from '../../src/scoring/weights.ts'
import { readCells } from '../labels/csv.ts'
import type { LeftOut } from '../labels/left-out.ts'
import { judgeFlag, type PrecisionRecall } from '../statistics/metrics.ts'

const WALLETS = ['id#', 'sybil#'] as const
const DIRECT = ['kind', 'from_id#', 'to_id#'] as const
const SHARED = ['kind', 'wallet_dir', 'wallet_id#', 'counterparty_id#'] as const

/** The kind of a payment in native coin. */
const NATIVE = 'n'

export interface FundedVerdict extends PrecisionRecall {
  /** How many wallets one payer paid at least. */
  least: number
}

/** One payer of so many wallets, by the least size that is served and by one below and above it. */
export function evaluateFunded(folder: string, leftOut: LeftOut): FundedVerdict[] {
  const paid = new Map<string, Set<string>>()
  const note = (payer: string, wallet: string) => paid.set(payer, (paid.get(payer) ?? new Set()).add(wallet))
  for (const [kind, from, to] of readCells(folder, 'edges_wallet_wallet.csv.gz', DIRECT, leftOut))
    if (kind === NATIVE) note(from, to)
  // The file numbers counterparties separately from wallets.
  for (const [kind, way, id, payer] of readCells(folder, 'edges_shared_counterparty.csv.gz', SHARED, leftOut))
    if (kind === NATIVE && way === 'in') note(`counterparty ${payer}`, id)
  const wallets = readCells(folder, 'wallets.csv.gz', WALLETS, leftOut)
  return [LAUNCH.bundle - 1, LAUNCH.bundle, LAUNCH.bundle + 1].map((least) => {
    const groups = [...paid.values()].filter(({ size }) => size >= least && size <= SYBIL.maxDegree)
    const flagged = new Set(groups.flatMap((group) => [...group]))
    return {
      least,
      ...judgeFlag(wallets.map(([id, sybil]) => ({ positive: sybil === '1', flagged: flagged.has(id) }))),
    }
  })
}
