// Inputs of the scorecard: who could withdraw the liquidity now and how much, and how the token trades. Ages are
// measured up to the token's newest event, or the block's hour if that is later.
import type { ProviderFacts, SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { withdrawableShare } from './liquidity.ts'
import { newestTime } from './newest.ts'
import { sum } from './ramp.ts'

export interface TokenSignals {
  /** Hours from the first liquidity to the newest event. */
  lifeHours: number
  /** The most liquidity that one wallet can withdraw now, in dollars. */
  exitUsd: number | null
  /** Hours since that wallet's share last changed. */
  exitHeldHours: number | null
  /** Wallets with a share of the liquidity, without burned ones; at most twenty are known. */
  ownerCount: number | null
  /** The mean trade of seven days in dollars, and divided by the quote side of the pools. */
  meanTradeUsd: number | null
  tradeToReserve: number | null
  /** (sells + 1) / (swaps + 2) of seven days. */
  sellShare: number
  /** Hours with a trade, in the last seven days and in the last day. */
  tradingHours7d: number
  tradingHours24h: number
}

const HOUR = 3_600

/** The inputs as of the block. */
export function measureSignals(facts: TokenFacts): TokenSignals {
  const now = newestTime(facts)
  const exit = findExit(facts, now)
  const hours = listHours(facts)
  const { swaps, liquidityUsd } = facts
  const meanTradeUsd = swaps.length > 0 ? sum(swaps.map((swap) => swap.amountUsd)) / swaps.length : null
  return {
    lifeHours: Math.max(0, now - (facts.firstLiquidityAt ?? facts.createdAt)) / HOUR,
    exitUsd: exit && exit.share * exit.liquidityUsd,
    exitHeldHours: exit?.provider ? (now - exit.provider.since) / HOUR : null,
    ownerCount: countOwners(facts),
    meanTradeUsd,
    tradeToReserve: meanTradeUsd === null ? null : meanTradeUsd / (liquidityUsd / 2 + 1),
    sellShare: (swaps.filter((swap) => swap.direction === 'sell').length + 1) / (swaps.length + 2),
    tradingHours7d: hours.length,
    tradingHours24h: hours.filter((hour) => hour * HOUR > now - 25 * HOUR).length,
  }
}

interface Exit {
  provider: ProviderFacts | null
  share: number
  liquidityUsd: number
}

/** The wallet that could withdraw the most. */
function findExit({ pools }: TokenFacts, now: number): Exit | null {
  let largest: Exit | null = null
  for (const { providers, liquidityUsd } of pools) {
    if (providers === null) continue
    largest ??= { provider: null, share: 0, liquidityUsd }
    for (const provider of providers) {
      const share = withdrawableShare(provider, now)
      if (share * liquidityUsd > largest.share * largest.liquidityUsd) largest = { provider, share, liquidityUsd }
    }
  }
  return largest
}

const OWNS_NOTHING: ReadonlySet<string> = new Set(['burned', 'pool'])

function countOwners({ pools }: TokenFacts): number | null {
  const known = pools.flatMap((pool) => (pool.providers === null ? [] : [pool.providers]))
  if (known.length === 0) return null
  return Math.max(...known.map((list) => list.filter(({ kind, share }) => share > 0 && !OWNS_NOTHING.has(kind)).length))
}

const listHours = ({ hours, swaps }: TokenFacts): number[] =>
  hours?.map((hour) => hour.hour) ?? [...new Set(swaps.map((swap: SwapFacts) => Math.floor(swap.time / HOUR)))]
