// How many rows the portfolios of one answer may be made of. A portfolio is sorted by value, so all that its wallet holds is read, of which
// it then shows a part; the price of a query knows only the part. Pure.
import { invalid } from '../base/errors.ts'

/** Positions that the portfolios of an answer are made of at most, beyond the first portfolio. */
export const MOST_POSITIONS_READ = 200_000

/** Lets rows through until they are too many. */
export function createRowBudget(most: number) {
  let left: number | null = null
  return {
    /** Throws INVALID_PARAMS where the rows are more than are left; the first rows always pass. */
    take(rows: number): void {
      if (left === null) {
        left = most
        return
      }
      left -= rows
      if (left >= 0) return
      const message = `portfolio: the wallets of this query have more than ${most} positions together, all of which would be read: ask for fewer wallets at once`
      throw invalid([{ location: 'argument', field: 'portfolio', message }])
    },
  }
}
