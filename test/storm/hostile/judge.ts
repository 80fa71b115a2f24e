// Judges whether an attack did harm, by the honest client, memory, the attack's own answers, and standard error. Each
// judge returns the faults.
import { type Attack, NOT_BROKEN, type Tally } from './attack.ts'
import { type HonestReport, percentile } from './honest.ts'
import type { Terms } from './terms.ts'

export function judgeHonest(
  { latenciesMs, statuses, faults }: HonestReport,
  { honest }: Attack,
  { p99Ms }: Terms,
): string[] {
  const wrong = Object.entries(statuses).filter(
    ([status]) => status !== '200' && !honest?.statuses.includes(Number(status)),
  )
  const p99 = percentile(latenciesMs, 0.99)
  const limitMs = p99Ms === null ? null : (honest?.p99Ms ?? p99Ms)
  return [
    ...(latenciesMs.length > 0 ? [] : ['no honest request was answered']),
    ...wrong.map(([status, count]) => `${count} honest requests got ${status}`),
    ...faults.slice(0, 3).map((words) => `honest: ${words}`),
    ...(limitMs !== null && p99 > limitMs ? [`honest p99 ${p99.toFixed(0)} ms`] : []),
  ]
}

export const judgeMemory = (before: number, after: number, { memoryFactor }: Terms): string[] =>
  after > before * memoryFactor ? [`memory ${toMb(before)} -> ${toMb(after)} MB`] : []

export function judgeAnswers(
  counts: ReadonlyMap<string, number>,
  { allowed = NOT_BROKEN, needed }: Attack,
  tally: Tally,
  isWhole: boolean,
) {
  const names = [...counts.keys()]
  const wrong = names.filter((what) => !allowed.test(what) && what !== 'left')
  return [
    ...wrong.map((what) => `${counts.get(what)} times ${what}: ${tally.samples.get(what) ?? ''}`),
    ...(needed && isWhole && !names.some((what) => needed.test(what)) ? [`nothing was ${needed.source}`] : []),
  ]
}

/** Every line on standard error must be a log line, and none may report an error of the program. */
export function judgeLines(lines: readonly string[], { honest }: Attack): string[] {
  const isExpected = (line: string) => {
    try {
      const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown }
      return typeof msg === 'string' && (honest !== undefined || !/error|fatal|50|60/.test(String(level)))
    } catch {
      return false
    }
  }
  const odd = lines.filter((line) => line !== '' && !isExpected(line))
  return odd.length > 0 ? [`${odd.length} lines on stderr such as ${odd[0]?.slice(0, 300)}`] : []
}

export const toMb = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
