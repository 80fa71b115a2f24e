// What became of tokens like one: how many of the same level, age and market were pulled, or fell by 90 %, within 30 days. The exam
// counted them (docs/accuracy.md). Pure; without tokens to compare there is no answer.
import type { RiskLevel } from '../base/vocabulary.ts'
import counted from './alike.json' with { type: 'json' }

/** Tokens of one level at one age, and how many of them were pulled, or fell by 90 %, within 30 days of it. */
export interface AlikeCount {
  ageHours: number
  level: string
  tokens: number
  pulled: number
}

/** By EIP-155 chain identifier; `others` for every other chain: all markets together. */
export interface AlikeCounts {
  chains: Readonly<Record<string, readonly AlikeCount[]>>
  others: readonly AlikeCount[]
}

export interface Alike {
  tokens: number
  pulled: number
  /** Share of them that was pulled, 0-1, and the interval in which the true share lies with 95 %. */
  share: number
  from: number
  to: number
  /** Whether the interval is at most 15 points wide. A level that is not proven promises nothing. */
  proven: boolean
  /** Their age when they were judged, in hours. */
  ageHours: number
}

/** The widest interval of a share that counts as proven. */
export const WIDEST_PROVEN = 0.15
/** Of the normal distribution: 95 % lie within so many standard deviations. */
const DEVIATIONS = 1.96

/**
 * The score interval of a share of 0-1 (E. B. Wilson, "Probable inference", 1927), which also holds for few cases and
 * for none that were hit.
 */
export function intervalOf(hits: number, of: number): { from: number; to: number } {
  if (of === 0) return { from: 0, to: 1 }
  const share = hits / of
  const square = DEVIATIONS ** 2
  const middle = (share + square / (2 * of)) / (1 + square / of)
  const half = (DEVIATIONS * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of))) / (1 + square / of)
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) }
}

export const toAlike = ({ tokens, pulled, ageHours }: Omit<AlikeCount, 'level'>): Alike => {
  const interval = intervalOf(pulled, tokens)
  const proven = interval.to - interval.from <= WIDEST_PROVEN
  return { tokens, pulled, share: tokens === 0 ? 0 : pulled / tokens, ...interval, proven, ageHours }
}

/** Null: the exam had no such token. `ageHours`: since its first liquidity; the nearest age on a scale of ratios counts. */
export function findAlike(
  chainId: number,
  level: RiskLevel,
  ageHours: number,
  all: AlikeCounts = counted,
): Alike | null {
  const distance = (one: AlikeCount) => Math.abs(Math.log(one.ageHours / Math.max(ageHours, 0.1)))
  let nearest: AlikeCount | undefined
  for (const one of all.chains[chainId] ?? all.others)
    if (one.level === level && (!nearest || distance(one) < distance(nearest))) nearest = one
  return nearest === undefined || nearest.tokens === 0 ? null : toAlike(nearest)
}
