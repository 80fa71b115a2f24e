// Trades by our code: a purchase and a sale a block apart, sales of real holders, or both in a constructor. Input: a
// market. Output: the failed steps, and the losses on the way.
import type { Address } from '../../base/address.ts'
import { isHex } from '../../chain/columns/hex.ts'
import { callData, type Hex, selectorOf } from '../../chain/contracts/words.ts'
import { hexQuantity } from '../../chain/raw.ts'
import type { Asker } from '../node/asker.ts'
import { accountOf } from '../node/chance.ts'
import { blockLike, gasPriceOf, purseOf, tradeGasOf, withPurse } from '../node/gas.ts'
import type { Reply } from '../node/reply.ts'
import type { RpcCall } from '../report.ts'
import type { Market } from './market.ts'
import type { SampledHolder } from './sample.ts'
import { buyData, launchData, readOutcome, sellData, TRADER_CODE, type TradeOutcome } from './trader.ts'

export interface Trade {
  who: Address
  /** Null: the node did not answer, or gave an unknown answer. */
  outcome: TradeOutcome | null
  call: RpcCall
}

export interface TradeSetting {
  seed: string
  market: Market
  /** The price of a purchase, in raw units of the quote. */
  amount: bigint
  /** The payer's account with the quote; not used for the wrapped coin. */
  payer: Address | null
}

const APPROVE = selectorOf('approve(address,uint256)')
const MAX = 2n ** 256n - 1n
const BUYERS = 2

/** Whether an account can pay for a purchase. */
export const canBuy = ({ market, payer }: TradeSetting): boolean => market.wraps || payer !== null

interface Buyer {
  who: Address
  /** The account under the trader's code: a holder of the quote, at its own address. */
  trader: Address
}

const buyersOf = ({ seed, market, payer }: TradeSetting): Buyer[] =>
  Array.from({ length: BUYERS }, (_, at) => ({
    who: accountOf(seed, `buyer ${at}`),
    trader: market.wraps || payer === null ? accountOf(seed, 'router') : payer,
  }))

function purchaseCall(asker: Asker, setting: TradeSetting, { who, trader }: Buyer) {
  const { seed, market, amount } = setting
  const value = market.wraps ? { value: hexQuantity(amount) } : {}
  const price = hexQuantity(gasPriceOf(asker.block, seed))
  return {
    from: who,
    to: trader,
    data: buyData(market, amount, who),
    gas: tradeGasOf(seed, who),
    gasPrice: price,
    ...value,
  }
}

/** State in which the buyer can pay and the trader's code is at its address. */
function stateOf({ seed, amount, market }: TradeSetting, { who, trader }: Buyer) {
  const purse = purseOf(seed, who) + (market.wraps ? amount : 0n)
  return { [who]: { balance: hexQuantity(purse) }, [trader]: { code: TRADER_CODE } }
}

/**
 * Two strangers buy. This many seconds later, in another block, they sell everything, and real holders a part. Each
 * sells through a contract that it approved, like a router. Null: the node did not run it.
 */
