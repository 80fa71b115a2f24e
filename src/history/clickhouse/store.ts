// The history in a ClickHouse database. A fault is told once, and answers say that older events cannot be read.
import { watchFaults } from '../fault.ts'
import type { HistoryFaults, HistoryStore } from '../history.ts'
import { HistoryFault, openConnection, reasonOfFault, type StatementLimits, type StoredRow } from './connection.ts'
import { namesWith, readMarkers } from './marker.ts'
import { createClickHouseReader } from './reader.ts'
import { createClickHouseWriter } from './writer.ts'

const BILLION = 1_000_000_000

const READER: StatementLimits = {
  ...{ connections: 4, withinMs: 8_000, threads: 2, memoryMb: 512 },
  ...{ rowsRead: 2 * BILLION, rowsFound: 1_000_000, isReader: true },
}
const WRITER: StatementLimits = {
  ...{ connections: 1, withinMs: 3_600_000, threads: 1, memoryMb: 4_096 },
  ...{ rowsRead: 2 * BILLION, rowsFound: 1_000_000, isReader: false },
}

export interface ClickHouseDeps extends HistoryFaults {
  /** With the credentials, and the database as its path. */
  url: string
  /** Of the tables of a further chain. */
  prefix?: string
}

export function createClickHouseStore({ url, prefix = '', onFault, onRecovery }: ClickHouseDeps): HistoryStore {
  const connection = openConnection(url, READER)
  const names = namesWith(prefix)
  const faults = watchFaults({ reasonOf: reasonOfFault, onFault, onRecovery })
  const ask = (sql: string): Promise<StoredRow[]> => faults.ask(() => connection.ask(sql))
  return {
    setting: 'HISTORY_URL',
    reasonOf: reasonOfFault,
    openWriter: () => createClickHouseWriter(openConnection(url, WRITER), names),
    ...createClickHouseReader({ ask, nameOf: names.of }),
    relateEvents: () => null,
    requireId: faults.requireId(
      () => readMarkers(connection, names),
      (found) => new HistoryFault(`the database has ${found}`),
    ),
    close: connection.close,
  }
}
