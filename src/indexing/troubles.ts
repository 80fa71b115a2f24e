// Obstacles of the index: a sentence for the log when one begins, and one when it ends. Input: the obstacle at each
// try. Output: the log, and what the index waits for, stored for every process that shows it.
import type { Clock } from '../base/clock.ts'
import { WAIT_SENTENCES, type Wait, type WaitKind } from '../base/wait.ts'
import { RpcError } from '../chain/rpc/error.ts'
import type { Log } from '../telemetry/log.ts'

export interface Troubles {
  /** Logs the obstacle, unless it is the current one, or its kind was logged within a minute. */
  tell(kind: WaitKind, error: unknown): void
  /** The index continues. */
  end(): void
}

interface TroublesDeps {
  log: Pick<Log, 'info' | 'warn' | 'debug'>
  clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** Stores what the index waits for; null: nothing. While that fails, it is tried at the next obstacle. */
  note(wait: Wait | null): Promise<void>
}

/** Who logs faults of an endpoint names the endpoint. */
const TOLD_ELSEWHERE: ReadonlySet<WaitKind> = new Set(['provider_fails'])
/** The shortest time between two lines of one kind: an obstacle that comes and goes would fill the log. */
const REPEAT_MS = 60_000

export function createTroubles({ log, clock, note }: TroublesDeps): Troubles {
  let lasting: Wait | null = null
  /** The obstacle in the log that has not ended yet. */
  let told: WaitKind | null = null
  let toldReason = ''
  /** When each kind was logged last. */
  const toldMs = new Map<WaitKind, number>()
  const store = createStore(note)

  return {
    tell(kind, error) {
      const reason = error instanceof Error ? error.message : String(error)
      const block = error instanceof RpcError ? error.block : null
      const sentence = WAIT_SENTENCES[kind]
      const isSame = lasting?.kind === kind && lasting.block === block
      lasting = isSame && lasting ? lasting : { kind, sentence, block, since: clock.now() }
      store(lasting)
      // The line of a contradiction names the rule and the block already.
      const isSteady = kind === 'rule_broken' && told === 'contradiction' && toldReason === reason
      const nowMs = clock.monotonicMs()
      const isRecent = nowMs - (toldMs.get(kind) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS
      if (told === kind || isSteady || isRecent || TOLD_ELSEWHERE.has(kind)) return log.debug({ reason }, sentence)
      told = kind
      toldMs.set(kind, nowMs)
      toldReason = reason
      log.warn({ reason, ...(block === null ? {} : { block }) }, sentence)
    },
    end() {
      if (told) log.info({ after: WAIT_SENTENCES[told] }, 'the index goes on')
      told = null
      lasting = null
      store(null)
    },
  }
}

/** Stores the newest value, one write at a time. The first is always stored: an earlier process may have left one. */
function createStore(note: TroublesDeps['note']): (wait: Wait | null) => void {
  let stored: Wait | null | undefined
  let wanted: Wait | null = null
  let isStoring = false

  async function keepStoring(): Promise<void> {
    isStoring = true
    try {
      while (stored !== wanted) {
        const next = wanted
        await note(next)
        stored = next
      }
    } catch {
      // The database is away: the next obstacle, or the next step of the index, tries again.
    } finally {
      isStoring = false
    }
  }

  return (wait) => {
    wanted = wait
    if (!isStoring && stored !== wanted) void keepStoring()
  }
}