export async function tryRound(
  asker: Asker,
  setting: TradeSetting,
  holders: readonly SampledHolder[],
  seconds: number,
): Promise<{ buys: Trade[]; sales: Trade[]; holderSales: Trade[] } | null> {
  const { market, seed } = setting
  const buyers = buyersOf(setting)
  const router = buyers[0]?.trader ?? accountOf(seed, 'router')
  const sellers = [
    ...buyers.map((buyer) => ({ ...buyer, amount: 0n })),
    ...holders.map(({ address, amount }) => ({ who: address, trader: router, amount })),
  ]
  const price = hexQuantity(gasPriceOf(asker.block, seed))
  const sale = ({ who, trader, amount }: (typeof sellers)[number]) => {
    const like = { from: who, gas: tradeGasOf(seed, who), gasPrice: price }
    return [
      { ...like, to: market.token, data: callData(APPROVE, trader, MAX) },
      { ...like, to: trader, data: sellData(market, amount, who) },
    ]
  }
  const purses = holders.map(({ address }) => withPurse(seed, address))
  const like = blockLike(asker.block, seed)
  const blocks = [
    {
      blockOverrides: like,
      stateOverrides: Object.assign({}, ...purses, ...buyers.map((buyer) => stateOf(setting, buyer))),
      calls: buyers.map((buyer) => purchaseCall(asker, setting, buyer)),
    },
    { blockOverrides: { ...like, time: hexQuantity(asker.block.time + seconds) }, calls: sellers.flatMap(sale) },
  ]
  const call = { method: 'eth_simulateV1', params: [{ blockStateCalls: blocks, validation: false }, asker.block.tag] }
  const [reply] = await asker.ask([call])
  const [first, second] = readBlocks(reply)
  if (!first || !second) return null
  const trade = (at: number, block: readonly Hex[]) => ({ outcome: readOutcome(block[at]), call })
  const sales = sellers.map(({ who }, at) => ({ who, ...trade(2 * at + 1, second) }))
  return {
    buys: buyers.map(({ who }, at) => ({ who, ...trade(at, first) })),
    sales: sales.slice(0, buyers.length),
    holderSales: sales.slice(buyers.length),
  }
}

/** The results of each call of each block; empty if the node did not run it. */
function readBlocks(reply: Reply | undefined): Hex[][] {
  if (reply?.kind !== 'result' || !Array.isArray(reply.result)) return []
  return reply.result.map(({ calls }: { calls?: { returnData?: unknown }[] }) =>
    (calls ?? []).map(({ returnData }) => (isHex(returnData) ? returnData : '0x')),
  )
}

/** A stranger buys, by code laid over an address. */
export async function tryPurchase(asker: Asker, setting: TradeSetting): Promise<Trade | null> {
  const [buyer] = buyersOf(setting)
  if (!buyer) return null
  const call = {
    method: 'eth_call',
    params: [purchaseCall(asker, setting, buyer), asker.block.tag, stateOf(setting, buyer)],
  }
  const [reply] = await asker.ask([call])
  return reply ? toTrade(buyer.who, reply) : null
}

/** Real holders sell, with the trader's code at their address. */
export async function trySales(
  asker: Asker,
  setting: TradeSetting,
  holders: readonly SampledHolder[],
): Promise<Trade[]> {
  const { seed, market } = setting
  const price = hexQuantity(gasPriceOf(asker.block, seed))
  const replies = await asker.ask(
    holders.map(({ address, amount }) => {
      const data = sellData(market, amount, address)
      const sale = { from: address, to: address, data, gas: tradeGasOf(seed, address), gasPrice: price }
      return { method: 'eth_call', params: [sale, asker.block.tag, withPurse(seed, address, TRADER_CODE)] }
    }),
  )
  return holders.flatMap(({ address }, at) => {
    const reply = replies[at]
    return reply ? [toTrade(address, reply)] : []
  })
}

/** A purchase and a sale in one constructor, paid by the wrapped coin's own contract, which holds native coins. */
export async function tryLaunch(asker: Asker, setting: TradeSetting): Promise<{ buy: Trade; sale: Trade } | null> {
  const { market, amount } = setting
  if (!market.wraps) return null
  const launch = {
    from: market.quote,
    data: launchData(market, amount),
    gas: hexQuantity(9_000_000),
    value: hexQuantity(amount),
  }
  const [reply] = await asker.ask([{ method: 'eth_call', params: [launch, asker.block.tag] }])
  if (reply?.kind !== 'result') return null
  const [buy, sale] = [0, 1].map((at) => ({
    who: market.quote,
    outcome: readOutcome(reply.result, at),
    call: reply.call,
  }))
  return buy && sale ? { buy, sale } : null
}

function toTrade(who: Address, reply: Reply): Trade {
  return { who, outcome: reply.kind === 'result' ? readOutcome(reply.result) : null, call: reply.call }
}
