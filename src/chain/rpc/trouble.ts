// Reports provider faults that the program retries. A period of faults is logged when it begins and when it ends;
// single faults are for debugging.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../telemetry/log.ts'
import { RpcError, type RpcErrorKind } from './error.ts'

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

/** Gets a sentence for the log when a provider's answers begin to lack something. `isOver`: they are whole again. */
export type OnNotice = (text: string, isOver?: boolean) => void

/** A lack in a provider's answers: it begins with an answer that lacks something, and ends after whole ones in a row. */
export interface Lack {
  /** Notes an answer that lacks something. Returns true if this answer begins the lack. */
  lacks(): boolean
  /** Notes a whole answer. Returns true if this answer ends the lack. */
  isWhole(): boolean
}

/** Creates a lack that has not begun, and ends after so many whole answers in a row. */
export function createLack(wholeInARow: number): Lack {
  /** Whole answers still to come before the lack ends; 0: there is no lack. */
  let left = 0
  return {
    lacks: () => {
      const begins = left === 0
      left = wholeInARow
      return begins
    },
    isWhole: () => {
      if (left === 0) return false
      left -= 1
      return left === 0
    },
  }
}

/** Faults of an endpoint; other faults are answers, or concern one request. */
const OF_ENDPOINT: ReadonlySet<RpcErrorKind> = new Set(['rate', 'transient', 'auth', 'foreign'])
/** Faults that do not pass by themselves are logged at once. */
const LASTING: ReadonlySet<RpcErrorKind> = new Set(['auth', 'foreign'])
const TOLD_AFTER_MS = 3_000
/**
 * An endpoint works again after this long without a fault. It is longer than every pause before another attempt, so that
 * answers to other calls in a pause end no period.
 */
const QUIET_MS = 60_000

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
      const { isTold, endpoint, sinceMs, lastMs } = spell
      spell = null
      if (isTold) report({ isOver: true, endpoint, seconds: Math.round((lastMs - sinceMs) / 1_000) })
    },
  }
}

/** Logs provider faults. */
export const logTrouble =
  (log: Log) =>
  ({ endpoint, kind, message }: Trouble): void =>
    log.debug({ endpoint, kind, reason: message }, 'the provider failed; retrying')

/** Whether the fault is logged as a period of its endpoint. */
export const isOfEndpoint = (error: unknown): boolean => error instanceof RpcError && OF_ENDPOINT.has(error.kind)

/** Each kind of fault of an endpoint, with its remedy. */
const SENTENCES: Readonly<Partial<Record<RpcErrorKind, string>>> = {
  rate: 'an endpoint of RPC_URL limits requests: it gets fewer, after the pause that it asks for',
  auth: 'an endpoint of RPC_URL refuses its key: it is asked again from time to time, and others meanwhile',
  foreign: 'an endpoint of RPC_URL does not serve the indexed chain: it is not used, and asked again each minute',
  transient: 'an endpoint of RPC_URL fails: its calls are sent again, elsewhere if possible',
}

/** Logs what a provider's answers lack. */
export const logNotice =
  (log: Log): OnNotice =>
  (text, isOver = false) =>
    isOver ? log.info(text) : log.warn(text)

/** Logs when an endpoint begins to fail, and when it works again. */
export const logSpell =
  (log: Log) =>
  (spell: Spell): void => {
    const { endpoint } = spell
    if (spell.isOver) log.info({ endpoint, seconds: spell.seconds }, 'an endpoint of RPC_URL works again')
    else log.warn({ endpoint, kind: spell.kind, reason: spell.message }, SENTENCES[spell.kind])
  }
