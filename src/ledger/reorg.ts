// The events that reorganisations of the chain retracted. Readers of streams have seen them, so they are kept for some
// days after their rows are gone. Reorganisations count from 1 without a gap: the newest number identifies the chain of
// a reader.
import type { pg } from '../database/client.ts'
import type { Statement } from '../database/pipeline.ts'
import { POOL_ADDRESS } from './pool-address.ts'

/** How long it is kept. The newest reorganisation stays longer, because the next one takes the number after it. */
const KEPT = '7 days'

const NEXT = 'SELECT coalesce(max(id), 0) + 1 FROM reorg'

/** Stores the events after the fork block. Call it before their tokens and wallets are rolled back too. */
export async function noteReorg(client: pg.ClientBase, forkBlock: number, eventCount: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO reorg (id, fork_block, event_count) VALUES ((${NEXT}), $1, $2) RETURNING id`,
    [forkBlock, eventCount],
  )
  await client.query(
    `INSERT INTO reorg_event (reorg_id, n, block_number, log_index, part, event, token_address, token_symbol,
       wallet_address, counterparty_address, pool_address)
     SELECT $1, e.n, e.block_number, e.log_index, coalesce(e.part, 0), to_jsonb(e), t.address, t.symbol, w.address, c.address,
       (SELECT ${POOL_ADDRESS} FROM pool WHERE pool.id = e.pool_id)
     FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
     LEFT JOIN wallet c ON c.id = e.counterparty_id WHERE e.n > $2`,
    [rows[0]?.id, eventCount],
  )
  await client.query(`DELETE FROM reorg WHERE created_at < now() - interval '${KEPT}' AND id < $1`, [rows[0]?.id])
}

/** Records that the index was emptied: new events may be ones that readers have received before. */
export const noteEmptied: Statement = {
  text: `INSERT INTO reorg (id, fork_block, event_count) VALUES ((${NEXT}), NULL, 0)`,
}
