// Pure. The sector in which a wallet trades the most.
import { UNKNOWN } from '../base/vocabulary.ts'
import type { WalletSwapFacts } from '../ledger/facts/facts.ts'

/**
 * The sector with the most dollars traded; ties go to the first by name. `unknown` if there are no trades in a known
 * sector.
 */
export function preferSector(swaps: readonly WalletSwapFacts[]): string {
  const totals = new Map<string, number>()
  for (const swap of swaps) totals.set(swap.sector, (totals.get(swap.sector) ?? 0) + swap.amountUsd)
  totals.delete(UNKNOWN)
  const [first] = [...totals].sort(([a, usdA], [b, usdB]) => usdB - usdA || (a < b ? -1 : 1))
  return first?.[0] ?? UNKNOWN
}
