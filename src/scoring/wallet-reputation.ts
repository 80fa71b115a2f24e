// Scores a wallet's reputation: profits of its trades, their steadiness, its drawdown, and its timing of entries. Every
// input is shrunk toward the prior when little is known; without trades the reputation is 50.
import { DAY_SECONDS } from '../base/time.ts'
import type { Confidence, ConfidenceGap } from '../base/vocabulary.ts'
import type { Dimension, Explanation, Input } from '../ledger/explanation.ts'
import type { WalletFacts } from '../ledger/facts/facts.ts'
import { composeParts, settleScore } from './composite.ts'
import { measureHolding, measureSellShare } from './holding-period.ts'
import { costCoverage } from './pnl.ts'
import { ramp, round, sum, toDimension, toInput } from './ramp.ts'
import { readSkill, type Skill } from './skill.ts'
import { WALLET, WALLET_CONFIDENCE } from './weights.ts'

export interface WalletReputation {
  reputation: number
  confidence: Confidence
  /** Fraction of the closed positions with a profit, 0-1, not shrunk. Null without any. */
  winRate: number | null
  /** Each 0-100. Null if unknown: no buy is old enough, no week had a result, nothing was sold. */
  entryTiming: number | null
  consistency: number | null
  riskDrawdown: number | null
  explanation: Explanation
}

/** The reputation as of the facts' block. */
export function scoreWallet(facts: WalletFacts): WalletReputation {
  const skill = readSkill(facts)
  const dimensions = [
    scoreWins(skill),
    scoreConsistency(skill),
    scoreDrawdown(facts),
    scoreEntry(facts),
    scoreHolding(skill),
    scoreSales(skill),
    scorePulled(facts),
    scoreWashed(facts),
  ]
  const { winRate, consistency, drawdown, entry, holding, sales, pulled, washed } = WALLET.weights
  const weights = [winRate, consistency, drawdown, entry, holding, sales, pulled, washed]
  const contributions = dimensions.map(({ name, value }, at) => {
    const weight = weights[at] ?? 0
    return { name, value, weight, contribution: value * weight + 0 }
  })
  const parts = { link: 'identity' as const, intercept: 0, contributions }
  const settled = Object.assign(parts, {
    composite: composeParts(parts),
    evidence: skill.exitCount,
    floors: [],
  })
  const { confidence, reasons } = judgeConfidence(facts, skill)
  const explanation = Object.assign(settled, {
    block: facts.changed.number,
    hour: new Date(Math.floor(asOf(facts) / 3_600) * 3_600_000).toISOString(),
    dimensions,
    score: settleScore(settled),
    confidenceReasons: reasons,
    base: null,
    reasons: [],
    headline: '',
    checkedAt: null,
    pullChance30dPct: null,
  })
  return {
    reputation: explanation.score,
    confidence,
    winRate: facts.closedCount > 0 ? facts.winCount / facts.closedCount : null,
    entryTiming: outcomesOf(facts).length > 0 ? pointsOf(dimensions[3]) : null,
    consistency: facts.weekCount > 0 ? pointsOf(dimensions[1]) : null,
    riskDrawdown: facts.exitCount > 0 ? pointsOf(dimensions[2]) : null,
    explanation,
  }
}

const pointsOf = (dimension: Dimension | undefined): number => round(dimension?.value ?? WALLET.prior)

/** Of its buys that are old enough, the share of later trades above each. */
const outcomesOf = ({ swaps }: Pick<WalletFacts, 'swaps'>): number[] =>
  swaps.map((swap) => swap.aboveShare3d).filter((share) => share !== null)

/**
 * The time of the newest fact in the score, in seconds since 1970. It is the wallet's last change, or the midnight on
 * which the outcome of a buy became known. It does not depend on when the score was computed.
 */
export function asOf({ changed, swaps, block }: WalletFacts): number {
  const ripe = swaps
    .filter(({ direction }) => direction === 'buy')
    .map(({ time }) => Math.ceil((time + WALLET.maturitySeconds) / DAY_SECONDS) * DAY_SECONDS)
    .filter((time) => time <= block.hourTime)
  return Math.max(changed.time, ...ripe)
}

