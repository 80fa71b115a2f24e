// Reports provider faults that the program retries. A period of faults is logged when it begins and when it ends;
// single faults are for debugging.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../telemetry/log.ts'
import type { RpcErrorKind } from './error.ts'

/** A provider fault that is being retried; for logs and metrics. */
export interface Trouble {
  endpoint: string
  kind: RpcErrorKind
  message: string
}

/** An endpoint fails for longer than a moment, or works again. */
export type Spell = ({ isOver: false } & Trouble) | { isOver: true; endpoint: string; seconds: number }

export interface Spells {
  fault(trouble: Trouble): void
  /** The endpoint answered without a fault. */
  answered(): void
}

/** Faults of an endpoint; other faults are answers, or concern one request. */
const OF_ENDPOINT: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'auth', 'foreign'])
/** Faults that do not pass by themselves are logged at once. */
const LASTING: ReadonlySet<RpcErrorKind> = new Set(['auth', 'foreign'])
const TOLD_AFTER_MS = 3_000
/** An endpoint works again after this long without a fault. */
const QUIET_MS = 5_000

/** The periods of faults of one endpoint: at most two reports each, however many faults there are. */
export function createSpells(clock: Pick<Clock, 'monotonicMs'>, report: (spell: Spell) => void): Spells {
  let spell: { sinceMs: number; lastMs: number; isTold: boolean; endpoint: string } | null = null
  return {
    fault(trouble) {
      if (!OF_ENDPOINT.has(trouble.kind)) return
      const nowMs = clock.monotonicMs()
      spell ??= { sinceMs: nowMs, lastMs: nowMs, isTold: false, endpoint: trouble.endpoint }
      spell.lastMs = nowMs
      if (spell.isTold || (!LASTING.has(trouble.kind) && nowMs - spell.sinceMs < TOLD_AFTER_MS)) return
      spell.isTold = true
      report({ isOver: false, ...trouble })
    },
    answered() {
      if (!spell) return
      const nowMs = clock.monotonicMs()
      if (spell.isTold && nowMs - spell.lastMs < QUIET_MS) return
      const { isTold, endpoint, sinceMs } = spell
      spell = null
      if (isTold) report({ isOver: true, endpoint, seconds: Math.round((nowMs - sinceMs) / 1_000) })
    },
  }
}

/** Logs provider faults. */
export const logTrouble =
  (log: Log) =>
  ({ endpoint, kind, message }: Trouble): void =>
    log.debug({ endpoint, kind, reason: message }, 'the provider failed; retrying')

/** Logs when an endpoint begins to fail, and when it works again. */
export const logSpell =
  (log: Log) =>
  (spell: Spell): void => {
    const { endpoint } = spell
    if (spell.isOver) log.info({ endpoint, seconds: spell.seconds }, 'an endpoint of RPC_URL works again')
    else if (spell.kind === 'foreign')
      log.warn({ endpoint, reason: spell.message }, 'an endpoint of RPC_URL is not used')
    else
      log.warn(
        { endpoint, kind: spell.kind, reason: spell.message },
        'an endpoint of RPC_URL fails: its calls are sent again, elsewhere if possible',
      )
  }
