// Settles tokens with a cost that left a wallet without a sale. Between wallets of one owner the cost moves too.
// Otherwise the tokens count as disposed of at the market price, so that no wallet hides losses by sending them away.
// Without a price there is no result, and only the cost is counted.
import { addLeave, moveCost } from '../rows/average-cost.ts'
import { quantityOf } from '../rows/circulating.ts'
import { payableByPools, worthUsd } from '../rows/payable.ts'
import type { PositionRecord, TokenRecord, WalletRecord } from '../rows/rows.ts'
import { tokenOf, touchPosition, type Work } from '../rows/working-set.ts'
import { book, close } from './wallet-record.ts'

/** Below this share of the position's cost, the difference is a rounding error of doubles. */
const ROUNDING = 1e-9

/** A Transfer outside of any trade. */
export interface Sent {
  token: TokenRecord
  from: WalletRecord
  to: WalletRecord
  amount: bigint
  /** Sender and receiver were known to have one owner before it. */
  isOwn: boolean
}

/** Settles the tokens that left a position in a transaction beyond its trades. Tokens without a cost leave first. */
export function settleLeaving(work: Work, position: PositionRecord, sent: readonly Sent[]): void {
  if (!(position.costQuantity > 0)) return
  const token = tokenOf(work, position.tokenId)
  let left = position.costQuantity - quantityOf(token, position.balance)
  if (!(left > 0)) return
  if (left <= position.costQuantity * ROUNDING) {
    position.costQuantity -= left
    return
  }
  const own = sent.filter(({ token: of, from }) => of === token && from.id === position.walletId)
  if (token.kind === 'lp') {
    // Shares in a locker keep their owner, so their cost stays.
    if (!own.some(({ to }) => to.kind === 'locker')) book(work, position, addLeave(position, left, null))
    return
  }
  for (const { to, amount, isOwn } of own) {
    if (!isOwn) continue
    const given = Math.min(left, quantityOf(token, amount))
    passOn(work, position, to, given)
    left -= given
  }
  const burned = own.filter(({ to }) => to.kind === 'burned').reduce((sum, { amount }) => sum + amount, 0n)
  const lost = Math.min(left, quantityOf(token, burned))
  dispose(work, position, lost, 0)
  dispose(work, position, left - lost, token.priceUsd > 0 ? token.priceUsd : null)
  if (!isCash(work, token)) close(work, position)
}

/** Disposes of tokens with a cost at a price, without a sale. A disposal for the chain's money counts as no exit. */
export function dispose(work: Work, position: PositionRecord, quantity: number, priceUsd: number | null): void {
  if (!(quantity > 0)) return
  const token = tokenOf(work, position.tokenId)
  const usd = priceUsd === null ? null : Math.min(quantity * priceUsd, payableByPools(work, token))
  book(work, position, addLeave(position, quantity, usd, !isCash(work, token)))
}

/** The chain's stablecoins and its wrapped coin are means of payment: a payment is no trade in them. */
const isCash = (work: Work, { address }: TokenRecord): boolean => work.known.cash.has(address)

function passOn(work: Work, from: PositionRecord, receiver: WalletRecord, given: number): void {
  const token = tokenOf(work, from.tokenId)
  const to = work.store.positions.get(token.id, receiver.id)
  if (!to || !(given > 0)) return
  const room = Math.max(0, quantityOf(token, to.balance) - to.costQuantity)
  const marketUsd = token.priceUsd > 0 ? worthUsd(work, token, given) : null
  book(work, from, moveCost(from, to, { given, arrived: Math.min(given, room), marketUsd }))
  touchPosition(work, to)
}
