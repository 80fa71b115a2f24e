// The block of the scores, and the transaction that reads their facts and stores them.
import type { pg } from '../../database/client.ts'
import type { ChangeBlock } from '../undo.ts'

/** A connection, inside the transaction that reads the facts and stores the scores. */
export type Session = pg.ClientBase

/** The block whose facts scores are computed from. */
export interface ScoreBlock extends ChangeBlock {
  /** Seconds since 1970. */
  time: number
  /** Grows with each change of a label. */
  labelEdition: number
}

/** Reads the newest block; null before the first. */
export async function readNewestBlock(client: Pick<pg.ClientBase, 'query'>): Promise<ScoreBlock | null> {
  const text = `SELECT number, date_part('epoch', time) AS time, number > (SELECT finalized FROM chain) AS revocable,
      (SELECT label_edition FROM chain) AS "labelEdition" FROM block ORDER BY number DESC LIMIT 1`
  const { rows } = await client.query<ScoreBlock>({ name: 'score block', text })
  return rows[0] ?? null
}

/**
 * Reads the newest block at the beginning of a transaction that scores. Its commit does not wait for the disk. If a
 * power failure loses it, the work is due again, because scores and the list of due work are lost together.
 */
export async function beginScores(client: pg.ClientBase): Promise<ScoreBlock | null> {
  const [block] = await Promise.all([readNewestBlock(client), client.query('SET LOCAL synchronous_commit = off')])
  return block
}
