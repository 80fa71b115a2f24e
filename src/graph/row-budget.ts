// Bounds the positions that the portfolios and profits of one answer read. Both read all positions of their wallet, but
// show a part or a sum, and the query's price covers only the shown ones. Pure.
import { invalid } from '../base/errors.ts'

/** The most positions for the portfolios and profits of an answer, beyond the first wallet of each. */
export const MOST_POSITIONS_READ = 200_000

/** The fields that read all positions of a wallet. */
type WholeRead = 'portfolio' | 'liquidityPositions' | 'pnl'

/** Admits rows up to the bound. */
export function createRowBudget(most: number) {
  let left = most
  const begun = new Set<WholeRead>()
  /** Wallets whose profit was admitted: it is read once, however often it is requested. */
  const profits = new Set<number>()
  return {
    /** Whether these rows are admitted already. */
    has: (field: WholeRead, walletId: number): boolean => field === 'pnl' && profits.has(walletId),
    /**
     * Throws INVALID_PARAMS if the wallet has more rows than the budget has left. A field's first wallet always passes.
     */
    take(field: WholeRead, walletId: number, rows: number): void {
      if (this.has(field, walletId)) return
      if (begun.has(field)) left -= rows
      begun.add(field)
      if (field === 'pnl') profits.add(walletId)
      if (left >= 0) return
      const message = `${field}: the wallets of this query have more than ${most} positions together, and the field reads them all: ask for fewer wallets at once`
      throw invalid([{ location: 'argument', field, message }])
    },
  }
}
