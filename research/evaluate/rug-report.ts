// Measures how well the risk score predicts rugs, and how well the flag `liquidity_pulled` detects them afterwards.

import { toRiskLevel } from '../../src/base/risk-level.ts'
import { type FloorReason, RISK_LEVELS, type RiskLevel } from '../../src/base/vocabulary.ts'
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import { scoreToken, type TokenRisk } from '../../src/scoring/token-risk.ts'
import type { TokenHistory } from '../labels/history.ts'
import { replayToEnd, replayToken } from '../replay/replay.ts'
import { PROTOCOLS, type Protocol, type Snapshot, takeSnapshots } from '../replay/snapshots.ts'
import {
  areaUnderCurve,
  bootstrapInterval,
  createRandom,
  divide,
  judgeAtRate,
  judgeFlag,
  type PrecisionRecall,
  type Scored,
} from '../statistics/metrics.ts'
import { scoreWithoutUnknowable } from './unknowable.ts'

const AGE_BANDS_HOURS = [0, 1, 24, 72] as const
/** The smallest of the fixed ages. */
const FIRST_WARNING_HOURS = 1
const FLAG_RATES = [0.05, 0.1, 0.2] as const

/** Who can withdraw more than half of the liquidity. */
export const EXITS = ['one wallet', 'nobody alone', 'unknown'] as const
type Exit = (typeof EXITS)[number]

export interface ProtocolReport {
  /** `aligned_from_1h`: those cases of `aligned` whose token was at least an hour old. */
  protocol: Protocol | 'aligned_from_1h'
  n: number
  positives: number
  positiveShare: number | null
  auc: number | null
  /** The 95 % interval of the AUC, resampled by token. */
  interval: [number, number] | null
  atRates: (PrecisionRecall & { rate: number })[]
  levels: Record<RiskLevel, { n: number; rugShare: number | null }>
  /** By whether one wallet can withdraw most of the liquidity; for those of medium risk again. */
  exits: Record<Exit, { n: number; rugShare: number | null; medium: { n: number; rugShare: number | null } }>
  /** By age at the snapshot, for protocols in which ages differ. The last band has no upper bound. */
  byAge: { fromHours: number; n: number; auc: number | null }[]
}

export interface RugReport {
  tokens: number
  rugs: number
  protocols: ProtocolReport[]
  liquidityPulled: PulledReport
}

export interface PulledReport extends PrecisionRecall {
  /** Number of liquidity rugs, evaluated right afterwards; and of tokens that never rug, at the same ages. */
  rugs: number
  healthy: number
  /** How many of the tokens that never rug have the flag at the end of their record. */
  healthyFlaggedAtEnd: number
}

/** Evaluates all protocols over all tokens. The seed decides which peers and resamples are drawn. */
export function evaluateRugs(histories: readonly TokenHistory[], seed: number): RugReport {
  const protocols = PROTOCOLS.flatMap((protocol) => {
    const random = createRandom(seed)
    const snapshots = takeSnapshots(histories, protocol, random)
    const report = reportProtocol(protocol, snapshots, random)
    if (protocol !== 'aligned') return [report]
    const older = snapshots.filter(({ ageHours }) => ageHours >= FIRST_WARNING_HOURS)
    return [report, reportProtocol('aligned_from_1h', older, random)]
  })
  return {
    tokens: histories.length,
    rugs: histories.filter((history) => history.rugged).length,
    protocols,
    liquidityPulled: judgePulled(histories, seed),
  }
}

function reportProtocol(
  protocol: ProtocolReport['protocol'],
  snapshots: readonly Snapshot[],
  random: () => number,
): ProtocolReport {
  const cases = snapshots.map(({ facts, positive, history, ageHours }) => {
    const { explanation } = scoreToken(facts)
    const score = scoreWithoutUnknowable(explanation)
    return { positive, score, level: toRiskLevel(score), exit: exitOf(explanation), token: history.id, ageHours }
  })
  const positives = cases.filter((one) => one.positive).length
  const shareOf = (own: readonly { positive: boolean }[]) => ({
    n: own.length,
    rugShare: divide(own.filter((one) => one.positive).length, own.length),
  })
  const inLevel = (level: RiskLevel) => cases.filter((one) => one.level === level)
  const withExit = (exit: Exit) => cases.filter((one) => one.exit === exit)
  return {
    protocol,
    n: cases.length,
    positives,
    positiveShare: divide(positives, cases.length),
    auc: areaUnderCurve(cases),
    interval: bootstrapInterval(cases, (one) => one.token, random),
    atRates: FLAG_RATES.map((rate) => judgeAtRate(cases, rate)),
    levels: Object.fromEntries(
      RISK_LEVELS.map((level) => [level, shareOf(inLevel(level))]),
    ) as ProtocolReport['levels'],
    exits: Object.fromEntries(
      EXITS.map((exit) => [
        exit,
        { ...shareOf(withExit(exit)), medium: shareOf(withExit(exit).filter(({ level }) => level === 'medium')) },
      ]),
    ) as ProtocolReport['exits'],
    byAge: protocol === 'aligned' || protocol === 'aligned_complete' ? splitByAge(cases) : [],
  }
}

function exitOf({ floors }: TokenRisk['explanation']): Exit {
  const has = (name: FloorReason) => floors.some(({ reason }) => reason === name)
  if (has('withdrawal_unknown')) return 'unknown'
  return has('one_wallet_can_withdraw') ? 'one wallet' : 'nobody alone'
}

function splitByAge(cases: readonly (Scored & { ageHours: number })[]): ProtocolReport['byAge'] {
  return AGE_BANDS_HOURS.map((fromHours, at) => {
    const toHours = AGE_BANDS_HOURS[at + 1] ?? Number.POSITIVE_INFINITY
    const own = cases.filter(({ ageHours }) => ageHours >= fromHours && ageHours < toHours)
    return { fromHours, n: own.length, auc: areaUnderCurve(own) }
  })
}

function judgePulled(histories: readonly TokenHistory[], seed: number): PulledReport {
  const isPulled = (facts: TokenFacts) => scoreToken(facts).flags.includes('liquidity_pulled')
  const rugs = histories.filter((history) => history.rug?.kind === 'liquidity')
  const after = rugs.map((history) => ({ positive: true, flagged: isPulled(replayAfterRug(history)) }))
  const judged = rugs.concat(histories.filter((history) => !history.rugged))
  const peers = takeSnapshots(judged, 'aligned_complete', createRandom(seed))
    .filter((snapshot) => !snapshot.positive)
    .map(({ facts }) => ({ positive: false, flagged: isPulled(facts) }))
  const healthy = histories.filter((history) => !history.rugged)
  return {
    ...judgeFlag([...after, ...peers]),
    rugs: rugs.length,
    healthy: peers.length,
    healthyFlaggedAtEnd: healthy.filter((history) => isPulled(replayToEnd(history))).length,
  }
}

/** The facts one minute after the rug, including its block. */
function replayAfterRug(history: TokenHistory): TokenFacts {
  const { time, block } = history.rug ?? { time: 0, block: 0 }
  return replayToken(history, { time: time + 60, beforeBlock: block + 1 })
}
