// Puts the events of a history back into the table `event`, with all columns, and forgets the segments. An event that is
// in both places, or in two segments, breaks the primary key.
import type pg from 'pg'
import type { Segment } from '../../src/history/history.ts'
import { toInstant } from '../../src/history/numbers.ts'
import { openEngine } from '../../src/history/parquet/engine.ts'
import { TYPE_COLUMNS } from '../../src/history/parquet/orders.ts'
import { SEGMENTS } from '../../src/ledger/segments.ts'
import { relationOf } from './history-relations.ts'

const LIMITS = { threads: 2, memoryMb: 512, connections: 1, withinMs: 60_000, spillFolder: null }
/** Rows of one statement. */
const TOGETHER = 500

/** Returns how many events were in the history. */
export async function putBack(pool: pg.Pool, folder: string): Promise<number> {
  const { rows: segments } = await pool.query<Segment>(SEGMENTS)
  const engine = await openEngine(folder, LIMITS)
  const [events, hashes, tokens, wallets] = await Promise.all(
    (['events', 'hashes', 'tokens', 'wallets'] as const).map((of) => relationOf(folder, segments, of)),
  )
  const types = TYPE_COLUMNS.map((column, at) => `WHEN ${at + 1} THEN e.${column}`).join(' ')
  const rows =
    await engine.query(`SELECT e.n::DOUBLE AS n, (CASE e.type ${types} END)::DOUBLE AS type_n, e.block_number, e.log_index,
      e.token_id, t.number AS token_n, t.type_number AS token_type_n, e.wallet_id, w.number AS wallet_n, w.type_number AS wallet_type_n,
      e.pool_id, e.counterparty_id, e.type, e.direction, e.quantity, e.amount_usd, epoch_us(e.time)::DOUBLE AS us,
      '\\x' || hex(h.tx_hash) AS tx_hash, r.number AS counterparty_n, r.type_number AS counterparty_type_n,
      e.part, e.attribution, e.signer_id
    FROM ${events} e
      LEFT JOIN ${hashes} h ON h.n = e.tx_n
      LEFT JOIN ${tokens} t ON t.n = e.n
      LEFT JOIN ${wallets} w ON w.n = e.n AND NOT w.received
      LEFT JOIN ${wallets} r ON r.n = e.n AND r.received
    ORDER BY e.n`)
  await engine.close()
  for (let from = 0; from < rows.length; from += TOGETHER) {
    const some = rows.slice(from, from + TOGETHER).map(({ us, ...row }) => ({ ...row, time: toInstant(us as number) }))
    await pool.query('INSERT INTO event SELECT * FROM jsonb_populate_recordset(null::event, $1)', [
      JSON.stringify(some),
    ])
  }
  await pool.query('TRUNCATE history_segment')
  return rows.length
}
