// The market makers whose trades are read. Each logs its trades, with both tokens and both amounts, from contracts with the
// kind `maker`. Another one needs its events here, and its contracts in `deployed` or in presets.
import { toAddress } from '../../base/address.ts'
import { constant, fixedAddress, number, topic, uint, uintTimes, unknownAmount, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'
import { fourWords, namedSwap, tokenTopics } from './named-swap.ts'

const bancorTraded = { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) }

/** Topic 1 is who called; the tokens follow. */
const afterCaller = (topics: number, words: number) =>
  namedSwap(topics, words, { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) })

const DAI = fixedAddress(toAddress('0x6b175474e89094c44da98b954eedeac495271d0f'))
const USDC = fixedAddress(toAddress('0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'))
/** DAI has twelve more decimals than USDC. */
const inDai = uintTimes(word(0), 10n ** 12n)
const inUsdc = uint(word(0))

export const MAKER = {
  about: {
    name: '[market makers](#market-makers)',
    preset: 'their contract',
    found: 'first trade of two tokens',
    seen: '16 of 16',
  },
  reserves: 'unknown',
  tradesAnyPair: true,
  events: {
    // AirSwap: orders that a market maker signs and a taker sends. Source: github.com/airswap/airswap-protocols,
    // SwapERC20.sol.
    airswap_swap: [
      'SwapERC20(uint256,address,address,uint256,uint256,address,address,uint256)',
      'factory',
      namedSwap(4, 5, { tokenIn: word(3), amountIn: word(4), tokenOut: word(0), amountOut: word(1) }),
    ],

    // Bancor V3 and Carbon: one contract each, for trades of all their tokens. Sources:
    // github.com/bancorprotocol/contracts-v3, BancorNetwork.sol; github.com/bancorprotocol/carbon-contracts,
    // Strategies.sol.
    bancor_trade: [
      'TokensTraded(bytes32,address,address,uint256,uint256,uint256,uint256,address)',
      'factory',
      namedSwap(4, 5, bancorTraded),
    ],
    carbon_trade: [
      'TokensTraded(address,address,address,uint256,uint256,uint128,bool)',
      'factory',
      namedSwap(4, 4, bancorTraded),
    ],

    // Clipper: trades at prices that its server signs. Source: github.com/shipyard-software,
    // ClipperCommonExchange.sol.
    /** The server's note follows the amounts. */
    clipper_swap: [
      'Swapped(address,address,address,uint256,uint256,bytes)',
      'factory',
      { ...tokenTopics(4, 4), isOpen: true },
    ],

    // DeFi Plaza: one contract with sixteen tokens. Source: github.com/jazzrozen/defiplaza, IDeFiPlaza.sol.
    defi_plaza_swap: ['Swapped(address,address,address,uint256,uint256)', 'factory', fourWords(1, 1, 5)],

    // ElfomoFi: a market maker's contract on Base and BSC. Source: its interface IElfomoFi, as integrators publish
    // it.
    elfomo_trade: [
      'ElfomoTrade(uint256,uint256,address,address,address,address,uint256,uint256)',
      'factory',
      fourWords(2, 3, 6),
    ],

    // Fluid DEX Lite: one contract on Ethereum that holds the tokens of all its pools. Its log has the pool's number
    // and both amounts in nine decimals, so they are not exact. Transfers of the transaction tell tokens and amounts.
    // Source: github.com/Instadapp/fluid-contracts-public, protocols/dexLite.
    fluid_lite_swap: [
      'LogSwap(uint256,uint256)',
      'factory',
      coinsSwap(1, 2, { coinIn: constant(0), coinOut: constant(1), amountIn: unknownAmount, amountOut: unknownAmount }),
    ],

    // ParaSwap's signed orders. Source: github.com/paraswap/augustus-rfq, AugustusRFQ.sol.
    paraswap_rfq: [
      'OrderFilled(bytes32,address,address,uint256,address,address,uint256)',
      'factory',
      namedSwap(4, 4, { tokenIn: word(2), amountIn: word(3), tokenOut: word(0), amountOut: word(1) }),
    ],

    // Market makers whose contracts share one interface: FermiSwap, Bebop's BopAMM, Tempest. Sources:
    // github.com/lambdaclass/propamm-router-contracts, github.com/DefiLlama/dimension-adapters. The first contracts
    // of FermiSwap and Bebop log an event of their own.
    /** Both amounts, and the recipient. */
    prop_amm_swap: ['Swapped(address,address,address,uint256,uint256,address)', 'factory', afterCaller(4, 3)],
    /** Of the first contract. Topic 1 is the recipient. */
    fermi_swap: ['FermiSwap(address,address,address,uint256,uint256)', 'factory', afterCaller(4, 2)],
    /** Of the first contracts. */
    bebop_swap: ['Swap(address,address,address,uint256,uint256)', 'factory', afterCaller(4, 2)],

    // Saddle and its forks (Synapse): pools of stablecoins that log the numbers of the coins. The transfers of the
    // transaction tell which they are. Source: github.com/saddle-finance/saddle-contract, Swap.sol.
    saddle_swap: [
      'TokenSwap(address,uint256,uint256,uint128,uint128)',
      'factory',
      coinsSwap(2, 4, {
        coinIn: number(word(2), 8),
        coinOut: number(word(3), 8),
        amountIn: uint(word(0)),
        amountOut: uint(word(1)),
      }),
    ],

    // Sky's (Maker's) peg stability module: USDC for DAI and back, one for one. Amounts are logged in USDC's six
    // decimals; its fee, zero today, is not in them. Source: github.com/sky-ecosystem/dss-lite-psm, DssLitePsm.sol.
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

    // Tessera: a market maker's contract on Base and BSC. Source: its interface ITesseraSwap, as integrators publish
    // it.
    tessera_trade: ['TesseraTrade(address,address,uint256,uint256,address)', 'factory', fourWords(0, 1, 5)],

    // Wombat: pools of stablecoins, each with many. Source: github.com/wombat-exchange/v1-core, PoolV2.sol,
    // PoolV3.sol.
    wombat_swap: [
      'Swap(address,address,uint256,address,uint256,address)',
      'factory',
      namedSwap(3, 4, { tokenIn: word(0), amountIn: word(1), tokenOut: word(2), amountOut: word(3) }),
    ],
    wombat_swap_v2: ['SwapV2(address,address,address,uint256,uint256,uint256,address)', 'factory', fourWords(0, 3, 5)],

    // WOOFi: one pool of many tokens, priced by its oracle. Source: github.com/woonetwork/WooPoolV2, IWooPPV2.sol.
    woofi_swap: [
      'WooSwap(address,address,uint256,uint256,address,address,address,uint256,uint256)',
      'factory',
      tokenTopics(4, 6),
    ],
    /** The pools before it. */
    woofi_swap_rebate: [
      'WooSwap(address,address,uint256,uint256,address,address,address)',
      'factory',
      tokenTopics(4, 4),
    ],

    // 0x's orders: of market makers (RFQ, OTC) and with a limit. Source: github.com/0xProject/protocol,
    // INativeOrdersEvents.sol, IOtcOrdersFeature.sol.
    zero_ex_rfq: [
      'RfqOrderFilled(bytes32,address,address,address,address,uint128,uint128,bytes32)',
      'factory',
      namedSwap(1, 8, { tokenIn: word(4), amountIn: word(5), tokenOut: word(3), amountOut: word(6) }),
    ],
    zero_ex_otc: [
      'OtcOrderFilled(bytes32,address,address,address,address,uint128,uint128)',
      'factory',
      namedSwap(1, 7, { tokenIn: word(4), amountIn: word(6), tokenOut: word(3), amountOut: word(5) }),
    ],
    zero_ex_limit: [
      'LimitOrderFilled(bytes32,address,address,address,address,address,uint128,uint128,uint128,uint256,bytes32)',
      'factory',
      namedSwap(1, 11, { tokenIn: word(5), amountIn: word(6), tokenOut: word(4), amountOut: word(7) }),
    ],
  },
  deployed: [
    {
      address: '0xd82fa167727a4dc6d6f55830a2c47abbb4b3a0f8',
      launchpad: 'airswap',
      chains: { 1: 'published', 56: 'recorded', 137: 'published', 42161: 'published' },
    },
    {
      address: '0xf0f0f0f0fb0d738452efd03a28e8be14c76d5f73',
      launchpad: 'elfomo',
      chains: { 56: 'published', 8453: 'published' },
    },
    {
      address: '0x55555522005bcae1c2424d474bfd5ed477749e3e',
      launchpad: 'tessera',
      chains: { 56: 'published', 8453: 'published' },
    },
    {
      address: '0x5520385bfcf07ec87c4c53a7d8d65595dff69fa4',
      launchpad: 'woofi',
      chains: { 56: 'published', 137: 'recorded', 8453: 'published', 42161: 'published' },
    },
    {
      address: '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
      launchpad: 'zrx_orders',
      chains: { 1: 'recorded', 56: 'published', 137: 'recorded', 8453: 'recorded', 42161: 'recorded' },
    },
  ],
} as const satisfies Exchange
