// Measures how well scores predict labels: AUC with a bootstrap interval, precision and recall of a flag, and of the highest
// scores. A ratio that is not defined is null.

/** Makes a generator of uniform numbers in [0, 1), which repeat for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One case. A higher score should mean that it is positive. */
export interface Scored {
  positive: boolean
  score: number
}

/** The probability that a positive case scores above a negative one; ties count half. Null without cases of both classes. */
export function areaUnderCurve(cases: readonly Scored[]): number | null {
  const sorted = [...cases].sort((a, b) => a.score - b.score)
  const positives = cases.filter((one) => one.positive).length
  const negatives = cases.length - positives
  if (positives === 0 || negatives === 0) return null
  let rankSum = 0
  for (let start = 0; start < sorted.length; ) {
    let end = start
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) end++
    const rank = (start + 1 + end) / 2
    for (let at = start; at < end; at++) if (sorted[at]?.positive) rankSum += rank
    start = end
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

const RESAMPLES = 300

/** The 95 % interval of the AUC over resampled groups, such as all cases of one token. Null without cases of both classes. */
export function bootstrapInterval<Case extends Scored>(
  cases: readonly Case[],
  groupOf: (one: Case) => string,
  random: () => number,
): [number, number] | null {
  const groups = new Map<string, Case[]>()
  for (const one of cases) groups.set(groupOf(one), [...(groups.get(groupOf(one)) ?? []), one])
  const all = [...groups.values()]
  const areas: number[] = []
  for (let round = 0; round < RESAMPLES; round++) {
    const area = areaUnderCurve(all.flatMap(() => all[Math.floor(random() * all.length)] ?? []))
    if (area !== null) areas.push(area)
  }
  if (areas.length === 0) return null
  areas.sort((a, b) => a - b)
  const at = (share: number) => areas[Math.min(areas.length - 1, Math.floor(share * areas.length))] ?? 0
  return [at(0.025), at(0.975)]
}

export interface PrecisionRecall {
  precision: number | null
  recall: number | null
  flagged: number
}

/** Precision: the share of positives among flagged cases. Recall: the share of flagged ones among positive cases. */
export function judgeFlag(cases: readonly { positive: boolean; flagged: boolean }[]): PrecisionRecall {
  const flagged = cases.filter((one) => one.flagged)
  const hits = flagged.filter((one) => one.positive).length
  const positives = cases.filter((one) => one.positive).length
  return { precision: divide(hits, flagged.length), recall: divide(hits, positives), flagged: flagged.length }
}

/** Precision and recall if the share `rate` of cases with the highest scores is flagged. */
export function judgeAtRate(cases: readonly Scored[], rate: number): PrecisionRecall & { rate: number } {
  const count = Math.max(1, Math.round(cases.length * rate))
  const sorted = [...cases].sort((a, b) => b.score - a.score)
  return { rate, ...judgeFlag(sorted.map((one, at) => ({ positive: one.positive, flagged: at < count }))) }
}

/** The quotient; null if the divisor is 0. */
export const divide = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)
