// Virtuals: the venue's own pair sells a token for VIRTUAL until the token graduates to an exchange. The pair keeps the
// product of its reserves constant; its first reserves are virtual. Its Swap orders the words unlike Uniswap V2's.
// Source: github.com/Virtual-Protocol/protocol-contracts, contracts/fun (Bonding.sol, FPair.sol), contracts/launchpadv2
// (BondingV5.sol, FPairV2.sol).
import { address, shape, topic, uint, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'

export const VIRTUALS = {
  about: {
    name: 'Virtuals, all five bonding contracts',
    preset: 'bonding contract, with `quote`',
    found: '`Launched`, `PreLaunched`',
    held: 'paid in',
    price: 'constant product of the rest',
  },
  events: {
    virtuals_launched: [
      'Launched(address,address,uint256)',
      'factory',
      shape('pair_launched', 3, 1, { token: address(topic(1)), pool: address(topic(2)) }),
    ],
    /**
     * The bonding contracts from the second on open the pair before trading begins. Their token stays the same after
     * graduation. (launchpadv2/BondingV2.sol to BondingV4.sol.)
     */
    virtuals_prelaunched_v2: [
      'PreLaunched(address,address,uint256,uint256)',
      'factory',
      shape('pair_launched', 3, 2, { token: address(topic(1)), pool: address(topic(2)) }),
    ],
    /** Of the fifth. (launchpadv2/BondingV5.sol.) */
    virtuals_prelaunched: [
      'PreLaunched(address,address,uint256,uint256,(uint8,uint16,bool,uint8,bool))',
      'factory',
      shape('pair_launched', 3, 7, { token: address(topic(1)), pool: address(topic(2)) }),
    ],
    virtuals_graduated: [
      'Graduated(address,address)',
      'factory',
      shape('pair_closed', 2, 1, { token: address(topic(1)) }),
    ],
    virtuals_mint: [
      'Mint(uint256,uint256)',
      'pool',
      shape('pair_reserves', 1, 2, { reserve0: uint(word(0)), reserve1: uint(word(1)) }),
    ],
    virtuals_swap: [
      'Swap(uint256,uint256,uint256,uint256)',
      'pool',
      shape('pair_swap', 1, 4, {
        amount0In: uint(word(0)),
        amount0Out: uint(word(1)),
        amount1In: uint(word(2)),
        amount1Out: uint(word(3)),
      }),
    ],
  },
} as const satisfies Exchange
