// The list of tokens and wallets whose scores are due: taking work from it, and marking work as done or due later.
import { type Column, rowsOf, toArrays, toIntegers } from '../../database/binary-arrays.ts'
import type { pg } from '../../database/client.ts'
import { defineRead, integer, type Reader } from '../../database/column-query.ts'
import { SCORE_KINDS, type ScoreKind } from '../score-kinds.ts'

/** Ids of due work, and roughly how many rows scoring each one reads at most. */
export interface Due {
  ids: Int32Array
  rows: Int32Array
}

/** The bounds are those of `facts/swaps`, `facts/holders`, `facts/wallet-swaps` and `facts/holdings`; the constant stands for all other reads. */
const DUE = {
  token: dueRead('token', '20 + least(s.swap_count, 2000) + least(s.holder_count, 100)'),
  wallet: dueRead('wallet', '5 + least(s.swap_count, 200) + least(s.event_count, 400)'),
}

function dueRead(kind: ScoreKind, rows: string) {
  return defineRead(
    `due ${kind}s`,
    { ids: integer('d.id'), rows: integer(`coalesce(${rows}, 1)`) },
    (columns) => `SELECT ${columns} FROM (
        SELECT id FROM score_due WHERE kind = $1 AND due_at <= to_timestamp($2) ORDER BY due_at, id LIMIT $3) d
      LEFT JOIN ${kind} s ON s.id = d.id ORDER BY d.id`,
  )
}

/**
 * Takes the `limit` that have been due longest at a time (seconds since 1970). Returns them in ascending order of id.
 */
export const readDue = (client: Reader, kind: ScoreKind, time: number, limit: number): Promise<Due> =>
  DUE[kind](client, [SCORE_KINDS[kind], time, limit])

/** The time when a score changes by time alone. */
export interface NextDue {
  id: number
  /** Seconds since 1970; null: never. */
  dueAt: number | null
}

/**
 * Removes finished work from the list, or sets the time when it is due again. A rollback makes restored rows due again.
 */
export async function saveDue(client: pg.ClientBase, kind: ScoreKind, next: readonly NextDue[]): Promise<void> {
  const later = next.filter((item) => item.dueAt !== null)
  const done = next.filter((item) => item.dueAt === null)
  const ids = toIntegers(done.map((item) => item.id))
  await Promise.all([
    done.length > 0 && client.query({ name: 'score done', text: DELETE_DUE, values: [SCORE_KINDS[kind], ids] }),
    later.length > 0 &&
      client.query({ name: 'score later', text: PUT_OFF, values: [SCORE_KINDS[kind], ...toArrays(NEXT_DUE, later)] }),
  ])
}

const NEXT_DUE: readonly Column<NextDue>[] = [
  ['id', 'integer', (item) => item.id],
  ['due', 'double', (item) => item.dueAt],
]

const DELETE_DUE = 'DELETE FROM score_due WHERE kind = $1 AND id = ANY($2::int[])'

// The rows exist, so an UPDATE would do. But an upsert finds each row by its key whatever the planner's statistics are.
// These are often wrong for a table that fills and empties with each block.
const PUT_OFF = `INSERT INTO score_due (kind, id, due_at)
  SELECT $1::smallint, v.id, to_timestamp(v.due) FROM ${rowsOf(NEXT_DUE, 2)} v
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`
