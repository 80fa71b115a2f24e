// Market makers whose contracts share one interface: FermiSwap, Bebop's BopAMM, Tempest. Sources:
// github.com/lambdaclass/propamm-router-contracts, github.com/DefiLlama/dimension-adapters. The first contracts of
// FermiSwap and Bebop log an event of their own.
import { topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

/** Topic 1 is who called; the tokens follow. */
const afterCaller = (topics: number, words: number) =>
  namedSwap(topics, words, { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) })

export const PROP_AMM = {
  events: {
    /** Both amounts, and the recipient. */
    prop_amm_swap: ['Swapped(address,address,address,uint256,uint256,address)', 'factory', afterCaller(4, 3)],
    /** Of the first contract. Topic 1 is the recipient. */
    fermi_swap: ['FermiSwap(address,address,address,uint256,uint256)', 'factory', afterCaller(4, 2)],
    /** Of the first contracts. */
    bebop_swap: ['Swap(address,address,address,uint256,uint256)', 'factory', afterCaller(4, 2)],
  },
} as const satisfies Exchange
