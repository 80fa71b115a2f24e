// Who could take a token's liquidity: the wallet that can withdraw the largest part of it within 30 days. Pure.
import type { PoolFacts } from '../ledger/facts/facts.ts'
import { withdrawableShare } from './liquidity.ts'

/** The wallet's id; null where no wallet can withdraw anything, or nobody knows who can. `now`: seconds since 1970. */
export function findWithdrawer(pools: readonly PoolFacts[], now: number): number | null {
  const usdOf = new Map<number, number>()
  for (const { providers, liquidityUsd } of pools)
    for (const provider of providers ?? []) {
      const usd = liquidityUsd * withdrawableShare(provider, now)
      if (usd > 0) usdOf.set(provider.id, (usdOf.get(provider.id) ?? 0) + usd)
    }
  let [wallet, most]: [number | null, number] = [null, 0]
  for (const [id, usd] of usdOf) if (usd > most) [wallet, most] = [id, usd]
  return wallet
}
