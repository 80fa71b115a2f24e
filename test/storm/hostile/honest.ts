// Starts the honest client: a separate process with its own address and key.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { bundleChild } from '../../support/build.ts'

export interface HonestOrder {
  origin: string
  key: string
  perSecond: number
  /** Its local address, which differs from the attacker's. */
  from?: string
  requests: { name: string; path: string; body?: string }[]
}

export interface HonestReport {
  latenciesMs: number[]
  statuses: Record<string, number>
  faults: string[]
}

export interface Honest {
  /** Returns its observations since the last call, and resets. */
  take(): Promise<HonestReport>
  /** Resolves with true when no request is still open, or false after the timeout. */
  settle(withinMs: number): Promise<boolean>
  end(): void
}

/** Requests in flight at one time when all is well. */
const FEW_OPEN = 3

export async function startHonest(order: HonestOrder): Promise<Honest> {
  const child = fork(await bundleChild(new URL('honest-child.ts', import.meta.url)), [JSON.stringify(order)], {
    execArgv: [],
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

/** The smallest value that at least the fraction `part` of the values does not exceed; 0 if there are none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0
}
