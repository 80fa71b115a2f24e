// Pure: the observations of a rehearsal's clients, and its mails, in one line each.
import type { Grant, Sample } from './load.ts'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Requests sent in that time: how many, how fast, which failed and from when to when. */
export function describeTrouble(samples: readonly Sample[], fromMs: number, toMs: number): string {
  const sent = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
  const failed = sent.filter(({ end }) => end !== 200)
  const sorted = sent.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (part: number) => `${Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)} ms`
  const parts = [`${sent.length} requests, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`]
  const back = sent.filter(({ wentBack }) => wentBack).length
  if (back > 0) parts.push(`${back} of an older block than its connection had seen`)
  if (failed.length === 0) return [...parts, 'none failed'].join(', ')
  const kinds = new Map<string, number>()
  for (const { end } of failed) kinds.set(String(end), (kinds.get(String(end)) ?? 0) + 1)
  const named = [...kinds].map(([kind, count]) => `${count} x ${kind}`).join(', ')
  const begun = Math.min(...failed.map(({ atMs }) => atMs)) - fromMs
  const over = Math.max(...failed.map(({ atMs, ms }) => atMs + ms)) - fromMs
  return [...parts, `${failed.length} failed (${named}), from ${seconds(begun)} to ${seconds(over)} after it`].join(
    ', ',
  )
}

/** Ends of one minute that are told by several answers are this near: whole seconds, and the time that an answer took. */
const SAME_END_MS = 5_000

/**
 * How many requests each minute of the limit granted, by the end of the minute in each answer. While Redis is away each
 * process has its own minute, and those end together. `marks` names the events in it.
 */
export function describeLimit(
  granted: readonly Grant[],
  limit: number,
  marks: readonly (readonly [name: string, atMs: number])[],
): string {
  const minutes: Grant[][] = []
  for (const grant of granted.toSorted((a, b) => a.endsMs - b.endsMs)) {
    const last = minutes.at(-1)
    if (last?.[0] && grant.endsMs - last[0].endsMs < SAME_END_MS) last.push(grant)
    else minutes.push([grant])
  }
  const described = minutes.map((minute) => {
    const [from, to] = [Math.min(...minute.map(({ atMs }) => atMs)), Math.max(...minute.map(({ endsMs }) => endsMs))]
    const names = marks
      .filter(([name, ms]) => name !== 'nothing' && ms >= from - 5_000 && ms < to)
      .map(([name]) => name)
    return `${minute.length}${minute.length === limit || names.length === 0 ? '' : ` (${names.join('; ')})`}`
  })
  return `minute after minute ${described.join(', ')}`
}

/**
 * What became of the mails: `arrived` has the message of each that arrived, `written` those of the database that count as
 * sent. A message that arrived and is not in the database was lost with a leader.
 */
export function describeMails(
  arrived: readonly string[],
  written: readonly string[],
): { line: string; missing: number } {
  const [ids, rows] = [new Set(arrived), new Set(written)]
  const missing = written.filter((id) => !ids.has(id)).length
  const unknown = [...ids].filter((id) => !rows.has(id)).length
  const twice = arrived.length - ids.size
  return {
    line: `${arrived.length} arrived, ${twice} of them again with the same Message-ID, ${unknown} whose message the leader has lost; of ${rows.size} that count as sent ${missing} did not arrive`,
    missing,
  }
}

/** The lines of a process that are no plain information: those of a level from warnings on, and those that are no log. */
export const troublesIn = (said: string): string[] =>
  said
    .split('\n')
    .filter((line) => line !== '' && !/^\{"level":("?(trace|debug|info)|[123]0\b)/.test(line))
    .slice(-12)

/** The faults behind answers 500, and how often each came. */
export function internalFaultsIn(said: string): string[] {
  const counts = new Map<string, number>()
  for (const line of said.split('\n').filter((each) => each.includes('"status":500'))) {
    const { err, msg } = JSON.parse(line) as { err?: { message?: string; stack?: string }; msg: string }
    const fault = err?.stack?.split('\n').slice(0, 4).join(' ') ?? err?.message ?? msg
    counts.set(fault, (counts.get(fault) ?? 0) + 1)
  }
  return [...counts].map(([fault, count]) => `${count} x ${fault}`)
}
