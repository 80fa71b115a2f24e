// The wallets that washed a token. A mark stays, because a week later the swaps are out of sight. A rollback of its
// block removes it.
import { type Column, rowsOf, toArrays } from '../../database/binary-arrays.ts'
import type { pg } from '../../database/client.ts'
import { SCORE_KINDS } from '../score-kinds.ts'
import type { ScoreBlock } from './score-block.ts'

export interface WashMark {
  walletId: number
  tokenId: number
}

const COLUMNS: readonly Column<WashMark>[] = [
  ['wallet_id', 'integer', (mark) => mark.walletId],
  ['token_id', 'integer', (mark) => mark.tokenId],
]

// In the order of the wallets, so that two chunks with the same marks wait for each other without a deadlock.
const SAVE = `WITH fresh AS (
    INSERT INTO wash_mark (wallet_id, token_id)
    SELECT v.wallet_id, v.token_id FROM ${rowsOf(COLUMNS, 4)} v ORDER BY 1, 2
    ON CONFLICT DO NOTHING RETURNING wallet_id, token_id),
  kept AS (
    INSERT INTO undo (block_number, entity, key1, key2, key3, before)
    SELECT $1::int, 'wash_mark', wallet_id, token_id, 0, NULL FROM fresh WHERE $2::boolean ON CONFLICT DO NOTHING)
  INSERT INTO score_due (kind, id, due_at)
  SELECT DISTINCT ${SCORE_KINDS.wallet}::smallint, f.wallet_id, to_timestamp($3::float8)
  FROM fresh f JOIN wallet w ON w.id = f.wallet_id AND w.indexed ORDER BY 2
  ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at)`

/** Stores the new marks, and makes the scores of their wallets due. Returns the number of these wallets. */
export async function saveWashMarks(
  client: pg.ClientBase,
  block: ScoreBlock,
  marks: readonly WashMark[],
): Promise<number> {
  if (marks.length === 0) return 0
  const values = [block.number, block.revocable, block.time, ...toArrays(COLUMNS, marks)]
  const { rowCount } = await client.query({ name: 'save wash marks', text: SAVE, values })
  return rowCount ?? 0
}
