// The readiness of an answering process: that of the installation, and the tokens in memory. It is cached for half a
// second, so that many probes cost one database query.
import type { Clock } from '../../base/clock.ts'
import type { BoardFeed } from '../../board/feed.ts'
import type { Readiness } from '../../ledger/read/readiness.ts'

/** Waits for the tokens to be in memory, too. */
export const withBoard =
  (check: () => Promise<Readiness>, { isLoaded }: Pick<BoardFeed, 'isLoaded'>) =>
  async (): Promise<Readiness> => {
    const readiness = await check()
    if (!readiness.ready || isLoaded()) return readiness
    return { ready: false, reason: 'The tokens are still being loaded into memory.' }
  }

/** Waits for the first checks of contracts, too, and then until the tokens in memory know their result. */
export function withFirstChecks(
  check: () => Promise<Readiness>,
  { areDone, settle }: { areDone(): Promise<boolean> } & Pick<BoardFeed, 'settle'>,
): () => Promise<Readiness> {
  let isSettled = false
  return async () => {
    const readiness = await check()
    if (!readiness.ready || isSettled) return readiness
    if (!(await areDone().catch(() => false)))
      return { ready: false, reason: 'The contracts of the demo are being checked for the first time.' }
    await settle()
    isSettled = true
    return check()
  }
}

/** How long an answer is reused. */
const BELIEVED_MS = 500

/** Wraps the check so that it runs at most once per half second. */
export function keepReadiness(check: () => Promise<Readiness>, clock: Clock): () => Promise<Readiness> {
  let answer: Promise<Readiness> | undefined
  let untilMs = 0
  return () => {
    if (answer && clock.monotonicMs() < untilMs) return answer
    // While the check runs, all probes wait for it.
    untilMs = Number.POSITIVE_INFINITY
    answer = check().finally(() => {
      untilMs = clock.monotonicMs() + BELIEVED_MS
    })
    return answer
  }
}
