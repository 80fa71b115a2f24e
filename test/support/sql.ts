// Limits of SQL for tests.
import { SQL_LIMITS } from '../../src/sql/limits.ts'

/** A busy machine needs a minute for what takes a second. */
export const PATIENT_LIMITS = { ...SQL_LIMITS, withinMs: 100_000, waitWithinMs: 100_000 }
