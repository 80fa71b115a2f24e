// Reads a folder of wallets' swaps, and computes the ledger's facts at a moment, with the ledger's own average-cost
// accounting.
import { weekOf } from '../../src/base/clock.ts'
import type { Direction } from '../../src/base/vocabulary.ts'
import {
  addBuy,
  addSell,
  closePosition,
  newBasis,
  newRecord,
  recordBuy,
  recordClosed,
  recordSale,
} from '../../src/book/rows/average-cost.ts'
import type { Basis } from '../../src/book/rows/rows.ts'
import { toFactsBlock, type WalletFacts, type WalletSwapFacts } from '../../src/ledger/facts/facts.ts'
import { WALLET } from '../../src/scoring/weights.ts'
import { dropRepeated, readCells } from './csv.ts'
import type { LeftOut } from './left-out.ts'

export interface WalletTrade {
  tokenId: number
  poolId: number
  venue: string
  direction: Direction
  quantity: number
  amountUsd: number
  time: number
  block: number
  /** For a buy: the share of the pool's trades in the following three days that were priced above it. */
  aboveShare3d: number | null
}

/** A sell with a known cost. */
export interface ClosedTrade {
  time: number
  realisedUsd: number
  costUsd: number
}

const FILE = 'swaps.csv.gz'
const COLUMNS = [
  'wallet_id',
  'token_id#',
  'pool_id#',
  'venue',
  'side',
  'usd#',
  'tok#',
  'ts#',
  'block#',
  'entry_above_3d',
] as const

/** How many of the newest swaps the ledger's facts have. */
const MAX_SWAPS = 200

/** Reads swaps by wallet, oldest first. */
export function readWalletTrades(folder: string, leftOut: LeftOut): Map<string, WalletTrade[]> {
  const wallets = new Map<string, WalletTrade[]>()
  const rows = dropRepeated(readCells(folder, FILE, COLUMNS, leftOut), FILE, leftOut)
  for (const row of rows) {
    const [wallet, token, pool, venue, side, usd, quantity, ts, block, above] = row
    if (side !== 'buy' && side !== 'sell') {
      leftOut.note(FILE, 'the side is neither buy nor sell', row.join())
      continue
    }
    const trades = wallets.get(wallet) ?? []
    wallets.set(wallet, trades)
    trades.push({
      tokenId: Number(token),
      poolId: Number(pool),
      venue,
      direction: side,
      quantity: Number(quantity),
      amountUsd: Number(usd),
      time: Number(ts),
      block: Number(block),
      aboveShare3d: above === '' ? null : Number(above),
    })
  }
  for (const trades of wallets.values()) trades.sort((a, b) => a.time - b.time || a.block - b.block)
  return wallets
}

/** The closed trades, oldest first. */
export const listClosed = (trades: readonly WalletTrade[]): ClosedTrade[] => account(trades).closed

/** The facts after these trades. Outcomes of buys that were not known yet at `now` are left out. */
export function replayWallet(trades: readonly WalletTrade[], now: number): WalletFacts {
  const { record, bases, closed } = account(trades)
  const weeks = new Map<number, number>()
  for (const { time, realisedUsd } of closed) weeks.set(weekOf(time), (weeks.get(weekOf(time)) ?? 0) + realisedUsd)
  const first = trades[0]
  return {
    id: 1,
    block: toFactsBlock(trades.at(-1)?.block ?? 0, now),
    kind: 'account',
    firstSeenAt: first?.time ?? now,
    firstFunderId: null,
    eventCount: trades.length,
    swapCount: trades.length,
    liquidityAddCount: 0,
    liquidityRemoveCount: 0,
    transferCount: 0,
    ...record,
    closedTokenCount: [...bases.values()].filter((basis) => basis.closedPositions > 0).length,
    boughtTokenCount: [...bases.values()].filter((basis) => basis.boughtUsd > 0).length,
    earlyBuyCount: 0,
    snipeCount: 0,
    deployedCount: 0,
    relayedCount: 0,
    pulledCount: 0,
    dumpedCount: 0,
    washedTokenIds: [],
    changed: { number: trades.at(-1)?.block ?? 0, time: trades.at(-1)?.time ?? now },
    lastTradeAt: trades.at(-1)?.time ?? null,
    weekCount: weeks.size,
    profitableWeekCount: [...weeks.values()].filter((usd) => usd > 0).length,
    holdingsUsd: null,
    largestShare: null,
    swaps: trades.slice(-MAX_SWAPS).map((trade) => toSwap(trade, now)),
  }
}

function account(trades: readonly WalletTrade[]) {
  const record = newRecord()
  const bases = new Map<number, Basis>()
  const closed: ClosedTrade[] = []
  for (const { tokenId, direction, quantity, amountUsd, time } of trades) {
    const basis = bases.get(tokenId) ?? newBasis()
    bases.set(tokenId, basis)
    if (direction === 'buy') {
      addBuy(basis, quantity, amountUsd)
      recordBuy(record, amountUsd)
      continue
    }
    const sale = addSell(basis, quantity, amountUsd)
    recordSale(record, sale)
    if (sale.known) closed.push({ time, realisedUsd: sale.realisedUsd, costUsd: sale.knownUsd - sale.realisedUsd })
    const resultUsd = closePosition(basis)
    if (resultUsd !== null) recordClosed(record, resultUsd)
  }
  return { record, bases, closed }
}

function toSwap(trade: WalletTrade, now: number): WalletSwapFacts {
  const { tokenId, poolId, direction, quantity, amountUsd, time, block, venue } = trade
  const isDue = direction === 'buy' && time <= now - WALLET.maturitySeconds
  const aboveShare3d = isDue ? trade.aboveShare3d : null
  return { tokenId, poolId, direction, quantity, amountUsd, time, block, sector: venue, aboveShare3d }
}
