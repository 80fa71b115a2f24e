// Two outcomes of the same later tokens: whether a buyer could not sell, and whether the liquidity was pulled. Each gets
// the AUC of the score and of the share of buys, and its share in each level. Pure.

import { toRiskLevel } from '../../src/base/risk-level.ts'
import { RISK_LEVELS, type RiskLevel } from '../../src/base/vocabulary.ts'
import { keyOfTrap, type Traps } from '../labels/traps.ts'
import { PROTOCOLS, type Protocol } from '../replay/snapshots.ts'
import { areaUnderCurve, divide } from '../statistics/metrics.ts'
import type { RiskCase } from './risk-cases.ts'

export interface JudgedOutcome {
  outcome: 'trap' | 'pulled'
  source: string
  protocol: Protocol
  n: number
  share: number | null
  score: number | null
  buys: number | null
  levels: Record<RiskLevel, { n: number; share: number | null }>
}

export interface JudgedCase {
  one: RiskCase
  /** The score, as far as the labelled files can know it. */
  score: number
}

/** The rows of all sources and fixed ages with labelled tokens, for one outcome after the other. */
export function compareOutcomes(judged: readonly JudgedCase[], traps: Traps): JudgedOutcome[] {
  const known = judged.flatMap((it) => {
    const isTrap = traps.get(keyOfTrap(it.one.source, it.one.tokenId))
    return isTrap === undefined || it.one.protocol.startsWith('aligned') ? [] : [{ ...it, isTrap }]
  })
  const sources = [...new Set(known.map(({ one }) => one.source))]
  const outcomes = {
    trap: (it: { isTrap: boolean }) => it.isTrap,
    pulled: ({ one }: JudgedCase) => one.positive,
  }
  return (['trap', 'pulled'] as const).flatMap((outcome) =>
    sources.flatMap((source) =>
      PROTOCOLS.flatMap((protocol): JudgedOutcome[] => {
        const own = known.filter(({ one }) => one.source === source && one.protocol === protocol)
        const cases = own.map((it) => ({ ...it, positive: outcomes[outcome](it) }))
        return own.length === 0 ? [] : [{ outcome, source, protocol, ...judge(cases) }]
      }),
    ),
  )
}

function judge(cases: readonly (JudgedCase & { positive: boolean })[]) {
  const shareOf = (list: typeof cases) => divide(list.filter(({ positive }) => positive).length, list.length)
  const buysOf = ({ one }: JudgedCase) => 1 - one.measures.sellShare
  return {
    n: cases.length,
    share: shareOf(cases),
    score: areaUnderCurve(cases),
    buys: areaUnderCurve(cases.map((it) => ({ positive: it.positive, score: buysOf(it) }))),
    levels: Object.fromEntries(
      RISK_LEVELS.map((level) => {
        const own = cases.filter(({ score }) => toRiskLevel(score) === level)
        return [level, { n: own.length, share: shareOf(own) }]
      }),
    ) as JudgedOutcome['levels'],
  }
}
