// All events of segments as relations in SQL, for a DuckDB elsewhere. The hashes of transactions are a relation of their
// own, because they take as much room as all other columns.
import { quote } from '../../base/sql-text.ts'
import type { EventRelations, Segment } from '../history.ts'
import { fileOf, type SegmentFile } from './files.ts'
import { AMOUNT } from './sql.ts'

export function relateEvents(folder: string, segments: readonly Segment[]): EventRelations {
  const filesOf = (file: SegmentFile) => segments.map(({ name }) => fileOf(folder, name, file))
  const read = (file: SegmentFile) =>
    `read_parquet([${filesOf(file).map(quote).join(', ')}], hive_partitioning = false)`
  return {
    events: `SELECT n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
      ${AMOUNT} AS amount_usd, time, block_number, log_index, part, attribution FROM ${read('events')}`,
    hashes: `SELECT n, tx_hash FROM ${read('hashes')}`,
    paths: [...filesOf('events'), ...filesOf('hashes')],
  }
}
