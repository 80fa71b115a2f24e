// Sky's (Maker's) peg stability module: USDC for DAI and back, one for one. Amounts are logged in USDC's six decimals; its
// fee, zero today, is not in them. Source: github.com/sky-ecosystem/dss-lite-psm, DssLitePsm.sol.
import { toAddress } from '../../base/address.ts'
import { fixedAddress, uint, uintTimes, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

const DAI = fixedAddress(toAddress('0x6b175474e89094c44da98b954eedeac495271d0f'))
const USDC = fixedAddress(toAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'))
/** DAI has twelve more decimals than USDC. */
const inDai = uintTimes(word(0), 10n ** 12n)
const inUsdc = uint(word(0))

export const SKY_PSM = {
  events: {
    psm_sell: [
      'SellGem(address,uint256,uint256)',
      'factory',
      coinsSwap(2, 2, { tokenIn: USDC, tokenOut: DAI, amountIn: inUsdc, amountOut: inDai }),
    ],
    psm_buy: [
      'BuyGem(address,uint256,uint256)',
      'factory',
      coinsSwap(2, 2, { tokenIn: DAI, tokenOut: USDC, amountIn: inDai, amountOut: inUsdc }),
    ],
  },
} as const satisfies Exchange
