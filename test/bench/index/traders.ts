// Who trades on the generated chain, by what real trades show: the same few wallets trade a pool again and again, and new
// ones keep coming. The test beside it holds the figures of the real ones.

/** Share of buyers that never traded the pool before: more than of the real ones, since no seller is new here. */
const NEW_TO_POOL = 0.2
/** Share of these that never traded at all. */
const NEW = 0.6
/**
 * Of n wallets by their last act, latest first, one of the first r acts next with probability
 * (log(1 + r) / log(1 + n)) ** exponent: of those of the pool who buys again and who sells, of all who comes to the pool.
 */
const RECENCY = { buy: 0.4, sell: 0.6, come: 1 }

/** Wallets by their last act, latest last. */
export interface Traders {
  readonly size: number
  /** The wallet that acted before `rank` others did. */
  at: (rank: number) => number
  /** Puts a wallet last, wherever it was. */
  touch: (who: number) => void
}

export function createTraders(): Traders {
  let wallets = new Int32Array(16)
  let size = 0
  return {
    get size() {
      return size
    },
    at: (rank) => wallets[size - 1 - rank] ?? 0,
    touch(who) {
      const at = wallets.subarray(0, size).lastIndexOf(who)
      if (at >= 0) wallets.copyWithin(at, at + 1, size--)
      if (size === wallets.length) {
        const larger = new Int32Array(2 * size)
        larger.set(wallets)
        wallets = larger
      }
      wallets[size++] = who
    },
  }
}

/** Picks who acts in a pool, and remembers it there and of all. `next` gives random numbers, 0-1. */
export function createCrowd(next: () => number) {
  const everybody = createTraders()
  let wallets = 0
  const pick = (traders: Traders, exponent: number) =>
    traders.at(Math.floor((1 + traders.size) ** (next() ** (1 / exponent)) - 1))
  const remember = (pool: Traders, who: number) => {
    pool.touch(who)
    everybody.touch(who)
    return who
  }
  return {
    /** Who buys, or is given something. */
    buyer(pool: Traders): number {
      const isNew = pool.size === 0 || next() < NEW_TO_POOL
      if (!isNew) return remember(pool, pick(pool, RECENCY.buy))
      return remember(pool, everybody.size === 0 || next() < NEW ? wallets++ : pick(everybody, RECENCY.come))
    },
    /** Who sells, or gives something away: of a pool that has traders. */
    seller: (pool: Traders): number => remember(pool, pick(pool, RECENCY.sell)),
  }
}
