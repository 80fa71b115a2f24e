// Algebra 1.x and Integral (QuickSwap, Camelot, THENA, Hydrex, Supernova): range pools with a changing fee, one pool
// per pair of tokens. Version 1.x logs Swap, Mint and Burn as Uniswap V3; Integral 1.2 appends fees to Swap and Burn.
// Sources: github.com/cryptoalgebra/Algebra, IAlgebraFactory.sol and IAlgebraPoolEvents.sol; recorded logs of Base.
import { shape, topic, word } from '../columns/shape.ts'
import { type Exchange, poolOpened } from './exchange.ts'
import { rangeChange, rangeSwap, UNISWAP_V3 } from './uniswap-v3.ts'

/** The tokens are the topics from `first` on. */
const opened = (topics: number, first: number) => poolOpened(topics, 1, [topic(first), topic(first + 1), word(0)])

export const ALGEBRA = {
  about: {
    name: 'Algebra 1.x, Integral (QuickSwap, QuickSwap V4, Camelot, THENA, Hydrex, Supernova)',
    found: 'factory log, or `poolByPair`',
  },
  pools: {
    ...UNISWAP_V3.pools,
    key: null,
    find: 'poolByPair(address,address)',
    keyIsFee: false,
    price: 'globalState()',
  },
  events: {
    algebra_pool: ['Pool(address,address,address)', 'factory', opened(3, 1)],
    /** Integral: a further pool of the same two tokens, made by a custom deployer. */
    algebra_custom_pool: ['CustomPool(address,address,address,address)', 'factory', opened(4, 2)],
    algebra_swap: ['Swap(address,address,int256,int256,uint160,uint128,int24,uint24,uint24)', 'pool', rangeSwap(7)],
    algebra_burn: [
      'Burn(address,int24,int24,uint128,uint256,uint256,uint24)',
      'pool',
      shape('v3_burn', 4, 4, rangeChange(0)),
    ],
  },
} as const satisfies Exchange
