// Bancor V3 and Carbon: one contract each, for trades of all their tokens. Sources: github.com/bancorprotocol/contracts-v3,
// BancorNetwork.sol; github.com/bancorprotocol/carbon-contracts, Strategies.sol.
import { topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

const traded = { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) }

export const BANCOR = {
  events: {
    bancor_trade: [
      'TokensTraded(bytes32,address,address,uint256,uint256,uint256,uint256,address)',
      'factory',
      namedSwap(4, 5, traded),
    ],
    carbon_trade: [
      'TokensTraded(address,address,address,uint256,uint256,uint128,bool)',
      'factory',
      namedSwap(4, 4, traded),
    ],
  },
} as const satisfies Exchange
