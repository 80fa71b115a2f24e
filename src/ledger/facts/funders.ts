// Who paid for wallets' first steps: the funders that join wallets of a token to each other.
import type { TraderFacts } from '../facts.ts'

/** Funders that are among the wallets or the others, or funded at least two of the wallets. Most are neither, and join nobody. */
export function findJoiningFunders(
  wallets: readonly Pick<TraderFacts, 'id' | 'firstFunderId'>[],
  others: readonly number[] = [],
): Set<number> {
  const seen = new Set(others)
  for (const { id } of wallets) seen.add(id)
  const joining = new Set<number>()
  for (const { firstFunderId } of wallets) {
    if (firstFunderId === null) continue
    if (seen.has(firstFunderId)) joining.add(firstFunderId)
    seen.add(firstFunderId)
  }
  return joining
}
