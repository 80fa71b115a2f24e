// Chooses the traders of the generated chain, modelled on real trades. The same few wallets trade in a pool again and
// again, and new ones keep coming. The test beside this file has the real figures.

/** Share of buyers that are new to the pool; higher than in reality, because no seller is new here. */
const NEW_TO_POOL = 0.2
/** Share of those that are new on the chain. */
const NEW = 0.6
/**
 * The model: n wallets are in order, newest action first. One of the first r acts next with probability (log(1 + r) /
 * log(1 + n)) ** exponent. `buy` and `sell` choose among the pool's wallets, `come` among all wallets.
 */
const RECENCY = { buy: 0.4, sell: 0.6, come: 1 }

/** Wallets sorted by their last action, newest last. */
export interface Traders {
  readonly size: number
  /** The wallet with `rank` wallets that acted after it. */
  at: (rank: number) => number
  /** Moves a wallet to the end, or adds it. */
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

/** Picks who acts in a pool, and records it for pool and chain. `next` gives random numbers from 0 to 1. */
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
    /** A wallet that buys, or receives something. */
    buyer(pool: Traders): number {
      const isNew = pool.size === 0 || next() < NEW_TO_POOL
      if (!isNew) return remember(pool, pick(pool, RECENCY.buy))
      return remember(pool, everybody.size === 0 || next() < NEW ? wallets++ : pick(everybody, RECENCY.come))
    },
    /** A wallet that sells, or sends something; the pool must have traders. */
    seller: (pool: Traders): number => remember(pool, pick(pool, RECENCY.sell)),
  }
}
