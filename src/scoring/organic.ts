// A token's facts without its wash trades: what washers make up is no trading, so that it never speaks for a token.
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'

/** The facts without the swaps that matched, and without the hours in which nothing else was traded. */
export function withoutWash(facts: TokenFacts, matched: ReadonlySet<SwapFacts>): TokenFacts {
  if (matched.size === 0) return facts
  const swaps = facts.swaps.filter((swap) => !matched.has(swap))
  const [traded, from] = [new Set(swaps.map(toHour)), toHour(facts.swaps[0])]
  const hours = facts.hours?.filter(({ hour }) => hour < from || traded.has(hour)) ?? null
  return Object.assign({}, facts, { swaps, hours, swapCount: Math.max(0, facts.swapCount - matched.size) })
}

const toHour = (swap: SwapFacts | undefined): number => Math.floor((swap?.time ?? 0) / 3_600)
