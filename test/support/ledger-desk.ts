// One wallet with its own token, whose trades have exactly the amounts that a test states. The logs are those of real
// pools, the numbers are round. Reserves set the prices, independently of the trades.
import type { Address } from '../../src/base/address.ts'
import { addressOf, type Market, ROUTER, root, USDC, WETH, wallet } from './blocks.ts'

/** Dollars, ether or whole tokens; a bigint is in the smallest unit. */
type Amount = number | bigint

export type Desk = ReturnType<typeof createDesk>

export interface DeskOptions {
  decimals?: number
  feePct?: number
  kind?: 'v2' | 'v3'
  /** The owner of the desk. Default: a new wallet. */
  who?: Address
}

/** Provides all funds that the tests need. */
const BANK = wallet(1)
/** Whole tokens on the base side of a pool. */
const DEPTH = 20_000
const QUOTES = { usdc: { address: USDC, decimals: 6 }, weth: { address: WETH, decimals: 18 } }

/** Prices WETH at 2,000 USD with a pool far deeper than any trade. */
export function openQuotes(market: Market): void {
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.mint(USDC, BANK, units(1e12, 6))
  market.wrap(BANK, units(1e7, 18))
  const pool = market.createPool(BANK, WETH, USDC)
  const isZero = market.pool(pool).token0 === WETH
  const [eth, usd] = [units(1e5, 18), units(2e8, 6)]
  market.add(pool, BANK, isZero ? eth : usd, isZero ? usd : eth)
  market.mine()
}

