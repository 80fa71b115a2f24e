// The tax of real trades. Input: the newest trades of strangers. Output: its median, and the logs that show it. The
// index has one amount per trade, so the node is asked for the logs of their blocks.
import type { Address } from '../../base/address.ts'
import { readTrade } from '../logs/taxes.ts'
import { measureTaxes } from '../logs/trades.ts'
import { lossPct } from '../loss.ts'
import type { Asker, Reply } from '../node/asker.ts'
import type { RpcCall } from '../report.ts'
import { keeperOf } from '../sale/market.ts'
import type { SafetyTarget } from '../target.ts'

export interface RealTaxes {
  /** 0 to 100; null: too few trades show it. */
  buyTaxPct: number | null
  sellTaxPct: number | null
  /** The logs of the trade that lost most. */
  call: RpcCall | null
}

/** Fewer trades of a side prove nothing: a router may have kept a part of one. */
const MIN_TRADES = 3

export async function measureRealTaxes(asker: Asker, { token, pools, trades }: SafetyTarget): Promise<RealTaxes> {
  const keepers = new Set(pools.map(keeperOf).filter((keeper): keeper is Address => keeper !== null))
  const blocks = [...new Set(trades.map(({ block }) => block))]
  const replies = await asker.ask(blocks.map((block) => logsCall(token, block)))
  const replyOf = new Map(blocks.map((block, at) => [block, replies[at]]))
  const told = trades.flatMap((trade) => {
    const reply = replyOf.get(trade.block)
    const read = reply && readTrade(logsOf(reply), trade, keepers)
    return reply && read ? [{ trade: read, call: reply.call }] : []
  })
  const [worst] = told.toSorted((a, b) => (lossPct(b.trade) ?? 0) - (lossPct(a.trade) ?? 0))
  return {
    ...measureTaxes(
      told.map(({ trade }) => trade),
      MIN_TRADES,
    ),
    call: worst?.call ?? null,
  }
}

function logsCall(token: Address, block: number): RpcCall {
  const number = `0x${block.toString(16)}`
  return { method: 'eth_getLogs', params: [{ address: token, fromBlock: number, toBlock: number }] }
}

const logsOf = (reply: Reply): readonly unknown[] =>
  reply.kind === 'result' && Array.isArray(reply.result) ? reply.result : []
