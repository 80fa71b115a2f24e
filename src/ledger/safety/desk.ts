// The desk at which callers ask for the check of a token's contract, and wait for it. One check of a token serves all who
// wait for it. Waiting ends when the check is stored and scored, when it failed, or when the time is over.
import type { Address } from '../../base/address.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../database/client.ts'
import { askForCheck, type CheckStanding, preferChecks, readStanding } from './ask.ts'

export const CHECK_STATES = ['checked', 'waits', 'failed', 'checks_off', 'vouched_by_preset', 'not_erc20'] as const
/** What became of the request for a check. */
export type CheckState = (typeof CHECK_STATES)[number]

export interface CheckDesk {
  /**
   * Asks for a check, unless there is one of the last `freshSeconds` of the chain's time. Null: the token is not indexed.
   * After `withinMs` the state is `waits`: the check follows.
   */
  check(token: Address, wish: CheckWish, signal?: AbortSignal): Promise<CheckState | null>
  /** Somebody looks at this token: if its check is due, it is made before others. */
  look(tokenId: number): void
  stop(): Promise<void>
}

export interface CheckWish {
  withinMs: number
  freshSeconds: number
}

/** Tokens for which callers wait at once; the request of another one is noted, and nobody waits for it. */
const MOST_WAITING = 50
const LOOK_MS = 150
/** A stored check is scored within this time, or the answer comes without. */
const SCORE_MS = 3_000
/** Looked-at tokens are moved together, this long after the first. */
const PREFER_MS = 500
/** The most looked-at tokens that are moved together; further ones are not moved. */
const MOST_PREFERRED = 200

export function createCheckDesk(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  clock: Pick<Clock, 'sleep' | 'monotonicMs'>,
): CheckDesk {
  const ending = new AbortController()
  const waiting = new Map<Address, Promise<CheckState>>()
  const preferred = createPreferred(pool, clock, ending.signal)

  const isFresh = ({ checkedAt, time }: CheckStanding, seconds: number) =>
    checkedAt !== null && checkedAt >= time - seconds

  async function follow(token: Address, before: CheckStanding, untilMs: number): Promise<CheckState> {
    let storedMs: number | null = null
    while (!ending.signal.aborted && clock.monotonicMs() < untilMs) {
      await clock.sleep(LOOK_MS, ending.signal)
      const now = await readStanding(pool, token)
      if (!now || now.waits) continue
      if (now.checkedAt === before.checkedAt && now.checkedBlock === before.checkedBlock) return 'failed'
      storedMs ??= clock.monotonicMs()
      if (!now.isScoreDue || clock.monotonicMs() - storedMs >= SCORE_MS) return 'checked'
    }
    return storedMs === null ? 'waits' : 'checked'
  }

  return {
    async check(token, { withinMs, freshSeconds }, signal) {
      const untilMs = clock.monotonicMs() + withinMs
      const standing = await readStanding(pool, token)
      if (!standing) return null
      if (standing.never) return standing.never
      if (isFresh(standing, freshSeconds)) return 'checked'
      await askForCheck(pool, standing.tokenId)
      let found = waiting.get(token)
      if (!found) {
        if (waiting.size >= MOST_WAITING) return 'waits'
        found = follow(token, standing, untilMs).finally(() => waiting.delete(token))
        waiting.set(token, found)
      }
      const answered = new AbortController()
      const over = signal ? AbortSignal.any([signal, answered.signal]) : answered.signal
      const late = clock.sleep(Math.max(0, untilMs - clock.monotonicMs()), over).then((): CheckState => 'waits')
      return Promise.race([found, late]).finally(() => answered.abort())
    },
    look: preferred.add,
    async stop() {
      ending.abort()
      await Promise.allSettled([...waiting.values(), preferred.ended()])
    },
  }
}

/** Collects looked-at tokens, and moves their checks to the front. A failure costs only the order. */
function createPreferred(
  pool: Database['requestPool'],
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): { add(tokenId: number): void; ended(): Promise<void> } {
  const tokens = new Set<number>()
  let moving: Promise<void> | null = null
  const move = async () => {
    await clock.sleep(PREFER_MS, signal)
    const together = [...tokens]
    tokens.clear()
    moving = null
    if (!signal.aborted) await preferChecks(pool, together).catch(() => {})
  }
  return {
    add(tokenId) {
      if (tokens.size >= MOST_PREFERRED) return
      tokens.add(tokenId)
      moving ??= move()
    },
    ended: async () => void (await moving),
  }
}
