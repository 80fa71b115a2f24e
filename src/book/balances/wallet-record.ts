// Results in a wallet's record: realised profits of disposals, and closed positions.
import { closePosition, recordClosed, recordSale, type Sale } from '../rows/average-cost.ts'
import { noteClosed, noteRealised } from '../rows/periods.ts'
import type { Basis, PositionRecord } from '../rows/rows.ts'
import { touchPosition, touchWallet, type Work, walletOf } from '../rows/working-set.ts'

/** Adds a disposal to the record, the week, the day and the running profit of the position's wallet. */
export function book(work: Work, position: PositionRecord, sale: Sale): void {
  const wallet = walletOf(work, position.walletId)
  recordSale(wallet, sale)
  if (sale.known) noteRealised(work, wallet, sale.realisedUsd)
  touchPosition(work, position)
  touchWallet(work, wallet)
}

/** Counts the wallet's position if it ended. */
export function close(work: Work, position: PositionRecord & Basis): void {
  const resultUsd = closePosition(position)
  if (resultUsd === null) return
  const wallet = walletOf(work, position.walletId)
  recordClosed(wallet, resultUsd)
  noteClosed(work, wallet, resultUsd)
  if (position.closedPositions === 1) wallet.closedTokenCount += 1
  touchWallet(work, wallet)
}
