// The rights of a pool's hooks, from bits: Uniswap V4 and Ekubo read them from the hook's address, PancakeSwap Infinity
// from the pool's parameters. Sources: github.com/Uniswap/v4-core, Hooks.sol; github.com/pancakeswap/infinity-core,
// Hooks.sol; github.com/EkuboProtocol/evm-contracts, callPoints.sol.

/** The rights in words, by bit of Uniswap V4's address. */
const RIGHTS: readonly [bit: number, words: string][] = [
  [7, 'runs before each swap'],
  [6, 'runs after each swap'],
  [3, 'sets what a swap pays'],
  [2, 'takes a share of what a swap pays'],
  [11, 'runs before liquidity is added'],
  [10, 'runs after liquidity is added'],
  [9, 'runs before liquidity is removed, and can refuse it'],
  [8, 'runs after liquidity is removed, and can refuse it'],
  [1, 'takes a share of added liquidity'],
  [0, 'takes a share of removed liquidity'],
]

/** The number of rights with words. */
export const HOOK_RIGHTS = RIGHTS.length

/** The bit of Uniswap V4 for each of Infinity's, from its lowest. */
const FROM_INFINITY = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]

const SETS_PRICE = 1 << 3
const TAKES_SHARE = 1 << 2

/** No right of a hook: no log shows the pool's reserves. */
export const RESERVES_UNTOLD = 1 << 14

/** No right of a hook either: the pool has more than two coins, and the row covers two of them. */
export const MANY_COINS = 1 << 15

/** A fee of this size or more means that a hook sets it for each swap. (v4-core, LPFeeLibrary.sol.) */
const DYNAMIC_FEE = 0x80_0000

/** The fee of a manager's pool in hundredths of a basis point; null where a hook sets it for each swap. */
export const fixedFee = (fee: number): number | null => (fee < DYNAMIC_FEE ? fee : null)

/** The bits of Uniswap V4 for each of Ekubo's. Collected fees have none, and a changed position has two. */
const FROM_EKUBO = [[13], [], [], [10, 8], [11, 9], [6], [7], [12]]

/** Ekubo's bits in the order of Uniswap V4's. */
export const ekuboRights = (bits: number): number =>
  FROM_EKUBO.flatMap((own, bit) => (((bits >> bit) & 1) === 1 ? own : [])).reduce(
    (rights, bit) => rights | (1 << bit),
    0,
  )

/** Infinity's bits in the order of Uniswap V4's. */
export const infinityRights = (bits: number): number =>
  FROM_INFINITY.reduce((rights, bit, at) => rights | (((bits >> at) & 1) << bit), 0)

/**
 * Whether logs do not show reserves, liquidity and price: a hook may settle swaps by its own curve, or another contract
 * holds the pool's tokens.
 */
export const hasOwnCurve = (rights: number): boolean => (rights & (SETS_PRICE | RESERVES_UNTOLD)) !== 0

/**
 * The rights of a hook that changes a swap's payment only to take a fee. The rest is swapped in the pool, so the logs
 * are complete.
 */
export const feeRights = (rights: number): number => (rights & ~SETS_PRICE) | TAKES_SHARE

/** Whether the row covers two coins of a pool with more. */
export const hasManyCoins = (rights: number): boolean => (rights & MANY_COINS) !== 0

/** The rights of the hook, in words. */
export const describeRights = (rights: number): string[] =>
  RIGHTS.filter(([bit]) => (rights >> bit) & 1).map(([, words]) => words)
