// Stores summaries by a language model, per token, until the model's brief changes.
import type { pg } from '../../database/client.ts'

export interface KeptSummary {
  tokenId: number
  /** A coarse digest of the model's brief. The summary is valid as long as this stays the same. */
  fingerprint: string
  summary: string
}

/** The summaries of those tokens that have one. */
export async function readSummaries(
  client: Pick<pg.ClientBase, 'query'>,
  tokenIds: readonly number[],
): Promise<Map<number, KeptSummary>> {
  const { rows } = await client.query<KeptSummary>({
    name: 'summaries',
    text: 'SELECT token_id AS "tokenId", fingerprint, summary FROM token_summary WHERE token_id = ANY($1::int[])',
    values: [tokenIds],
  })
  return new Map(rows.map((row) => [row.tokenId, row]))
}

/** Stores a summary. It is shown if the token's score is still that of `block`, the block of the brief. */
export async function saveSummary(
  pool: pg.Pool,
  { tokenId, fingerprint, summary }: KeptSummary,
  block: number,
): Promise<void> {
  await pool.query(
    `INSERT INTO token_summary (token_id, fingerprint, summary, block_number) VALUES ($1, $2, $3, $4)
     ON CONFLICT (token_id) DO UPDATE SET fingerprint = $2, summary = $3, block_number = $4`,
    [tokenId, fingerprint, summary, block],
  )
  // The token counts as changed, so that boards in memory get its summary.
  await pool.query(
    `WITH told AS (
       UPDATE token_score SET summary = $2, summary_source = 'model' WHERE token_id = $1 AND block_number = $3 RETURNING token_id)
     UPDATE token SET updated_block = (SELECT max(number) FROM block) WHERE id IN (SELECT token_id FROM told)`,
    [tokenId, summary, block],
  )
}
