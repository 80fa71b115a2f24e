// All events of segments as relations in SQL, for a DuckDB elsewhere. The hashes of transactions are a relation of their
// own, because they take as much room as all other columns.
import { join } from 'node:path'
import type { EventRelations, Segment } from '../history.ts'
import { HASHES } from './manifest.ts'
import type { SegmentReading } from './reading.ts'
import { fromFiles, readParquet } from './relation.ts'

export async function relateEvents(
  folder: string,
  { filesOf }: Pick<SegmentReading, 'filesOf'>,
  segments: readonly Segment[],
): Promise<EventRelations> {
  const files = await filesOf({ segments, order: 'events', wanted: null })
  const hashes = segments.map(({ name }) => join(folder, name, HASHES))
  return {
    events: `SELECT n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
      amount_usd, time, block_number, log_index, part, attribution, tx_n FROM ${fromFiles('events', files)}`,
    hashes: `SELECT n AS tx_n, tx_hash FROM ${readParquet(hashes)}`,
    paths: [...files.current, ...files.outdated, ...hashes],
  }
}
