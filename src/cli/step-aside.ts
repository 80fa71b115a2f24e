// Steps aside when `assay past` has another index for this one's place. The process is notified, leaves the database,
// and waits until the two were exchanged. Input: its ledger. Output: a signal to end, and the time to serve again.
import type { Ledger } from '../database/open.ts'
import type { Context } from './context.ts'

/** The interval of checks whether the exchange is over. */
const LOOK_EVERY_MS = 200
/** After this time it serves the current index: the exchange takes seconds, or was given up. */
const BACK_WITHIN_MS = 60_000

export interface Aside {
  /** Aborted when the process is asked to step aside. */
  signal: AbortSignal
  /** Listens until it is closed. */
  watch(ledger: Ledger): Promise<{ close(): Promise<void> }>
  /** Resolves when another index is in the place of this one, or when that takes too long. */
  untilExchanged(): Promise<void>
}

export function createAside({ config, clock, log, signal: ending }: Context): Aside {
  const asked = new AbortController()
  let askedMs = 0
  let identify = async (): Promise<string | null> => null
  let before: string | null = null

  return {
    signal: asked.signal,
    watch: async ({ database }) => {
      const { findSecondDatabase } = await import('../database/second-database.ts')
      const { ASIDE_CHANNEL, listen } = await import('../database/listen.ts')
      const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = config()
      const beside = findSecondDatabase({ databaseUrl, dataDir })
      // A process that may not look serves the former index.
      identify = () => beside.readIdentity().catch(() => null)
      before = await identify()
      const hear = (channel: string | null) => {
        if (channel !== ASIDE_CHANNEL || asked.signal.aborted) return
        log().info("another index is complete: leaving the database for a moment, so that it can take this one's place")
        askedMs = clock.monotonicMs()
        asked.abort()
      }
      return listen(database, [ASIDE_CHANNEL], hear, clock)
    },
    untilExchanged: async () => {
      const isExchanged = async () => {
        const now = await identify()
        return before !== null && now !== null && now !== before
      }
      let exchanged = await isExchanged()
      while (!exchanged && !ending.aborted && clock.monotonicMs() - askedMs < BACK_WITHIN_MS) {
        await clock.sleep(LOOK_EVERY_MS, ending)
        exchanged = await isExchanged()
      }
      if (ending.aborted) return
      if (exchanged) log().info('serving again, from the other index')
      else log().warn('the other index did not take the place of this one: serving again as before')
    },
  }
}