/** The `n`th wallet, with a token that is worth 1 USD. */
export function createDesk(
  market: Market,
  n: number,
  { decimals = 18, feePct = 0, kind = 'v2', who = wallet(1_000 + n) }: DeskOptions = {},
) {
  const token = addressOf('token', 1_000 + n)
  const pools = new Map<string, Address>()
  market.token(token, { decimals, feePct })
  market.mint(token, BANK, units(5e7, decimals))
  market.mine()

  /** The pool against a quote, created when first needed; the bank pays for it. */
  const poolFor = (quote: keyof typeof QUOTES): Address => {
    const known = pools.get(quote)
    if (known) return known
    const other = QUOTES[quote]
    const pool = market.createPool(BANK, token, other.address, quote === 'usdc' ? kind : 'v2')
    const [base, paid] = [units(2e6, decimals), units(quote === 'usdc' ? 2e6 : 1, other.decimals)]
    const isZero = market.pool(pool).token0 === token
    market.add(pool, BANK, isZero ? base : paid, isZero ? paid : base)
    pools.set(quote, pool)
    return pool
  }
  const price = (usd: number, base = DEPTH) => {
    const pool = poolFor('usdc')
    market.tx(BANK, ROUTER, (emit) => {
      const [tokens, dollars] = [units(base, decimals), units(base * usd, 6)]
      const isZero = market.pool(pool).token0 === token
      const [reserve0, reserve1] = isZero ? [tokens, dollars] : [dollars, tokens]
      if (kind === 'v2') emit(pool, { kind: 'v2_sync', reserve0, reserve1 })
      else emit(pool, { kind: 'v3_initialize', sqrtPriceX96: root((reserve1 << 192n) / reserve0), tick: 0 })
    })
    market.mine()
  }
  /** Trades in one transaction: the amounts that left the pool or went in, and their price in the quote. */
  const trade = (legs: readonly Leg[], to = who) => {
    for (const { side, paid, quote } of legs) {
      poolFor(quote)
      const { address, decimals: places } = QUOTES[quote]
      if (side === 'buy' && units(paid, places) > 0n) market.transfer(address, BANK, who, units(paid, places))
    }
    market.tx(who, ROUTER, (emit) => {
      for (const { side, quantity, paid, quote } of legs) {
        const other = QUOTES[quote]
        const [base, cash] = [units(quantity, decimals), units(paid, other.decimals)]
        const isBuy = side === 'buy'
        const [given, asked] = isBuy ? [other.address, token] : [token, other.address]
        const arrived = market.move(emit, given, who, poolFor(quote), isBuy ? cash : base)
        market.move(emit, asked, poolFor(quote), isBuy ? to : who, isBuy ? base : cash)
        emitSwap(emit, poolFor(quote), given, arrived, isBuy ? base : cash)
      }
    })
    market.mine()
  }
  const emitSwap = (
    emit: Parameters<Parameters<Market['tx']>[2]>[0],
    pool: Address,
    given: string,
    a: bigint,
    b: bigint,
  ) => {
    const { kind: type, token0 } = market.pool(pool)
    const isZero = token0 === given
    if (type === 'v2') {
      const [amount0In, amount1In] = isZero ? [a, 0n] : [0n, a]
      const [amount0Out, amount1Out] = isZero ? [0n, b] : [b, 0n]
      return emit(pool, { kind: 'v2_swap', to: who, amount0In, amount1In, amount0Out, amount1Out })
    }
    const sqrtPriceX96 = root((units(1, 6) << 192n) / units(1, decimals))
    const level = token0 === token ? sqrtPriceX96 : (1n << 192n) / sqrtPriceX96
    const [amount0, amount1] = isZero ? [a, -b] : [-b, a]
    emit(pool, { kind: 'v3_swap', amount0, amount1, sqrtPriceX96: level, liquidity: 1n, tick: 0 })
  }

  let own: Address | null = null
  poolFor('usdc')
  market.mine()
  price(1)
  return {
    who,
    token,
    price,
    trade,
    /** Buys tokens (as they leave the pool), or sells them (as they leave the wallet). */
    buy: (quantity: Amount, usd: number) => trade([{ side: 'buy', quantity, paid: usd, quote: 'usdc' }]),
    sell: (quantity: Amount, usd: number) => trade([{ side: 'sell', quantity, paid: usd, quote: 'usdc' }]),
    buyForEther: (quantity: Amount, ether: number) => trade([{ side: 'buy', quantity, paid: ether, quote: 'weth' }]),
    sellForEther: (quantity: Amount, ether: number) => trade([{ side: 'sell', quantity, paid: ether, quote: 'weth' }]),
    /** Gives the wallet tokens without a trade. */
    receive: (quantity: Amount) => {
      market.transfer(token, BANK, who, units(quantity, decimals))
      market.mine()
    },
    /** Gives tokens away without a trade: to somebody whom it never sent anything before, or to `to`. */
    give: (quantity: Amount, to = wallet(200_000 + n)) => {
      market.transfer(token, who, to, units(quantity, decimals))
      market.mine()
    },
    /** A wallet of its own: the first thing that it got came from the desk's owner. */
    openSecond: (): Address => {
      market.native(who, wallet(300_000 + n), 1n)
      market.mine()
      return wallet(300_000 + n)
    },
    /** Adds tokens and dollars to a pool that is all its own. */
    provide: (quantity: Amount, usd: number) => {
      own = market.createPool(BANK, token, USDC)
      market.transfer(USDC, BANK, who, units(usd, 6))
      const [base, paid] = [units(quantity, decimals), units(usd, 6)]
      const isZero = market.pool(own).token0 === token
      market.add(own, who, isZero ? base : paid, isZero ? paid : base)
      market.mine()
    },
    /** Somebody buys the token for dollars in that pool. */
    othersBuy: (usd: number) => {
      if (own) market.swap(own, BANK, USDC, units(usd, 6))
      market.mine()
    },
    /** Takes this percentage of its liquidity out again. */
    withdraw: (pct = 100n) => {
      if (own) market.remove(own, who, pct)
      market.mine()
    },
    /** Takes all of its liquidity out and sells the tokens from it, for this much, in one transaction. */
    withdrawAndSell: (usd: number) => {
      market.tx(who, ROUTER, (emit) => {
        const before = market.balance(token, who)
        if (own) market.takeOut(emit, own, who, 100n)
        const pool = poolFor('usdc')
        const arrived = market.move(emit, token, who, pool, market.balance(token, who) - before)
        market.move(emit, USDC, pool, who, units(usd, 6))
        emitSwap(emit, pool, token, arrived, units(usd, 6))
      })
      market.mine()
    },
    /** Swaps its token for another desk's token, in a pool without a quote. */
    swapFor: (other: { token: Address }, quantity: number, received: number) => {
      const pool = market.createPool(BANK, token, other.token)
      market.add(pool, BANK, units(1e6, 18), units(1e6, 18))
      market.mine()
      market.tx(who, ROUTER, (emit) => {
        const arrived = market.move(emit, token, who, pool, units(quantity, 18))
        market.move(emit, other.token, pool, who, units(received, 18))
        emitSwap(emit, pool, token, arrived, units(received, 18))
      })
      market.mine()
    },
  }
}

export interface Leg {
  side: 'buy' | 'sell'
  quantity: Amount
  paid: number
  quote: keyof typeof QUOTES
}

/** Converts whole units to the smallest; exact to six decimals. */
const units = (amount: Amount, decimals: number): bigint =>
  typeof amount === 'bigint' ? amount : (BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n
