// Measures whether a reputation computed from the first part of a wallet's trades predicts the profit of trades opened later.
import { scoreWallet } from '../../src/scoring/wallet-reputation.ts'
import { listClosed, replayWallet, type WalletTrade } from '../labels/wallet-history.ts'
import { areaUnderCurve, bootstrapInterval, createRandom, divide } from '../statistics/metrics.ts'
import { type JudgedWallet, judgeLeftOut, listFitted } from './wallet-left-out.ts'

/** The share of the closed trades that the score sees. */
const SEEN = 0.6
/** Wallets with fewer closed trades are left out. */
const MIN_CLOSED = 8
const QUINTILES = 5
const PRIOR_WINS = 5

interface Case extends JudgedWallet {
  wallet: string
  score: number
  /** Of single sales, (won + 5) / (all + 10): the baseline of a score. */
  winRate: number
  profitUsd: number
}

interface Quintile {
  /** From 1, the lowest reputations, to 5. */
  quintile: number
  n: number
  meanReputation: number
  profitableShare: number | null
  medianProfitUsd: number
}

export interface WalletReport {
  wallets: number
  n: number
  positiveShare: number | null
  auc: number | null
  interval: [number, number] | null
  /** With the weights fitted to other wallets, and of the shrunk win rate alone. */
  leftOutAuc: number | null
  winRateAuc: number | null
  quintiles: Quintile[]
}

/** Evaluates each wallet's reputation after 60 % of its closed trades against the profit of trades that it opened later. */
export function evaluateWallets(wallets: ReadonlyMap<string, WalletTrade[]>, seed: number): WalletReport {
  const cases = [...wallets].flatMap(([wallet, trades]) => judge(wallet, trades) ?? [])
  return {
    wallets: wallets.size,
    n: cases.length,
    positiveShare: divide(cases.filter((one) => one.positive).length, cases.length),
    auc: areaUnderCurve(cases),
    interval: bootstrapInterval(cases, (one) => one.wallet, createRandom(seed)),
    leftOutAuc: judgeLeftOut(cases, seed),
    winRateAuc: areaUnderCurve(cases.map(({ positive, winRate }) => ({ positive, score: winRate }))),
    quintiles: toQuintiles(cases),
  }
}

function judge(wallet: string, trades: readonly WalletTrade[]): Case | null {
  const closed = listClosed(trades)
  const last = closed[Math.ceil(closed.length * SEEN) - 1]
  if (!last || closed.length < MIN_CLOSED) return null
  const past = trades.filter((trade) => trade.time <= last.time)
  const opened = listClosed(trades.filter((trade) => trade.time > last.time))
  if (opened.length === 0) return null
  const profitUsd = opened.reduce((total, trade) => total + trade.realisedUsd, 0)
  const scored = scoreWallet(replayWallet(past, last.time))
  const known = listClosed(past)
  const won = known.filter((trade) => trade.realisedUsd > 0).length
  return {
    wallet,
    score: scored.reputation,
    winRate: (won + PRIOR_WINS) / (known.length + 2 * PRIOR_WINS),
    values: listFitted(scored),
    positive: profitUsd > 0,
    profitUsd,
  }
}

function toQuintiles(cases: readonly Case[]): Quintile[] {
  const sorted = [...cases].sort((a, b) => a.score - b.score)
  return Array.from({ length: QUINTILES }, (_, at) => {
    const [from, to] = [at, at + 1].map((edge) => Math.floor((edge * sorted.length) / QUINTILES))
    const own = sorted.slice(from, to)
    const profits = own.map((one) => one.profitUsd).sort((a, b) => a - b)
    return {
      quintile: at + 1,
      n: own.length,
      meanReputation: own.reduce((total, one) => total + one.score, 0) / Math.max(own.length, 1),
      profitableShare: divide(own.filter((one) => one.positive).length, own.length),
      medianProfitUsd: profits[profits.length >> 1] ?? 0,
    }
  })
}
