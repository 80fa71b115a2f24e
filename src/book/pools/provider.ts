// Who provides a V3 pool's liquidity: the pool's shares are a token of kind lp, held by the signer. (A V2 pair is its
// own share token, so its Transfers are enough.)
import { countShares } from '../balances/balance.ts'
import type { PoolRecord, WalletRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { sharesOf } from './pools.ts'

/**
 * Changes the liquidity that a wallet provides. It never goes below zero, because positions can change hands unnoticed.
 */
export function provide(work: Work, pool: PoolRecord, wallet: WalletRecord, change: bigint): void {
  if (change === 0n) return
  countShares(work, { token: sharesOf(work, pool), wallet, amount: change })
}
