// Whether this installation can give correct answers now: ready with its lag, or not ready with the reason.
import { isBehind, type MaxLag, sayMaxLag } from '../../base/max-lag.ts'
import { readWait, type StoredWait, type Wait } from '../../base/wait.ts'
import type { pg } from '../../database/client.ts'
import { ofChain, readMigrations, readSchemaState, TOO_NEW, UNRELEASED } from '../../database/migrate.ts'
import { countUnchecked } from '../first-check.ts'
import { SECONDS_A_BLOCK, toLag } from '../lag.ts'

export type Readiness =
  /**
   * `block` and `time` are those of the newest indexed block. `lag` is the number of blocks by which the source was
   * ahead at its last answer. It is below zero while the source has fewer blocks than the index. `age` is the seconds since that answer.
   * `waits` is what the index waits for, if anything.
   * `unchecked` tokens wait for the first check of their contract; null where checks are off, or did not begin yet.
   */
  | {
      ready: true
      block: number
      time: Date
      lag: number
      age: number
      waits?: Wait | null
      unchecked: number | null
    }
  | { ready: false; reason: string }

/** A database that does not answer within this time counts as down. */
const TIMEOUT_MS = 3000

/**
 * Checks that the database answers, is migrated, and is at most `maxLag` behind the source. The check never throws.
 * `schema` is that of a further chain.
 */
export function createReadiness(pool: pg.Pool, maxLag: MaxLag, schema?: string): () => Promise<Readiness> {
  const migrations = schema === undefined ? readMigrations() : ofChain(readMigrations())
  const check = async (): Promise<Readiness> => {
    const { pending, unknown } = await readSchemaState(pool, migrations)
    const lacksAll = pending.length === migrations.length
    if (unknown.length > 0) return { ready: false, reason: lacksAll ? UNRELEASED : TOO_NEW }
    if (pending.length > 0) return { ready: false, reason: `The database lacks ${pending.length} migrations.` }
    const { rows } = await pool.query<{
      block: number
      time: Date
      head: number
      age: number
      waits: StoredWait | null
      unchecked: number | null
      block_seconds: number | null
    }>(
      `SELECT number AS block, time, source_head AS head, waits, ${countUnchecked('chain')} AS unchecked, ${SECONDS_A_BLOCK} AS block_seconds,
          greatest(0, round(date_part('epoch', clock_timestamp() - updated_at)))::int AS age
        FROM block, chain ORDER BY number DESC LIMIT 1`,
    )
    const row = rows[0]
    if (!row) return { ready: false, reason: 'No block is indexed yet.' }
    const { head, block_seconds: blockSeconds, ...facts } = row
    const lag = head - row.block
    const behind = toLag(lag, blockSeconds)
    const waits = readWait(row.waits)
    if (!isBehind(behind, maxLag)) return { ready: true, ...facts, lag, waits }
    const why = waits ? ` It waits: ${waits.sentence}.` : ''
    const time = behind.seconds === null ? '' : ` (${Math.round(behind.seconds)} s)`
    const reason = `The index is ${lag} blocks${time} behind its source; ${sayMaxLag(maxLag)} are allowed.${why}`
    return { ready: false, reason }
  }
  return () => {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<Readiness>((resolve) => {
      timer = setTimeout(() => resolve({ ready: false, reason: 'The database does not answer in time.' }), TIMEOUT_MS)
    })
    const down = (): Readiness => ({ ready: false, reason: 'The database does not answer.' })
    return Promise.race([check().catch(down), timeout]).finally(() => clearTimeout(timer))
  }
}
