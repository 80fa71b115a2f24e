// What a query of a caller may take.

export interface SqlLimits {
  /** Characters of a query. */
  text: number
  withinMs: number
  /** How long a query may wait for its turn, its snapshot and its process. */
  waitWithinMs: number
  memoryMb: number
  threads: number
  /** What a query may write beside its memory. */
  spillMb: number
  columns: number
  rows: number
  bytes: number
  /** Queries at a time; an account has one. */
  running: number
  /** Queries of an account that run or wait. */
  ofAccount: number
  /** Queries of all accounts that run or wait. */
  ofAll: number
}

export const SQL_LIMITS: SqlLimits = {
  text: 10_000,
  withinMs: 10_000,
  waitWithinMs: 45_000,
  memoryMb: 1_024,
  threads: 2,
  spillMb: 2_048,
  columns: 1_000,
  rows: 10_000,
  bytes: 4 * 2 ** 20,
  running: 2,
  ofAccount: 5,
  ofAll: 100,
}
