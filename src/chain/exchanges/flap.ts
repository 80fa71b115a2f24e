// Flap on BSC: a portal sells each token along a curve up to its threshold, then moves it to an exchange. Its logs
// index nothing, so only the portal's logs count. They do not tell how many tokens are left. Sources: docs.flap.sh
// (Build an Indexer); the portal's events in four-flap-meme-sdk.
import { address, always, flag, none, openShape, type Shape, shape, uint, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'

/** Words: time, token, account, amount, coins, fee, price. */
const trade = (isBuy: boolean): Shape =>
  shape('curve_swap', 1, 7, {
    token: address(word(1)),
    trader: address(word(2)),
    isBuy: isBuy ? always : flag(null),
    amount: uint(word(3)),
    paid: uint(word(4)),
    price: uint(word(6)),
    left: none,
    raised: none,
  })

export const FLAP = {
  about: {
    name: 'Flap',
    preset: 'portal',
    found: '`TokenCreated`, or the first trade',
    held: 'sum of trades',
    price: 'logged',
  },
  isCurve: true,
  events: {
    /** Time, creator, nonce, token, texts. */
    flap_created: [
      'TokenCreated(uint256,address,uint256,address,string,string,string)',
      'factory',
      openShape('curve_opened', 1, 10, { token: address(word(3)), creator: address(word(1)) }),
    ],
    flap_bought: ['TokenBought(uint256,address,address,uint256,uint256,uint256,uint256)', 'factory', trade(true)],
    flap_sold: ['TokenSold(uint256,address,address,uint256,uint256,uint256,uint256)', 'factory', trade(false)],
    flap_graduated: [
      'LaunchedToDEX(address,address,uint256,uint256)',
      'factory',
      shape('curve_closed', 1, 4, { token: address(word(0)) }),
    ],
  },
} as const satisfies Exchange
