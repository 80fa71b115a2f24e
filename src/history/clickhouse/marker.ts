// The marker of a history in ClickHouse: it names the index, so that no other index uses the tables.
import { StartupError } from '../../base/errors.ts'
import type { Connection } from './connection.ts'
import type { HistoryTable } from './tables.ts'

export const FORMAT = 2

/** How the tables of a history are called. A further chain has tables of its own. */
export interface TableNames {
  /** As the server's own tables have it. */
  plain(table: HistoryTable | 'marker'): string
  /** In SQL. */
  of(table: HistoryTable | 'marker'): string
}

export function namesWith(prefix: string): TableNames {
  if (!/^\w*$/.test(prefix)) throw new TypeError(`${prefix} is not the prefix of a table`)
  const plain = (table: string) => `${prefix}${table}`
  return { plain, of: (table) => `\`${plain(table)}\`` }
}

/** The identifier in the marker; null: there is no history. */
export async function readMarkers({ ask }: Pick<Connection, 'ask'>, names: TableNames): Promise<string | null> {
  const [exists] = await ask(
    `SELECT count() AS tables FROM system.tables WHERE database = currentDatabase() AND name = '${names.plain('marker')}'`,
  )
  if (!exists?.tables) return null
  const rows = await ask(`SELECT DISTINCT format, id FROM ${names.of('marker')} LIMIT 2`)
  const [row] = rows
  if (row === undefined) return null
  if (rows.length > 1) throw new StartupError('HISTORY_URL has the markers of two indexes: name another database.')
  if (row.format !== FORMAT) throw new StartupError('HISTORY_URL has a history that this version does not read.')
  return String(row.id)
}
