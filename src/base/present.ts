// Values at the price that the native coin has now. What is quoted in the native coin is kept in it, and multiplied when it is
// read, so that it moves with the coin while it does not trade itself. Everything else is kept in dollars. `src/ledger/present.ts`
// has the same arithmetic in SQL, to the last digit. Pure.

/** A market cap as it is kept: in native coins, or in dollars. */
export interface KeptCap {
  marketCap: number
  inNative: boolean
}

/** The market cap in USD, in whole micro-dollars. `nativeUsd`: the price of the native coin. */
export const presentCap = ({ marketCap, inNative }: KeptCap, nativeUsd: number): number =>
  inNative ? Math.min(Math.floor(marketCap * nativeUsd * 1e6 + 0.5) / 1e6, 1e15) : marketCap
