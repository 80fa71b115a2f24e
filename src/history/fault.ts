// A fault of a store is told once when it begins, and once when it ends.
import { AssayError } from '../base/errors.ts'

/**
 * The fault ends once a statement is answered that reads the same files as the one that failed. In a store without files
 * any statement ends it.
 */
export function createHistoryFault(
  reasonOf: (error: unknown) => string,
  onFault: (reason: string) => void,
  onRecovery: () => void,
) {
  let failed: ReadonlySet<string> | null = null
  return {
    fail: (error: unknown, sql: string): AssayError => {
      if (failed === null) onFault(reasonOf(error))
      failed = filesNamed(sql)
      const message = 'Older events cannot be read at the moment. Newer ones can.'
      return new AssayError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 5, cause: error })
    },
    pass: (sql: string): void => {
      if (failed === null) return
      const read = filesNamed(sql)
      if ([...failed].some((path) => !read.has(path))) return
      failed = null
      onRecovery()
    },
  }
}

const filesNamed = (sql: string): Set<string> => new Set(sql.match(/'[^']+\.parquet'/g) ?? [])
