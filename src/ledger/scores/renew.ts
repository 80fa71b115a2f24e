// Scores of another version of the program: they use other formulas, or other words.
import type { pg } from '../../database/client.ts'
import { SCORE_KINDS } from '../score-kinds.ts'

/** Stores the form and marks every score in one statement, so that a crash in between loses neither. */
const RENEW = `WITH taken AS (UPDATE chain SET score_form = $1 WHERE score_form IS DISTINCT FROM $1 RETURNING id)
  INSERT INTO score_due (kind, id, due_at)
  SELECT s.kind, s.id, (SELECT max(time) FROM block) FROM taken CROSS JOIN (
    SELECT ${SCORE_KINDS.token}::smallint AS kind, token_id AS id FROM token_score
    UNION ALL SELECT ${SCORE_KINDS.wallet}::smallint, wallet_id FROM wallet_score) s
  ON CONFLICT (kind, id) DO UPDATE SET due_at = excluded.due_at`

/**
 * Marks every score as due at the newest block if the scores have another form than this. Returns the number of marked
 * scores: none in a new index.
 */
export async function renewScores(pool: Pick<pg.Pool, 'query'>, form: string): Promise<number> {
  const { rowCount } = await pool.query(RENEW, [form])
  return rowCount ?? 0
}
