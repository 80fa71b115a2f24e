// The faults of a store. One is told when it begins and when it ends; meanwhile answers say that older events cannot be
// read.
import { AssayError } from '../base/errors.ts'
import type { HistoryFaults } from './history.ts'

interface Watched extends HistoryFaults {
  /** A fault in some words, without secrets. */
  reasonOf(error: unknown): string
}

export interface FaultWatch {
  /** Runs a statement that reads these files. Its fault becomes SERVICE_UNAVAILABLE. */
  ask<T>(run: () => Promise<T>, files?: readonly string[]): Promise<T>
  /** Makes the check of a history's identifier, which asks the store once. `refuse` gets "no history" or the like. */
  requireId(readId: () => Promise<string | null>, refuse: (found: string) => Error): (id: string) => Promise<void>
}

/**
 * A fault ends once statements are answered that read each file of the one that failed. In a store without files any
 * statement ends it.
 */
export function watchFaults({ reasonOf, onFault, onRecovery }: Watched): FaultWatch {
  /** The files of the statement that failed that nobody has read since. */
  let failed: Set<string> | null = null
  const fail = (error: unknown, files: readonly string[] = []): unknown => {
    if (error instanceof AssayError) return error
    if (failed === null) onFault(reasonOf(error))
    failed = new Set(files)
    const message = 'Older events cannot be read at the moment. Newer ones can.'
    return new AssayError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5, cause: error })
  }
  const pass = (files: readonly string[]): void => {
    if (failed === null) return
    for (const file of files) failed.delete(file)
    if (failed.size > 0) return
    failed = null
    onRecovery()
  }
  return {
    ask: async (run, files = []) => {
      try {
        const found = await run()
        pass(files)
        return found
      } catch (error) {
        throw fail(error, files)
      }
    },
    requireId: (readId, refuse) => {
      let known: string | null = null
      return async (id) => {
        if (known === id) return
        const found = await readId().catch((error) => {
          throw fail(error)
        })
        if (found !== id) throw fail(refuse(found === null ? 'no history' : 'the history of another index'))
        known = found
      }
    },
  }
}
