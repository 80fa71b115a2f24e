// Who provides a V3 pool's liquidity: its shares are a token of kind lp, held by whoever signed. (A V2 pair is its own
// share token, whose Transfers say it all.)
import { countShares } from './balance.ts'
import { sharesOf } from './pools.ts'
import type { PoolRecord, WalletRecord } from './rows.ts'
import type { Work } from './working-set.ts'

/** Adds liquidity to, or takes it from, what a wallet provides; never below zero, as positions change hands unseen. */
export function provide(work: Work, pool: PoolRecord, wallet: WalletRecord, change: bigint): void {
  if (change === 0n) return
  countShares(work, sharesOf(work, pool), wallet, change)
}
