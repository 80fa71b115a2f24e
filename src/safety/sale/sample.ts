// The holders that a check samples. Input: the target. Output: a few that the author of a trap cannot choose, and the
// others. Most of the few never sold, because sellers may be the deployer's own accounts. None is an insider or holds
// only dust.
import type { Address } from '../../base/address.ts'
import { fractionOf, partOf } from '../node/chance.ts'
import type { SafetyHolder, SafetyPool, SafetyTarget } from '../target.ts'

export interface SampledHolder extends SafetyHolder {
  /** The amount of the trial sale, in raw units. */
  amount: bigint
  /** Seconds since it last bought; null: not within the window of logs. */
  boughtAgo: number | null
}

const SAMPLE = 8
/** Of those, holders that have sold before. */
const SELLERS = 2
const MAX_CANDIDATES = 24
/** A holder with a smaller part of the median balance holds dust, which transfers may refuse for its size. */
const DUST_PARTS = 1_000n
/** A sale is at most this part of the pool's reserve, so that honest limits of one transaction allow it. */
const POOL_PARTS = 200n

export interface HolderSample {
  /** At most 8. */
  holders: SampledHolder[]
  /** The rest of the 24 candidates. */
  others: SampledHolder[]
}

/** Each holder with an amount. `now`: the time of the checked block, in seconds since 1970. */
export function sampleHolders(target: SafetyTarget, pool: SafetyPool | undefined, now: number): HolderSample {
  const { seed, insiders, deployer } = target
  const strange = new Set<Address>([
    ...insiders,
    ...(deployer ? [deployer] : []),
    ...target.pools.map(({ address }) => address),
  ])
  const candidates = target.holders
    .slice(0, MAX_CANDIDATES)
    .filter(({ address, balance }) => balance > 0n && !strange.has(address))
  const balances = candidates.map(({ balance }) => balance).sort((a, b) => (a < b ? -1 : 1))
  const least = (balances[Math.floor(balances.length / 2)] ?? 0n) / DUST_PARTS
  const order = candidates
    .filter(({ balance }) => balance > least)
    .toSorted((a, b) => fractionOf(seed, a.address) - fractionOf(seed, b.address))
  const buyers = order.filter(({ hasBought, hasSold }) => hasBought && !hasSold)
  const sellers = order.filter(({ hasSold }) => hasSold)
  const others = order.filter((holder) => !buyers.includes(holder) && !sellers.includes(holder))
  const first = buyers.slice(0, SAMPLE - Math.min(SELLERS, sellers.length))
  const ranked = [...new Set([...first, ...sellers.slice(0, SELLERS), ...buyers, ...others, ...sellers])].map(
    (holder) => toSampled(target, holder, pool, now),
  )
  return { holders: ranked.slice(0, SAMPLE), others: ranked.slice(SAMPLE) }
}

function toSampled(
  { token, seed }: SafetyTarget,
  holder: SafetyHolder,
  pool: SafetyPool | undefined,
  now: number,
): SampledHolder {
  const reserve = pool ? (pool.token0 === token ? pool.reserve0 : pool.reserve1) : 0n
  const most = reserve > 0n ? reserve / POOL_PARTS + 1n : null
  const part = partOf(holder.balance, seed, `amount of ${holder.address}`, 0.3, 0.7)
  const amount = most !== null && part > most ? most : part
  const boughtAgo = holder.lastBoughtAt === null ? null : Math.max(0, now - holder.lastBoughtAt)
  return { ...holder, amount: amount > 0n ? amount : 1n, boughtAgo }
}
