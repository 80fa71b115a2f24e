// The definition of an attack: its requests, the allowed answers, and further conditions afterwards.
import type { Client } from './client.ts'
import type { Server } from './server.ts'
import type { Stage } from './stage.ts'

/** The configurations of the program under attack; each is started once. */
export const SETTINGS = ['plain', 'proxy', 'tls', 'redis', 'database', 'receivers', 'node', 'leaving'] as const
export type Setting = (typeof SETTINGS)[number]

export interface Target {
  server: Server
  stage: Stage
  client: Client
  tally: Tally
  /** Aborted when the attack's time is over; loops check `isOver`. */
  signal: AbortSignal
  isOver(): boolean
}

export interface Attack {
  name: string
  setting?: Setting
  /** Its bound, if that is higher than that of the other attacks. */
  lastsMs?: number
  /** Part of the short form. */
  short?: boolean
  run(target: Target): Promise<void>
  /** The answers that it may get, by their names in the tally; default: everything except 5xx other than 503. */
  allowed?: RegExp
  /** At least one of these answers must occur. */
  needed?: RegExp
  /** Allowed answers to the honest client besides 200 during the attack. */
  honest?: { statuses: number[]; p99Ms: number }
  /** The program is expected to exit. */
  ends?: boolean
}

export const NOT_BROKEN = /^([1-4]\d\d|501|503|closed|left)$/

/** The results of an attack's requests: the count of each kind, the largest answer, and the faults found. */
export class Tally {
  readonly counts = new Map<string, number>()
  readonly faults: string[] = []
  readonly samples = new Map<string, string>()
  largestBytes = 0

  add(what: string, bytes = 0, sample = ''): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
    this.largestBytes = Math.max(this.largestBytes, bytes)
    if (sample && !this.samples.has(what)) this.samples.set(what, sample.slice(0, 300))
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0
  }

  /** Records a fault; the attack goes on. */
  fault(words: string): void {
    if (this.faults.length < 10) this.faults.push(words)
  }

  describe(): string {
    const parts = [...this.counts].sort(([a], [b]) => a.localeCompare(b)).map(([what, count]) => `${what} x${count}`)
    if (this.largestBytes > 1_000_000) parts.push(`largest ${(this.largestBytes / 1e6).toFixed(1)} MB`)
    return parts.join(', ') || 'nothing'
  }
}

/** Runs `work` with `atOnce` workers until `times` calls are done or the time is over. */
export async function repeat(
  { isOver }: Pick<Target, 'isOver'>,
  { times, atOnce }: { times: number; atOnce: number },
  work: (round: number) => Promise<void>,
): Promise<void> {
  let round = 0
  const worker = async () => {
    while (round < times && !isOver()) await work(round++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Waits, but not longer than the attack lasts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
