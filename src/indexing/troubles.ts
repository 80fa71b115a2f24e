// What keeps the index from going on, as the log tells it: a sentence when it begins, and one when it ends.
import type { Log } from '../telemetry/log.ts'

export interface Troubles {
  /** Logs the trouble, unless it is the one that lasts already. */
  tell(trouble: string, error: unknown): void
  /** The index went on. */
  end(): void
}

export function createTroubles(log: Pick<Log, 'info' | 'warn' | 'debug'>): Troubles {
  let lasting: string | null = null
  return {
    tell(trouble, error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (lasting === trouble) return log.debug({ reason }, trouble)
      lasting = trouble
      log.warn({ reason }, trouble)
    },
    end() {
      if (lasting !== null) log.info({ after: lasting }, 'the index goes on')
      lasting = null
    },
  }
}
