// All events of segments as relations in SQL, for a DuckDB elsewhere. The hashes of transactions are a relation of their
// own, because they take as much room as all other columns.
import { join } from 'node:path'
import type { EventRelations, Segment } from '../history.ts'
import { HASHES } from './manifest.ts'
import { readParquet, type SegmentReading } from './reading.ts'
import { AMOUNT } from './sql.ts'

export async function relateEvents(
  folder: string,
  { partsOf }: SegmentReading,
  segments: readonly Segment[],
): Promise<EventRelations> {
  const events = await partsOf({ segments, order: 'events', wanted: null })
  const hashes = segments.map(({ name }) => join(folder, name, HASHES))
  return {
    events: `SELECT n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
      ${AMOUNT} AS amount_usd, time, block_number, log_index, part, attribution FROM ${readParquet(events)}`,
    hashes: `SELECT n, tx_hash FROM ${readParquet(hashes)}`,
    paths: [...events, ...hashes],
  }
}
