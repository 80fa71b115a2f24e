// Inputs of a token's risk from its facts: the owners of the liquidity, and the pattern of trades. Times run to the
// token's newest event, or to the block's hour if that is later.
import { HOUR_SECONDS } from '../base/time.ts'
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { knownProviders } from './locks.ts'
import { sum } from './ramp.ts'
import { referenceTime } from './reference-time.ts'

export interface TokenSignals {
  /** Hours from the first liquidity to the newest event. */
  lifeHours: number
  /** Wallets with a share, without burned ones; twenty at most. */
  ownerCount: number | null
  /** Mean trade of seven days over the quote side of the pools. */
  tradeToReserve: number | null
  /** (sells + 1) / (swaps + 2) of seven days. */
  sellShare: number
  /** Hours with a trade, of the last seven days. */
  tradingHours7d: number
}

/** The inputs at the block. */
export function measureSignals(facts: TokenFacts): TokenSignals {
  const now = referenceTime(facts)
  const { swaps, liquidityUsd } = facts
  const meanTradeUsd = swaps.length > 0 ? sum(swaps.map((swap) => swap.amountUsd)) / swaps.length : null
  return {
    lifeHours: Math.max(0, now - (facts.firstLiquidityAt ?? facts.createdAt)) / HOUR_SECONDS,
    ownerCount: countOwners(facts),
    tradeToReserve: meanTradeUsd === null ? null : meanTradeUsd / (liquidityUsd / 2 + 1),
    sellShare: (swaps.filter((swap) => swap.direction === 'sell').length + 1) / (swaps.length + 2),
    tradingHours7d: countHours(facts),
  }
}

const OWNS_NOTHING: ReadonlySet<string> = new Set(['burned', 'pool'])

function countOwners({ pools }: TokenFacts): number | null {
  const known = pools.map(knownProviders).filter((providers) => providers !== null)
  if (known.length === 0) return null
  return Math.max(...known.map((list) => list.filter(({ kind, share }) => share > 0 && !OWNS_NOTHING.has(kind)).length))
}

const countHours = ({ hours, swaps }: TokenFacts): number =>
  hours?.filter(({ isTraded }) => isTraded).length ??
  new Set(swaps.map((swap: SwapFacts) => Math.floor(swap.time / HOUR_SECONDS))).size
