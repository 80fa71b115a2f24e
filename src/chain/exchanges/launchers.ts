// Launch venues that open a token's pool at an exchange themselves: their log names the token and its creator, and only the preset's
// addresses count. Doppler's log names no creator. Sources: github.com/ourzora/zora-protocol, IZoraFactory.sol;
// github.com/clanker-devco (v3.1, v4), IClanker.sol; github.com/whetstoneresearch/doppler, Airlock.sol; github.com/flayerlabs/flaunchgg-contracts,
// PositionManager.sol.
import { addressInTuple } from '../columns/lists.ts'
import { address, none, openShape, type Shape, shape, topic, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'

/** Caller, who is paid as the creator, and a referrer are indexed; the coin follows a currency and three texts. */
const zora = (words: number): Shape =>
  openShape('launched', 4, words, { token: address(word(4)), creator: address(topic(2)) })

const POOL_KEY = '(address,address,uint24,int24,address)'

export const LAUNCHER_EVENTS = {
  zora_coin: [
    `CoinCreatedV4(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
    'zora',
    zora(12),
  ],
  zora_creator_coin: [
    `CreatorCoinCreated(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
    'zora',
    zora(12),
  ],
  /** At Uniswap V3. */
  zora_coin_v3: [
    'CoinCreated(address,address,address,address,string,string,string,address,address,string)',
    'zora',
    zora(7),
  ],
  clanker_v4: [
    'TokenCreated(address,address,address,string,string,string,string,string,int24,address,bytes32,address,address,address,uint256,address[])',
    'clanker',
    openShape('launched', 3, 14, { token: address(topic(1)), creator: address(topic(2)) }),
  ],
  clanker_v31: [
    'TokenCreated(address,address,address,address,address,uint256,string,string,int24,string,uint256,uint256,uint8,address)',
    'clanker',
    openShape('launched', 4, 11, { token: address(topic(1)), creator: address(topic(2)) }),
  ],
  doppler_created: [
    'Create(address,address,address,address)',
    'doppler',
    shape('launched', 2, 3, { token: address(word(0)), creator: none }),
  ],
  flaunched: [
    'PoolCreated(bytes32,address,address,uint256,bool,(string,string,string,uint256,uint256,uint256,address,uint24,uint256,bytes,bytes))',
    'flaunch',
    openShape('launched', 2, 5, { token: address(word(0)), creator: addressInTuple(4, 6) }),
  ],
} as const satisfies ExchangeEvents
