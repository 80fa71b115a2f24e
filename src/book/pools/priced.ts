// The state of a pool after one of its logs. A log's handler computes it, and it is stored here alone. A pool that holds
// its tokens has its balances as reserves, whatever a log says.
import { learnDepth } from '../prices/depth.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { followBalances, keepsTokens } from './pools.ts'

type State = Partial<Pick<PoolRecord, 'reserve0' | 'reserve1' | 'sqrtPriceX96' | 'activeLiquidity'>>

/** The values that a pool has from now on. `proven`: the least balances that the log proves; null: none. */
export interface Priced {
  kind: 'priced'
  pool: PoolRecord
  state: State
  proven: readonly [bigint, bigint] | null
}

export function priced(pool: PoolRecord, state: State, proven: Priced['proven'] = null): Priced {
  return { kind: 'priced', pool, state, proven }
}

/** Stores the pool's new state, and revalues it. */
export function followLog(work: Work, { pool, state, proven }: Priced): void {
  const before = quoteSide(work, pool)
  // The first trade of coins or of a curve may only now find the quote, whose amount before it is unknown.
  const isFound = pool.quoteId === null && (pool.kind === 'coins' || pool.kind === 'curve')
  Object.assign(pool, state)
  if (proven) learnDepth(work, pool, proven)
  if (keepsTokens(work.known, pool)) followBalances(work, pool)
  const after = revalue(work, pool)
  if (!isFound) noteQuoteSide(work, pool, before, after)
}

/** A Transfer without a log of the pool (collected fees, a donation) changes the reserves of one that holds its tokens. */
export function followTransfers(work: Work, pool: PoolRecord): void {
  const before = quoteSide(work, pool)
  if (followBalances(work, pool)) noteQuoteSide(work, pool, before, revalue(work, pool))
}

/** Empties a curve whose sale ended, which is no removal: its tokens go on at an exchange. */
export function endSale(work: Work, pool: PoolRecord): void {
  Object.assign(pool, { reserve0: 0n, reserve1: 0n, sqrtPriceX96: null })
  revalue(work, pool)
}
