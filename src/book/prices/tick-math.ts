// The amounts of a range of liquidity, exactly as Uniswap V3 and V4 compute them. Input: square roots of prices times 2^96.
// Sources: github.com/Uniswap/v3-core, TickMath.sol and SqrtPriceMath.sol.

const MAX_TICK = 887_272
const Q32 = 1n << 32n
const MAX_UINT = (1n << 256n) - 1n

/** sqrt(1.0001^-(2^i)) times 2^128, for each bit i of a tick. */
const FACTORS = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
] as const

/** The square root of the price at a tick, times 2^96. A tick out of range counts as the nearest that exists. */
export function rootAtTick(tick: number): bigint {
  const distance = Math.min(Math.abs(tick), MAX_TICK)
  let ratio = 1n << 128n
  for (const [bit, factor] of FACTORS.entries()) if ((distance >> bit) & 1) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = MAX_UINT / ratio
  return ratio % Q32 === 0n ? ratio >> 32n : (ratio >> 32n) + 1n
}

/** Raw amounts of both tokens for `liquidity` between two ticks at a price; rounded up for amounts that come in. */
export function amountsOfRange(
  sqrtPriceX96: bigint,
  tickLower: number,
  tickUpper: number,
  liquidity: bigint,
): [amount0: bigint, amount1: bigint] {
  const [lower, upper] = [rootAtTick(tickLower), rootAtTick(tickUpper)]
  const [low, high] = [clamp(sqrtPriceX96, lower, upper), upper]
  const size = liquidity < 0n ? -liquidity : liquidity
  const round = liquidity > 0n
  const amount0 = low > 0n && high > low ? divide(divide((size << 96n) * (high - low), high, round), low, round) : 0n
  const amount1 = low > lower ? divide(size * (low - lower), 1n << 96n, round) : 0n
  return [amount0, amount1]
}

const clamp = (value: bigint, least: bigint, most: bigint): bigint =>
  value < least ? least : value > most ? most : value

const divide = (value: bigint, by: bigint, up: boolean): bigint =>
  up && value % by !== 0n ? value / by + 1n : value / by

/**
 * The root of a ratio of raw amounts, times 2^96, as managers and V3 pools store a price. The whole part of it; null
 * for an invalid price.
 */
export const priceRoot = (amount1: bigint, amount0: bigint): bigint | null =>
  toPriceRoot(rootOf((amount1 << 192n) / amount0))

/** Null for an impossible value: zero, or more than 160 bits. */
export const toPriceRoot = (root: bigint): bigint | null => (root > 0n && root < MAX_ROOT ? root : null)

const MAX_ROOT = 1n << 160n

/** The whole part of a square root. */
function rootOf(square: bigint): bigint {
  if (square === 0n) return 0n
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (let next = (root + square / root) >> 1n; next < root; next = (root + square / root) >> 1n) root = next
  return root
}
