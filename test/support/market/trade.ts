// The actions of a wallet: approve, add and remove liquidity, buy, sell, lock. All of them queue for the next block.
import { type Address, maxUint256 } from 'viem'
import { artifacts } from '../contracts/artifacts.ts'
import type { MarketChain } from './chain.ts'
import { pairOf, sortTokens, type Venues, type VenueV2 } from './venue.ts'

const FOREVER = 4_000_000_000n
const MAX_UINT128 = 2n ** 128n - 1n
/** Ticks of a position over nearly the whole range; a multiple of every tick spacing (10, 60, 200). */
const WIDEST_TICK = 886_800

/** Wei for a number of coins, rounded to a millionth so that it is the same on every machine. */
export const ether = (coins: number): bigint => BigInt(Math.round(coins * 1e6)) * 10n ** 12n
/** Raw units for whole tokens. */
export const units = (whole: number, decimals: number): bigint =>
  (BigInt(Math.round(whole * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n
/** A fraction of an amount, exact to 0.01 %. */
export const part = (amount: bigint, fraction: number): bigint =>
  (amount * BigInt(Math.round(fraction * 1e4))) / 10_000n

export type Trade = ReturnType<typeof createTrade>

export function createTrade(chain: MarketChain, venues: Venues) {
  const approved = new Set<string>()
  const erc20 = artifacts.plainToken.abi

  async function approve(wallet: Address, token: Address, spender: Address): Promise<void> {
    const key = `${wallet} ${token} ${spender}`
    if (approved.has(key)) return
    approved.add(key)
    await chain.send(wallet, { to: token, abi: erc20, name: 'approve', args: [spender, maxUint256] })
  }

  const router = (venue: VenueV2, name: string, args: readonly unknown[]) => ({
    to: venue.router,
    abi: artifacts.v2Router.abi,
    name,
    args,
  })
  const onV3 = (name: string, args: readonly unknown[]) => ({
    to: venues.uniswapV3.positions,
    abi: artifacts.v3Positions.abi,
    name,
    args,
  })

  return {
    approve,
    balance: (token: Address, holder: Address) =>
      chain.ask<bigint>({ to: token, abi: erc20, name: 'balanceOf', args: [holder] }),
    transfer: (wallet: Address, token: Address, to: Address, amount: bigint) =>
      chain.send(wallet, { to: token, abi: erc20, name: 'transfer', args: [to, amount] }),
    mintUsd: (wallet: Address, amount: bigint) =>
      chain.send(wallet, { to: venues.usd, abi: artifacts.faucetToken.abi, name: 'mint', args: [wallet, amount] }),
    wrap: (wallet: Address, amount: bigint) =>
      chain.send(wallet, { to: venues.weth, abi: artifacts.weth.abi, name: 'deposit' }, amount),
    unwrap: (wallet: Address, amount: bigint) =>
      chain.send(wallet, { to: venues.weth, abi: artifacts.weth.abi, name: 'withdraw', args: [amount] }),

    addLiquidity: async (venue: VenueV2, wallet: Address, token: Address, amount: bigint, wei: bigint, to = wallet) => {
      await approve(wallet, token, venue.router)
      await chain.send(wallet, router(venue, 'addLiquidityETH', [token, amount, 0n, 0n, to, FOREVER]), wei)
    },
    addLiquidityPair: async (
      venue: VenueV2,
      wallet: Address,
      a: Address,
      amountA: bigint,
      b: Address,
      amountB: bigint,
    ) => {
      await approve(wallet, a, venue.router)
      await approve(wallet, b, venue.router)
      await chain.send(wallet, router(venue, 'addLiquidity', [a, b, amountA, amountB, 0n, 0n, wallet, FOREVER]))
    },
    removeLiquidity: async (venue: VenueV2, wallet: Address, token: Address, shares: bigint) => {
      await approve(wallet, pairOf(venue, token, venues.weth), venue.router)
      const name = 'removeLiquidityETHSupportingFeeOnTransferTokens'
      await chain.send(wallet, router(venue, name, [token, shares, 0n, 0n, wallet, FOREVER]))
    },

    /** Spends the native coin along the path, which starts at the wrapped native coin. */
    buy: (venue: VenueV2, wallet: Address, path: readonly Address[], wei: bigint) =>
      chain.send(
        wallet,
        router(venue, 'swapExactETHForTokensSupportingFeeOnTransferTokens', [0n, path, wallet, FOREVER]),
        wei,
      ),
    /** Sells for the native coin along the path, which ends at the wrapped native coin. */
    sell: async (venue: VenueV2, wallet: Address, path: readonly Address[], amount: bigint) => {
      await approve(wallet, path[0]!, venue.router)
      const name = 'swapExactTokensForETHSupportingFeeOnTransferTokens'
      await chain.send(wallet, router(venue, name, [amount, 0n, path, wallet, FOREVER]))
    },
    /** Swaps token for token along the path. */
    swap: async (venue: VenueV2, wallet: Address, path: readonly Address[], amount: bigint) => {
      await approve(wallet, path[0]!, venue.router)
      const name = 'swapExactTokensForTokensSupportingFeeOnTransferTokens'
      await chain.send(wallet, router(venue, name, [amount, 0n, path, wallet, FOREVER]))
    },

    openV3: async (wallet: Address, a: Address, b: Address, fee: number, amountA: bigint, amountB: bigint) => {
      const [token0, token1] = sortTokens(a, b)
      const [amount0, amount1] = token0 === a ? [amountA, amountB] : [amountB, amountA]
      const args = [token0, token1, fee, priceRoot(amount0, amount1)]
      await chain.send(wallet, onV3('createAndInitializePoolIfNecessary', args))
    },
    /** Opens a position over the whole range, or between two ticks. The amounts are upper bounds. */
    addV3: async (
      wallet: Address,
      a: Address,
      b: Address,
      fee: number,
      amountA: bigint,
      amountB: bigint,
      ticks: readonly [number, number] = [-WIDEST_TICK, WIDEST_TICK],
    ) => {
      await approve(wallet, a, venues.uniswapV3.positions)
      await approve(wallet, b, venues.uniswapV3.positions)
      const [token0, token1] = sortTokens(a, b)
      const [amount0Desired, amount1Desired] = token0 === a ? [amountA, amountB] : [amountB, amountA]
      const [tickLower, tickUpper] = ticks
      const wish = { token0, token1, fee, tickLower, tickUpper, amount0Desired, amount1Desired }
      const bounds = { amount0Min: 0n, amount1Min: 0n, recipient: wallet, deadline: FOREVER }
      await chain.send(wallet, onV3('mint', [{ ...wish, ...bounds }]))
    },
    /** The wallet's positions: id and liquidity of each. */
    positionsV3: async (wallet: Address): Promise<{ id: bigint; liquidity: bigint }[]> => {
      const count = await chain.ask<bigint>(onV3('balanceOf', [wallet]))
      const found: { id: bigint; liquidity: bigint }[] = []
      for (let i = 0n; i < count; i++) {
        const id = await chain.ask<bigint>(onV3('tokenOfOwnerByIndex', [wallet, i]))
        const position = await chain.ask<readonly unknown[]>(onV3('positions', [id]))
        found.push({ id, liquidity: position[7] as bigint })
      }
      return found
    },
    removeV3: (wallet: Address, tokenId: bigint, liquidity: bigint) =>
      chain.send(
        wallet,
        onV3('decreaseLiquidity', [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: FOREVER }]),
      ),
    collectV3: (wallet: Address, tokenId: bigint) =>
      chain.send(
        wallet,
        onV3('collect', [{ tokenId, recipient: wallet, amount0Max: MAX_UINT128, amount1Max: MAX_UINT128 }]),
      ),
    /**
     * Swaps an exact input through one V3 pool; with `wei` it pays with the native coin instead of an approved token.
     */
    swapV3: async (wallet: Address, tokenIn: Address, tokenOut: Address, fee: number, amountIn: bigint, wei = 0n) => {
      if (wei === 0n) await approve(wallet, tokenIn, venues.uniswapV3.router)
      const route = { tokenIn, tokenOut, fee, recipient: wallet, deadline: FOREVER }
      const args = [{ ...route, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }]
      await chain.send(
        wallet,
        { to: venues.uniswapV3.router, abi: artifacts.v3Router.abi, name: 'exactInputSingle', args },
        wei,
      )
    },
  }
}

/** The square root of amount1/amount0, times 2^96. */
export function priceRoot(amount0: bigint, amount1: bigint): bigint {
  return squareRoot((amount1 << 192n) / amount0)
}

/** The integer part of a square root. */
export function squareRoot(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2))
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