/** By exits: a run of sales is one, however many slices it has. */
function scoreWins({ exitWinCount, exitCount }: Skill): Dimension {
  const { priorWins, priorExits } = WALLET.win
  const shrunk = (exitWinCount + priorWins) / (exitCount + priorExits)
  return toDimension('winRate', [toInput('shrunkExitWinRate', shrunk, 1, (rate) => ramp(rate, WALLET.win.ramp))])
}

function scoreConsistency({ profitableWeekCount, weekCount }: Skill): Dimension {
  const { priorWins, priorWeeks } = WALLET.consistency
  const shrunk = (profitableWeekCount + priorWins) / (weekCount + priorWeeks)
  return toDimension('consistency', [toInput('profitableWeeks', shrunk, 1, (share) => share)])
}

/** Wallets that sell soon after buying earn more often. */
function scoreHolding({ exitCount, swaps }: Skill): Dimension {
  const share = (seconds: number) => 1 - ramp(Math.log10(seconds + 1), WALLET.holding)
  return toDimension('holding', [toHabit('holdingSeconds', measureHolding(swaps), exitCount, share)])
}

/** A wallet that only buys has taken no profit yet. */
function scoreSales({ exitCount, swaps }: Skill): Dimension {
  return toDimension('sales', [
    toHabit('sellShare', measureSellShare(swaps), exitCount, (share) => ramp(share, WALLET.sales)),
  ])
}

/** Shrunk toward one half with few sales. */
function toHabit(name: string, value: number | null, exitCount: number, share: (value: number) => number): Input {
  const trust = exitCount / (exitCount + WALLET.habitPrior)
  const input = toInput(name, value, 1, (known) => 0.5 + (share(known) - 0.5) * trust)
  return value === null ? { ...input, points: WALLET.prior, contribution: WALLET.prior } : input
}

/** 1 / (1 + maximum drawdown / mean cost of a position). */
function scoreDrawdown(facts: WalletFacts): Dimension {
  const meanCost = facts.boughtUsd / Math.max(facts.boughtTokenCount, 1)
  const ratio = facts.maxDrawdownUsd / Math.max(meanCost, 1)
  const trust = facts.exitCount / (facts.exitCount + WALLET.drawdownPrior)
  return toDimension('riskDrawdown', [
    toInput('drawdownToPosition', ratio, 1, (fall) => 0.5 + (1 / (1 + fall) - 0.5) * trust),
  ])
}

/**
 * A wallet that pulled the liquidity of a token, or sold its own token to others, is not neutral, however well it
 * trades.
 */
function scorePulled({ pulledCount, dumpedCount }: WalletFacts): Dimension {
  const any = (count: number) => Math.min(count, 1)
  return toDimension('pulledLiquidity', [
    toInput('pulledTokens', pulledCount, 1, any),
    toInput('dumpedTokens', dumpedCount, WALLET.dumped.weight, any),
  ])
}

/** Nor is a wallet that makes up a token's volume by wash trading. */
function scoreWashed({ washedTokenIds }: WalletFacts): Dimension {
  return toDimension('washTrading', [toInput('washedTokens', washedTokenIds.length, 1, (count) => Math.min(count, 1))])
}

function scoreEntry(facts: WalletFacts): Dimension {
  const shares = outcomesOf(facts)
  const shrunk = (sum(shares) + 0.5 * WALLET.entryPrior) / (shares.length + WALLET.entryPrior)
  return toDimension('entryTiming', [toInput('tradesAboveIn3d', shrunk, 1, (share) => share)])
}

function judgeConfidence(facts: WalletFacts, skill: Skill): { confidence: Confidence; reasons: ConfidenceGap[] } {
  const { medium, high } = WALLET_CONFIDENCE
  const reasons: ConfidenceGap[] = []
  if (skill.exitCount < high.exits) reasons.push('few_trades')
  if (skill.closedTokenCount < high.tokens) reasons.push('few_tokens')
  if (costCoverage(facts.soldKnownUsd, facts.soldUsd) < high.coverage) reasons.push('transfers_without_cost')
  if (reasons.length === 0) return { confidence: 'high', reasons }
  const enough = skill.exitCount >= medium.exits && skill.closedTokenCount >= medium.tokens
  return { confidence: enough ? 'medium' : 'low', reasons }
}
