// The views of SQL: the exported tables, with the same columns. A snapshot has the rows of the database in Parquet
// files. The view `events` joins names to events of the history and of the snapshot.
import { join } from 'node:path'
import { quote } from '../base/sql-text.ts'
import type { ExportColumnType } from '../export/column.ts'
import { TABLE_NAMES, type TableName } from '../export/table.ts'
import { TABLES } from '../export/tables.ts'
import type { EventRelations } from '../history/history.ts'
import type { View } from './job.ts'

/** The types of columns in DuckDB. */
export const SQL_TYPES: Readonly<Record<ExportColumnType, string>> = {
  string: 'VARCHAR',
  int32: 'INTEGER',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
  strings: 'VARCHAR[]',
}

/** The columns of an event in the database, as the history has them. */
export const SQL_EVENT_COLUMNS = {
  n: 'BIGINT',
  type: 'TINYINT',
  direction: 'TINYINT',
  token_id: 'INTEGER',
  wallet_id: 'INTEGER',
  counterparty_id: 'INTEGER',
  pool_id: 'INTEGER',
  signer_id: 'INTEGER',
  quantity: 'DOUBLE',
  amount_usd: 'DOUBLE',
  time: 'TIMESTAMP',
  block_number: 'INTEGER',
  log_index: 'INTEGER',
  part: 'SMALLINT',
  attribution: 'TINYINT',
} as const

/** The files of a snapshot: the views but `events`, the newest events, and names by the identifiers of the database. */
const SNAPSHOT_FILES = ['tokens', 'wallets', 'candles', 'scores', 'event', 'token', 'wallet', 'pool'] as const
export type SnapshotFile = (typeof SNAPSHOT_FILES)[number]

export const snapshotPath = (folder: string, file: SnapshotFile): string => join(folder, `${file}.parquet`)

/** What a query reads. */
export interface SqlSources {
  folder: string
  /** Null: all events are in the snapshot. */
  history: EventRelations | null
}

/** The files that a query may read. */
export const pathsOf = ({ folder, history }: SqlSources): string[] => [
  ...SNAPSHOT_FILES.map((file) => snapshotPath(folder, file)),
  ...(history?.paths ?? []),
]

/** The schema of the relations behind the views. No query can name it. */
const BEHIND = 'behind'

/** The relations behind the views. */
export function setupOf({ folder, history }: SqlSources): string[] {
  const from = (file: SnapshotFile) => `FROM read_parquet(${quote(snapshotPath(folder, file))})`
  const newest = `SELECT ${Object.keys(SQL_EVENT_COLUMNS).join(', ')}, n AS tx_n ${from('event')}`
  const withHistory = (older: 'events' | 'hashes', newer: string) =>
    history ? `${history[older]} UNION ALL ${newer}` : newer
  return [
    `CREATE SCHEMA ${BEHIND}`,
    `CREATE VIEW ${BEHIND}.event AS ${withHistory('events', newest)}`,
    `CREATE VIEW ${BEHIND}.event_hash AS ${withHistory('hashes', `SELECT n AS tx_n, tx_hash ${from('event')}`)}`,
    ...(['token', 'wallet', 'pool'] as const).map((file) => `CREATE VIEW ${BEHIND}.${file} AS SELECT * ${from(file)}`),
  ]
}

/** The words of columns that DuckDB needs in place of PostgreSQL's. */
const OTHER_WORDS: Readonly<Record<string, string>> = { tx_hash: `'0x' || lower(hex(h.tx_hash))` }

const eventView = (): View => ({
  name: 'events',
  columns: TABLES.events.columns.map(({ name, type, sql }) => ({
    name,
    type: SQL_TYPES[type],
    sql: (OTHER_WORDS[name] ?? sql).replaceAll(/\bFROM (?=(wallet|pool)\b)/g, `FROM ${BEHIND}.`),
  })),
  from: `${BEHIND}.event e`,
  joins: [
    { alias: 't', text: `JOIN ${BEHIND}.token t ON t.id = e.token_id` },
    { alias: 'w', text: `JOIN ${BEHIND}.wallet w ON w.id = e.wallet_id` },
    { alias: 'h', text: `JOIN ${BEHIND}.event_hash h ON h.tx_n = e.tx_n` },
  ],
})

const plainView = (table: Exclude<TableName, 'events'>, folder: string): View => ({
  name: table,
  columns: TABLES[table].columns.map(({ name, type }) => ({ name, type: SQL_TYPES[type], sql: name })),
  from: `read_parquet(${quote(snapshotPath(folder, table))})`,
  joins: [],
})

export const viewsOf = ({ folder }: SqlSources): View[] =>
  TABLE_NAMES.map((table) => (table === 'events' ? eventView() : plainView(table, folder)))
