// Obstacles of the index, for the log: a sentence when one begins, and one when it ends.
import type { Log } from '../telemetry/log.ts'

export interface Troubles {
  /** Logs the obstacle, unless it is the current one. */
  tell(trouble: string, error: unknown): void
  /** The index continues. */
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
