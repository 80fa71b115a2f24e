// Injects wash trades into real pools, and measures how many of these pools are flagged, and how many without
// injection. Only swaps are added, with wallets, times, sizes and prices like a wash trader's.
import { DAY_SECONDS } from '../../src/base/time.ts'
import type { SwapFacts, TokenFacts } from '../../src/ledger/facts/facts.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import type { TokenHistory } from '../labels/history.ts'
import { replayToken } from '../replay/replay.ts'
import { createRandom, divide } from '../statistics/metrics.ts'

const VOLUME_SHARES = [0.01, 0.05, 0.2] as const
/** How many wallets trade in circles; 3 stands for a random number from 3 to 6. */
const RINGS = [1, 2, 3] as const
const MAX_RING = 6
/** By which share the second leg of a round trip differs at most from the first. */
const MAX_JITTER = 0.03
/** Pools with fewer swaps of known wallets in the week are left out: wash trades cannot hide in them. */
const MIN_SWAPS = 30
/** Pools with less volume in the week, in dollars, are left out: a twentieth of it would be below the flag's own minimum. */
const MIN_VOLUME_USD = 250
const MIN_ROUND_TRIPS = 10
const MAX_ROUND_TRIPS = 100
/** The least and the greatest time between the legs of a round trip, in seconds. */
const LEG_SECONDS = [20, 1_200] as const

export interface WashReport {
  pools: number
  /** How many pools are flagged without injection. */
  untouchedFlagged: number
  untouchedRate: number | null
  /** By injected share of the volume and number of wallets (3: three to six). */
  injected: { volumeShare: number; wallets: number; n: number; recall: number | null }[]
}

/** Evaluates each pool at its busiest week: once without injection, and once per share of volume and number of wallets. */
export function evaluateWash(histories: readonly TokenHistory[], seed: number): WashReport {
  const random = createRandom(seed)
  const pools = histories.flatMap((history) => replayBusiestWeek(history) ?? [])
  const isFlagged = (facts: TokenFacts) => scoreToken(facts).flags.includes('wash_trading')
  const untouched = pools.filter(isFlagged).length
  const clean = pools.filter((facts) => !isFlagged(facts))
  const injected = VOLUME_SHARES.flatMap((volumeShare) =>
    RINGS.map((ring) => {
      const found = clean.filter((facts) => {
        const wallets = ring < 3 ? ring : ring + Math.floor(random() * (MAX_RING - ring + 1))
        return isFlagged({ ...facts, swaps: inject(facts.swaps, { volumeShare, wallets }, random) })
      })
      return { volumeShare, wallets: ring, n: clean.length, recall: divide(found.length, clean.length) }
    }),
  )
  return {
    pools: pools.length,
    untouchedFlagged: untouched,
    untouchedRate: divide(untouched, pools.length),
    injected,
  }
}

/**
 * The facts at the end of the seven days with the most swaps of known wallets. Null if there are too few swaps or too
 * little volume.
 */
function replayBusiestWeek(history: TokenHistory): TokenFacts | null {
  const times = history.events.filter(({ type, wallet }) => type === 'swap' && wallet !== null).map(({ time }) => time)
  let [best, end, start] = [0, 0, 0]
  times.forEach((time, at) => {
    while ((times[start] ?? 0) <= time - 6 * DAY_SECONDS) start++
    if (at - start + 1 > best) [best, end] = [at - start + 1, time]
  })
  if (best < MIN_SWAPS) return null
  const facts = replayToken(history, { time: end })
  const known = facts.swaps.filter((swap) => swap.walletId !== null && swap.amountUsd > 0)
  const volumeUsd = known.reduce((total, swap) => total + swap.amountUsd, 0)
  return known.length >= MIN_SWAPS && volumeUsd >= MIN_VOLUME_USD ? facts : null
}

/** Adds wallets that trade in circles to the swaps, until their trades are `volumeShare` of the volume. */
function inject(
  swaps: readonly SwapFacts[],
  { volumeShare, wallets }: { volumeShare: number; wallets: number },
  random: () => number,
): SwapFacts[] {
  const volume = swaps.reduce((total, swap) => total + swap.amountUsd, 0)
  const target = (volume * volumeShare) / (1 - volumeShare)
  const typical = volume / swaps.length
  const trips = Math.min(MAX_ROUND_TRIPS, Math.max(MIN_ROUND_TRIPS, Math.round(target / (2 * typical))))
  const [first, last] = [swaps[0], swaps.at(-1)]
  if (!first || !last) return [...swaps]
  const newest = last.time - LEG_SECONDS[1]
  const added = Array.from({ length: trips }, (_, trip) => {
    const time = Math.floor(first.time + random() * Math.max(0, newest - first.time))
    return roundTrip(swaps, { time, usd: target / (2 * trips), trip, wallets }, random)
  })
  return [...swaps, ...added.flat()].sort((a, b) => a.time - b.time || a.block - b.block)
}

function roundTrip(
  swaps: readonly SwapFacts[],
  { time, usd, trip, wallets }: { time: number; usd: number; trip: number; wallets: number },
  random: () => number,
): SwapFacts[] {
  const near = swaps.findLast((swap) => swap.time <= time && swap.quantity > 0 && swap.amountUsd > 0) ?? swaps[0]
  if (!near) return []
  const price = near.amountUsd / Math.max(near.quantity, Number.MIN_VALUE)
  const size = usd * (0.6 + 0.8 * random())
  const quantity = size / price
  const back = quantity * (1 + MAX_JITTER * (2 * random() - 1))
  const later = time + LEG_SECONDS[0] + Math.floor(random() * (LEG_SECONDS[1] - LEG_SECONDS[0]))
  const walletOf = (step: number) => -1 - ((trip + step) % wallets)
  const leg = (walletId: number, direction: 'buy' | 'sell', tokens: number, at: number): SwapFacts => ({
    walletId,
    poolId: near.poolId,
    direction,
    quantity: tokens,
    amountUsd: tokens * price,
    time: at,
    block: near.block + 1 + Math.floor((at - near.time) / 2),
  })
  return [leg(walletOf(0), 'buy', quantity, time), leg(walletOf(1), 'sell', back, later)]
}
