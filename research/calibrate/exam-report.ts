// Lays the exam out as tables for people. Ratios have three digits; a number of tokens stands in brackets.
import { basename } from 'node:path'
import { RISK_LEVELS } from '../../src/base/vocabulary.ts'
import { type AlikeCount, toAlike } from '../../src/verdict/alike.ts'
import type { ReportTable } from '../evaluate/report.ts'
import type { Exam, Promise30d } from './exam.ts'
import type { JudgedOutcome } from './outcomes.ts'

export const tabulateExam = (exam: Exam): ReportTable[] => [
  {
    title: 'By level and age: share that was pulled within 30 days, and its interval of 95 % (tokens)',
    heads: ['folder', 'age', ...RISK_LEVELS],
    rows: exam.levels.flatMap(({ source, counts }) =>
      [...new Set(counts.map(({ ageHours }) => ageHours))].map((age) => [
        basename(source),
        `${age} h`,
        ...counts.filter(({ ageHours }) => ageHours === age).map(toldCount),
      ]),
    ),
  },
  {
    title: 'AUC on later tokens: of the fits, of the powers, and of the score',
    heads: ['folder', 'protocol', 'n', 'pooled', 'mixed', 'capability', 'score'],
    rows: exam.rows.map(({ source, protocol, n, ...it }) => {
      return [basename(source), protocol, n, ...[it.pooled, it.mixed, it.capability, it.score].map(ratio)]
    }),
  },
  tabulateChances(exam),
  {
    title: 'By level: share that was pulled within 30 days, their mean chance (tokens)',
    heads: ['folder', ...RISK_LEVELS],
    rows: exam.reliability.map(({ source, levels }) => [
      basename(source),
      ...RISK_LEVELS.map((level) => toldPromise(levels[level])),
    ]),
  },
  ...(exam.outcomes.length === 0 ? [] : [tabulateOutcome(exam, 'trap'), tabulateOutcome(exam, 'pulled')]),
]

const tabulateChances = ({ reliability }: Exam): ReportTable => ({
  title: 'By chance: share that was pulled within 30 days, their mean chance (tokens)',
  heads: ['folder', ...(reliability[0]?.chances ?? []).map(({ belowPct }) => `chance below ${belowPct} %`)],
  rows: reliability.map(({ source, chances }) => [basename(source), ...chances.map(toldPromise)]),
})

const TITLES: Readonly<Record<JudgedOutcome['outcome'], string>> = {
  trap: 'Could somebody sell? Share of traps, AUC of the score and of the share of buys, share by level (tokens)',
  pulled: 'Was the liquidity pulled? The same tokens: share, AUC of both, share by level (tokens)',
}

const tabulateOutcome = ({ outcomes }: Exam, outcome: JudgedOutcome['outcome']): ReportTable => ({
  title: TITLES[outcome],
  heads: ['folder', 'protocol', 'n', 'share', 'score', 'buys', ...RISK_LEVELS],
  rows: outcomes
    .filter((row) => row.outcome === outcome)
    .map(({ source, protocol, n, share, score, buys, levels }) => [
      ...[basename(source), protocol, n, ratio(share), ratio(score), ratio(buys)],
      ...RISK_LEVELS.map((level) => `${ratio(levels[level].share)} (${levels[level].n})`),
    ]),
})

const toldCount = (count: AlikeCount): string => {
  const { tokens, share, from, to, proven } = toAlike(count)
  if (tokens === 0) return '-'
  return `${share.toFixed(2)}, ${from.toFixed(2)}-${to.toFixed(2)} (${tokens})${proven ? '' : ', unproven'}`
}

const ratio = (value: number | null): string => value?.toFixed(3) ?? '-'
const toldPromise = ({ n, pulledShare, meanChance }: Promise30d): string =>
  `${ratio(pulledShare)}, ${ratio(meanChance)} (${n})`
