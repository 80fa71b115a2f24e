// The tax of real trades. Input: the newest trades of strangers. Output: its median, and the logs that show it. The
// index has one amount per trade, so the node is asked for the logs of their blocks. Blocks that are near to each other
// share a request.
import type { Address } from '../../base/address.ts'
import { hexQuantity } from '../../chain/raw.ts'
import { readTrade } from '../logs/taxes.ts'
import { measureTaxes } from '../logs/trades.ts'
import { lossPct } from '../loss.ts'
import type { Asker } from '../node/asker.ts'
import type { Reply } from '../node/reply.ts'
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

/** Blocks that one request spans: fewer than providers allow. */
const MOST_SPAN = 2_000
/** After a provider refused a span, so many checks ask block by block. */
const REST = 50

export type MeasureTaxes = (asker: Asker, target: SafetyTarget) => Promise<RealTaxes>

export function createMeasureTaxes(): MeasureTaxes {
  let resting = 0

  /** The reply that has each block's logs. */
  async function askLogs(asker: Asker, token: Address, blocks: readonly number[]): Promise<Map<number, Reply>> {
    const groups = toGroups(blocks, resting > 0 ? 0 : MOST_SPAN)
    resting = Math.max(0, resting - 1)
    const replies = await asker.ask(groups.map((group) => logsCall(token, group[0] ?? 0, group.at(-1) ?? 0)))
    const refused = groups.filter((group, at) => group.length > 1 && replies[at]?.kind !== 'result').flat()
    const told = new Map(groups.flatMap((group, at) => group.map((block) => [block, replies[at]] as const)))
    const alone = await asker.ask(refused.map((block) => logsCall(token, block, block)))
    refused.forEach((block, at) => {
      if (told.get(block)?.kind === 'failed' && alone[at]?.kind === 'result') resting = REST
      told.set(block, alone[at])
    })
    return new Map([...told].flatMap(([block, reply]) => (reply ? [[block, reply] as const] : [])))
  }

  return async (asker, { token, pools, trades }) => {
    const keepers = new Set(pools.map(keeperOf).filter((keeper): keeper is Address => keeper !== null))
    const blocks = [...new Set(trades.map(({ block }) => block))].sort((one, other) => one - other)
    const replyOf = await askLogs(asker, token, blocks)
    const told = trades.flatMap((trade) => {
      const reply = replyOf.get(trade.block)
      const read = reply && readTrade(logsOf(reply), trade, keepers)
      return read ? [{ trade: read, call: logsCall(token, trade.block, trade.block) }] : []
    })
    const [worst] = told.toSorted((one, other) => (lossPct(other.trade) ?? 0) - (lossPct(one.trade) ?? 0))
    const taxes = measureTaxes(
      told.map(({ trade }) => trade),
      MIN_TRADES,
    )
    return { ...taxes, call: worst?.call ?? null }
  }
}

/** Blocks in order, as groups that span no more than so many. */
function toGroups(blocks: readonly number[], span: number): number[][] {
  const groups: number[][] = []
  for (const block of blocks) {
    const first = groups.at(-1)?.[0]
    if (first !== undefined && block - first <= span) groups.at(-1)?.push(block)
    else groups.push([block])
  }
  return groups
}

const logsCall = (token: Address, from: number, to: number): RpcCall => ({
  method: 'eth_getLogs',
  params: [{ address: token, fromBlock: hexQuantity(from), toBlock: hexQuantity(to) }],
})

const logsOf = (reply: Reply): readonly unknown[] =>
  reply.kind === 'result' && Array.isArray(reply.result) ? reply.result : []
