// Pure: what the clients of a rehearsal saw, in one line.
import type { Sample } from './load.ts'

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

const MINUTE_MS = 60_000

/** How many requests each window granted, a window being a minute from its first request, and what happened in it. */
export function describeLimit(
  grantedMs: readonly number[],
  limit: number,
  marks: readonly (readonly [name: string, atMs: number])[],
): string {
  const sorted = [...grantedMs].sort((a, b) => a - b)
  const windows: string[] = []
  for (let at = 0; at < sorted.length; ) {
    const startMs = sorted[at] ?? 0
    const granted = sorted.filter((ms) => ms >= startMs && ms < startMs + MINUTE_MS).length
    const during = marks.filter(([name, ms]) => name !== 'nothing' && ms >= startMs - 5_000 && ms < startMs + MINUTE_MS)
    const names = during.map(([name]) => name).join('; ')
    windows.push(`${granted}${granted === limit || names === '' ? '' : ` (${names})`}`)
    at += granted
  }
  return `minute after minute ${windows.join(', ')}`
}
