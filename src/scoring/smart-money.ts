// Measures the trades of wallets with a good reputation: swaps of seven days, with reputations at the block. Returns
// the dimension (100 = they leave, 50 = neutral or unknown) and whether they are leaving now.
import type { Dimension } from '../ledger/explanation.ts'
import { isSmart, type TokenFacts, type TraderFacts } from '../ledger/facts/facts.ts'
import { toDimension, toInput } from './ramp.ts'
import { SMART_MONEY } from './weights.ts'

export interface SmartMoneyMeasures {
  /** Wallets with a good reputation that traded in seven days. */
  smartWalletCount: number
  /** Dollars they bought minus sold; null with fewer than three wallets. */
  smartNetUsd: number | null
  /** The same divided by a twentieth of the liquidity. */
  smartFlow: number | null
  /** In 24 h: net sellers, net buyers, and the share of their earlier holdings that they sold net, 0-1. */
  smartSellerCount: number
  smartBuyerCount: number
  smartSoldShare: number
}

interface Flow {
  netUsd: number
  /** Whole tokens bought minus sold in 24 h. */
  netQuantity: number
}

/** Measures the trades of reputable wallets. */
export function measureSmartMoney(facts: TokenFacts): SmartMoneyMeasures {
  const wallets = new Map<number, TraderFacts>()
  for (const wallet of [...facts.traders, ...(facts.holders ?? [])])
    if (isSmart(wallet, SMART_MONEY.reputation)) wallets.set(wallet.id, wallet)
  const flows = wallets.size > 0 ? sumFlows(facts, wallets) : new Map<number, Flow>()
  const enough = flows.size >= SMART_MONEY.minWallets
  let netUsd = 0
  for (const flow of flows.values()) netUsd += flow.netUsd
  return Object.assign(measureExit(flows, wallets), {
    smartWalletCount: flows.size,
    smartNetUsd: enough ? netUsd : null,
    smartFlow: enough ? netUsd / Math.max(SMART_MONEY.flowToLiquidity * facts.liquidityUsd, 1) : null,
  })
}

/** 50 - 50 tanh(flow), 50 with too few known wallets. The published flow score is 100 minus this. */
export function scoreSmartMoney({ smartFlow }: SmartMoneyMeasures): Dimension {
  const input = toInput('smartFlow', smartFlow ?? 0, 1, (flow) => 0.5 - 0.5 * Math.tanh(flow))
  return toDimension('smart_money', [Object.assign(input, { value: smartFlow })])
}

function sumFlows(facts: TokenFacts, wallets: ReadonlyMap<number, TraderFacts>): Map<number, Flow> {
  const weekAgo = facts.block.hourTime - SMART_MONEY.windowSeconds
  const dayAgo = facts.block.time - SMART_MONEY.exit.windowSeconds
  const flows = new Map<number, Flow>()
  for (const swap of facts.swaps) {
    if (swap.walletId === null || swap.time <= weekAgo || !wallets.has(swap.walletId)) continue
    const flow = flows.get(swap.walletId) ?? { netUsd: 0, netQuantity: 0 }
    const sign = swap.direction === 'buy' ? 1 : -1
    flow.netUsd += sign * swap.amountUsd
    if (swap.time > dayAgo) flow.netQuantity += sign * swap.quantity
    flows.set(swap.walletId, flow)
  }
  return flows
}

function measureExit(flows: ReadonlyMap<number, Flow>, wallets: ReadonlyMap<number, TraderFacts>) {
  let sellers = 0
  let buyers = 0
  let sold = 0
  let held = 0
  for (const [id, wallet] of wallets) {
    const net = flows.get(id)?.netQuantity ?? 0
    if (net < 0) sellers++
    else if (net > 0) buyers++
    sold += Math.max(-net, 0)
    held += Math.max((wallet.balance ?? 0) - net, -net, 0)
  }
  return { smartSellerCount: sellers, smartBuyerCount: buyers, smartSoldShare: held > 0 ? sold / held : 0 }
}
