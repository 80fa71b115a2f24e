// A swap of a market maker: one contract that the preset names, which logs both tokens and both amounts of each trade.
// Its trades are those of a pool of the two tokens; no log shows what it holds.
import { address, type Shape, topic, uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'

type At = ReturnType<typeof topic>

interface Places {
  tokenIn: At
  tokenOut: At
  amountIn: At
  amountOut: At
}

export const namedSwap = (topics: number, words: number, { tokenIn, tokenOut, amountIn, amountOut }: Places): Shape =>
  coinsSwap(topics, words, {
    tokenIn: address(tokenIn),
    tokenOut: address(tokenOut),
    amountIn: uint(amountIn),
    amountOut: uint(amountOut),
  })

/** Four words from the first on: both tokens, then both amounts. */
export const fourWords = (first: number, topics: number, words: number): Shape =>
  namedSwap(topics, words, {
    tokenIn: word(first),
    tokenOut: word(first + 1),
    amountIn: word(first + 2),
    amountOut: word(first + 3),
  })

/** Both tokens are topics 1 and 2; both amounts are words 0 and 1. */
export const tokenTopics = (topics: number, words: number): Shape =>
  namedSwap(topics, words, { tokenIn: topic(1), tokenOut: topic(2), amountIn: word(0), amountOut: word(1) })
