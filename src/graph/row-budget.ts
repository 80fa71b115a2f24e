// How many positions the portfolios and profits of one answer may be made of. Both read all that their wallet has, of which they show a
// part or a sum; the price of a query knows only what is shown. Pure.
import { invalid } from '../base/errors.ts'

/** Positions that the portfolios and profits of an answer are made of at most, beyond the first wallet of each. */
export const MOST_POSITIONS_READ = 200_000

/** What reads all positions of a wallet. */
type WholeRead = 'portfolio' | 'liquidityPositions' | 'pnl'

/** Lets rows through until they are too many. */
export function createRowBudget(most: number) {
  let left = most
  const begun = new Set<WholeRead>()
  /** Wallets whose profit was let through: it is read once, however often it is asked for. */
  const profits = new Set<number>()
  return {
    /** Whether these rows are let through already. */
    has: (field: WholeRead, walletId: number): boolean => field === 'pnl' && profits.has(walletId),
    /** Throws INVALID_PARAMS where the rows of the wallet are more than are left; those of a field's first wallet always pass. */
    take(field: WholeRead, walletId: number, rows: number): void {
      if (this.has(field, walletId)) return
      if (begun.has(field)) left -= rows
      begun.add(field)
      if (field === 'pnl') profits.add(walletId)
      if (left >= 0) return
      const message = `${field}: the wallets of this query have more than ${most} positions together, all of which would be read: ask for fewer wallets at once`
      throw invalid([{ location: 'argument', field, message }])
    },
  }
}
