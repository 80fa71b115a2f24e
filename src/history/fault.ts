// The faults of a store. One is told when it begins and when it ends; meanwhile answers say that older events cannot be
// read.
import { AssayError } from '../base/errors.ts'
import type { HistoryFaults } from './history.ts'

interface Watched extends HistoryFaults {
  /** A fault in some words, without secrets. */
  reasonOf(error: unknown): string
}

export interface FaultWatch {
  /** Runs a statement. Its fault becomes SERVICE_UNAVAILABLE. */
  ask<T>(sql: string, run: () => Promise<T>): Promise<T>
  /** Makes the check of a history's identifier, which asks the store once. `refuse` gets "no history" or the like. */
  requireId(readId: () => Promise<string | null>, refuse: (found: string) => Error): (id: string) => Promise<void>
}

/**
 * A fault ends once a statement is answered that reads the same files as the one that failed. In a store without files
 * any statement ends it.
 */
export function watchFaults({ reasonOf, onFault, onRecovery }: Watched): FaultWatch {
  let failed: ReadonlySet<string> | null = null
  const fail = (error: unknown, sql = ''): unknown => {
    if (error instanceof AssayError) return error
    if (failed === null) onFault(reasonOf(error))
    failed = filesNamed(sql)
    const message = 'Older events cannot be read at the moment. Newer ones can.'
    return new AssayError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5, cause: error })
  }
  const pass = (sql: string): void => {
    if (failed === null) return
    const read = filesNamed(sql)
    if ([...failed].some((path) => !read.has(path))) return
    failed = null
    onRecovery()
  }
  return {
    ask: async (sql, run) => {
      try {
        const found = await run()
        pass(sql)
        return found
      } catch (error) {
        throw fail(error, sql)
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

const filesNamed = (sql: string): Set<string> => new Set(sql.match(/'[^']+\.parquet'/g) ?? [])
