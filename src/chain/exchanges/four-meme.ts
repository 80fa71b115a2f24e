// Four.meme on BSC: a manager sells each token along a curve, then adds the raised amount to PancakeSwap. Its logs
// index nothing, so only the manager's logs count. `offers` are the tokens left for sale, `funds` the raised amount.
// Sources: Four.meme's API documents (TokenManager2, TokenManagerHelper3), as published with its SDKs.
import { address, always, flag, openShape, type Shape, shape, uint, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'

/** Words: token, account, price, amount, cost, fee, offers, funds. */
const trade = (isBuy: boolean): Shape =>
  shape('curve_swap', 1, 8, {
    token: address(word(0)),
    trader: address(word(1)),
    isBuy: isBuy ? always : flag(null),
    amount: uint(word(3)),
    paid: uint(word(4)),
    price: uint(word(2)),
    left: uint(word(6)),
    raised: uint(word(7)),
  })

export const FOUR_MEME = {
  about: {
    name: 'Four.meme (second manager)',
    preset: 'manager',
    found: '`TokenCreate`, or the first trade',
    held: '`offers` and `funds` of each trade',
    price: 'logged',
  },
  isCurve: true,
  events: {
    four_meme_created: [
      'TokenCreate(address,address,uint256,string,string,uint256,uint256,uint256)',
      'factory',
      openShape('curve_opened', 1, 10, { token: address(word(1)), creator: address(word(0)) }),
    ],
    four_meme_bought: [
      'TokenPurchase(address,address,uint256,uint256,uint256,uint256,uint256,uint256)',
      'factory',
      trade(true),
    ],
    four_meme_sold: [
      'TokenSale(address,address,uint256,uint256,uint256,uint256,uint256,uint256)',
      'factory',
      trade(false),
    ],
    /** Base, offers, quote, funds. */
    four_meme_graduated: [
      'LiquidityAdded(address,uint256,address,uint256)',
      'factory',
      shape('curve_closed', 1, 4, { token: address(word(0)) }),
    ],
  },
} as const satisfies Exchange
