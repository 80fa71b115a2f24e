// Mints after the launch. Input: mints and burns in the chain's order. Output: numbers. Pure.
import { ZERO_ADDRESS } from '../../base/address.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { LogFacts } from '../log-facts.ts'
import type { LogWindow } from './window.ts'

/**
 * Mints to the deployer or the owner a day or more after launch, compared with the supply before the first of them. Those to others may
 * be deposits, as of a bridge.
 */
export function measureMints({
  supplyMoves,
  minters,
  launchedAt,
  supplyBefore,
}: Pick<LogWindow, 'supplyMoves' | 'minters' | 'launchedAt' | 'supplyBefore'>): Pick<
  LogFacts,
  'lateMinted' | 'lateMintedPct'
> {
  let supply = supplyBefore
  let lateMinted = 0n
  let base: bigint | null = null
  for (const { from, to, amount, time } of supplyMoves) {
    if (from === ZERO_ADDRESS && to !== ZERO_ADDRESS) {
      if (time >= launchedAt + DAY_SECONDS && minters.has(to)) {
        base ??= supply
        lateMinted += amount
      }
      supply += amount
    } else if (to === ZERO_ADDRESS && from !== ZERO_ADDRESS) supply -= amount
  }
  const pct = base === null ? 0 : base <= 0n ? 100 : Number((lateMinted * 10_000n) / base) / 100
  return { lateMinted, lateMintedPct: pct }
}
