// Watches the checks of tokens for readers: one query reads the steps of all that are followed.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { type CheckProgress, readSteps } from '../ledger/safety/steps.ts'
import type { Outage } from '../telemetry/outage.ts'

export interface CheckSteps {
  /** Yields the step of a token's check, and each later one; null when none goes on. */
  follow(address: string, signal: AbortSignal): AsyncGenerator<CheckProgress | null, void, void>
  stop(): void
}

/** A step may be shorter than this, and is then not seen. */
const LOOK_MS = 150

type Tell = (progress: CheckProgress | null) => void

const isSame = (a: CheckProgress | null, b: CheckProgress | null): boolean =>
  a?.step === b?.step && a?.holders === b?.holders

export function createCheckSteps(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  clock: Pick<Clock, 'sleep'>,
  outage: Outage,
): CheckSteps {
  const readers = new Map<Tell, string>()
  const ending = new AbortController()
  let isLooking = false

  const look = async () => {
    if (isLooking) return
    isLooking = true
    while (readers.size > 0 && !ending.signal.aborted) {
      try {
        const steps = await readSteps(pool, [...new Set(readers.values())])
        for (const [tell, address] of readers) tell(steps.get(address) ?? null)
        outage.pass()
      } catch (error) {
        outage.fail(error)
      }
      await clock.sleep(LOOK_MS, ending.signal)
    }
    isLooking = false
  }

  return {
    async *follow(address, signal) {
      const news: (CheckProgress | null)[] = []
      let last: CheckProgress | null | undefined
      let wake = () => {}
      const tell: Tell = (progress) => {
        if (last !== undefined && isSame(last, progress)) return
        last = progress
        news.push(progress)
        wake()
      }
      const leave = () => wake()
      signal.addEventListener('abort', leave)
      readers.set(tell, address)
      try {
        void look()
        while (!signal.aborted) {
          if (news.length === 0)
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          // Of several steps the reader learns the newest.
          const newest = news.splice(0).at(-1)
          if (newest !== undefined && !signal.aborted) yield newest
        }
      } finally {
        signal.removeEventListener('abort', leave)
        readers.delete(tell)
      }
    },
    stop: () => ending.abort(),
  }
}
