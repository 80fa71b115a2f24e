// Adds swaps to the average cost. A transaction's trades are settled at its end, when all its Transfers are known. A
// transfer fee on the way in then raises the cost, and one on the way out counts as sold.

import { pushTo } from '../../base/push-to.ts'
import type { Moved } from '../balances/balance.ts'
import { type Sent, settleLeaving } from '../balances/leaving.ts'
import { book, close } from '../balances/wallet-record.ts'
import type { ManagedChange } from '../pools/managed-fees.ts'
import { type Act, type Income, pooledOf, settleAct, settleIncome } from '../pools/provision.ts'
import { settleRemovals } from '../pools/removals.ts'
import { addBuy, addSell, recordBuy } from '../rows/average-cost.ts'
import { quantityOf } from '../rows/circulating.ts'
import { positionAt } from '../rows/new-rows.ts'
import type { PositionRecord, TokenRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, touchPosition, touchWallet, type Work, walletOf } from '../rows/working-set.ts'

/** One side of a swap, from the wallet's view; `usd` is null if it is not priced. */
export interface Deal {
  token: TokenRecord
  wallet: WalletRecord
  isBuy: boolean
  quantity: number
  usd: number | null
}

/** The deals of a transaction, by position. */
export type Deals = Map<PositionRecord, Deal[]>

/** Records a deal; a wallet's first buy of a token gets its rank. */
export function noteDeal(work: Work, deals: Deals, deal: Deal): void {
  const position = positionAt(work, deal.token, deal.wallet)
  pushTo(deals, position, deal)
  if (deal.isBuy && position.buyRank === null) rank(work, position, deal)
}

function rank(work: Work, position: PositionRecord, { token, wallet }: Deal): void {
  const { time } = work.block
  position.buyRank = ++token.buyerCount
  position.firstBuyAt = time
  wallet.boughtTokenCount += 1
  if (token.firstLiquidityAt === null) return
  const seconds = time - token.firstLiquidityAt
  const { early, snipe } = work.known.firstBuys
  if (position.buyRank <= early.buyers && seconds <= early.seconds) wallet.earlyBuyCount += 1
  if (seconds <= snipe.seconds) wallet.snipeCount += 1
}

/** What the facts of an act leave to be settled at its end. */
export interface ActOutcome {
  moved: Moved
  deals: Deals
  /** Changes of liquidity by the signer. */
  acts: Act[]
  /** Payments to owners of positions. */
  incomes: Income[]
  /** Transfers outside of trades. */
  sent: Sent[]
  /** Changes of positions whose manager holds the tokens. */
  managed: ManagedChange[]
}

/** Settles a transaction: its deals, then liquidity, then sales of what came out of a pool, then tokens that left without a sale. */
export function settle(work: Work, { deals, acts, incomes, sent, moved }: ActOutcome): void {
  const pooled = pooledOf(work, acts, incomes)
  const settleAll = (chosen: Iterable<[PositionRecord, Deal[]]>) => {
    for (const [position, list] of chosen) {
      const before = moved.get(position) ?? position.balance
      const net = change(tokenOf(work, position.tokenId), before, position.balance)
      settleDeals(work, position, list, net + (pooled.get(position) ?? 0))
    }
  }
  // What came out of a pool has a cost once its removal is settled.
  const late: Deals = new Map()
  if (pooled.size > 0)
    for (const [at, list] of deals)
      if ((pooled.get(at) ?? 0) < 0 && list.every(({ isBuy }) => !isBuy)) late.set(at, list)
  const sold = new Map([...late].map(([at, list]) => [at, list.reduce((sum, { quantity }) => sum + quantity, 0)]))
  for (const at of late.keys()) deals.delete(at)
  settleAll(deals)
  for (const act of acts) settleAct(work, act, { moved, sold })
  for (const income of incomes) settleIncome(work, income, { moved, sold })
  settleAll(late)
  if (acts.length > 0) settleRemovals(work, acts)
  for (const position of moved.keys()) settleLeaving(work, position, sent)
}

function settleDeals(work: Work, position: PositionRecord, list: Deal[], net: number): void {
  const wallet = walletOf(work, position.walletId)
  const isMade = tokenOf(work, position.tokenId).deployerId === position.walletId
  for (const deal of merge(list, net)) {
    if (deal.isBuy) {
      addBuy(position, deal.quantity, deal.usd)
      recordBuy(wallet, deal.usd)
    } else book(work, position, addSell(position, deal.quantity, deal.usd, isMade))
    close(work, position)
  }
  touchPosition(work, position)
  touchWallet(work, wallet)
}

/**
 * Merges deals in one direction into one trade over the amount that actually arrived or left. If a transaction both
 * buys and sells, its deals stay separate.
 */
function merge(list: Deal[], net: number): Pick<Deal, 'isBuy' | 'quantity' | 'usd'>[] {
  const isBuy = list[0]?.isBuy ?? false
  if (list.some((deal) => deal.isBuy !== isBuy)) return list
  const quantity = list.reduce((sum, deal) => sum + deal.quantity, 0)
  const usd = list.reduce<number | null>((sum, deal) => (deal.usd === null || sum === null ? null : sum + deal.usd), 0)
  if (isBuy) return [{ isBuy, quantity: Math.max(Math.min(quantity, net), 0), usd }]
  return [{ isBuy, quantity: net < 0 ? Math.max(quantity, -net) : 0, usd }]
}

const change = (token: TokenRecord, before: bigint, after: bigint): number =>
  after >= before ? quantityOf(token, after - before) : -quantityOf(token, before - after)
