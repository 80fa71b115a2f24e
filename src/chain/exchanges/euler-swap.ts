// EulerSwap: pools of two tokens that lie in Euler's vaults, so no log shows what a pool could pay. Source:
// github.com/euler-xyz/euler-swap, EulerSwapFactory.sol, Events.sol.
import { amountOfTwo, sideOfTwo, sumOfTwo } from '../columns/lists.ts'
import { topic, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import { type Exchange, poolOpened } from './exchange.ts'

export const EULER_SWAP = {
  about: { name: 'EulerSwap, both versions', found: 'factory log, or `deployedPools`' },
  reserves: 'unknown',
  events: {
    euler_swap_pool: [
      'PoolDeployed(address,address,address,address)',
      'factory',
      poolOpened(4, 1, [topic(1), topic(2), word(0)]),
    ],
    /** Both amounts that went in, both that came out, and two reserves. */
    euler_swap_swap: [
      'Swap(address,uint256,uint256,uint256,uint256,uint112,uint112,address)',
      'pool',
      coinsSwap(3, 6, {
        coinIn: sideOfTwo(0),
        coinOut: sideOfTwo(2),
        amountIn: amountOfTwo(0),
        amountOut: amountOfTwo(2),
      }),
    ],
    /** The second version names the fees of both amounts that went in, which these lack. */
    euler_swap_swap_v2: [
      'Swap(address,uint256,uint256,uint256,uint256,uint256,uint256,uint112,uint112,address)',
      'pool',
      coinsSwap(3, 8, {
        coinIn: sideOfTwo(0),
        coinOut: sideOfTwo(2),
        amountIn: sumOfTwo(0, 4),
        amountOut: amountOfTwo(2),
        fee: amountOfTwo(4),
      }),
    ],
  },
} as const satisfies Exchange
