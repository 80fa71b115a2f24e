// The honest client, seen from the storm: a process of its own, with an address and a key of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface HonestOrder {
  origin: string
  key: string
  perSecond: number
  /** Its address; the attacker's is another one. */
  from?: string
  requests: { name: string; path: string; body?: string }[]
}

export interface HonestReport {
  latenciesMs: number[]
  statuses: Record<string, number>
  faults: string[]
}

export interface Honest {
  /** What it saw since the last call; begins anew. */
  take(): Promise<HonestReport>
  /** Resolves when nothing that was asked is still open, false when that takes longer. */
  settle(withinMs: number): Promise<boolean>
  end(): void
}

/** Requests that are under way at one time when all is well. */
const FEW_OPEN = 3

export async function startHonest(order: HonestOrder): Promise<Honest> {
  const child = fork(fileURLToPath(new URL('honest-child.ts', import.meta.url)), [JSON.stringify(order)], {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH ?? '' },
  })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  await once(child, 'message')
  const tell = async (word: 'take' | 'look') => {
    child.send(word)
    const [report] = (await once(child, 'message')) as [HonestReport & { open: number }]
    return report
  }
  return {
    take: () => tell('take'),
    settle: async (withinMs) => {
      const untilMs = performance.now() + withinMs
      while ((await tell('look')).open > FEW_OPEN) {
        if (performance.now() > untilMs) return false
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return true
    },
    end: () => {
      process.removeListener('exit', end)
      end()
    },
  }
}

/** The value that so large a part of them does not exceed; 0 of none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0
}
