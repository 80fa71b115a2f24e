// Opens the store of the history that the settings name.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryStore } from '../history/history.ts'
import { createParquetStore } from '../history/parquet/store.ts'
import type { Log } from '../telemetry/log.ts'

/** Where older events are: in one of these, or in neither if the database has all. */
export interface HistoryPlaces {
  /** A folder of Parquet files. */
  HISTORY_DIR?: string | undefined
  /** A database of ClickHouse, with the credentials. */
  HISTORY_URL?: string | undefined
}

/** Null: there is none. A further chain has a folder inside, or tables of its own. Faults are one line each. */
export async function openHistoryStore(
  { HISTORY_DIR: path, HISTORY_URL: url }: HistoryPlaces,
  further: string | undefined,
  log: Log,
): Promise<HistoryStore | null> {
  const faultsOf = (setting: string) => ({
    onFault: (reason: string) => log.error({ reason }, `${setting} cannot be read: answers about older events are 503`),
    onRecovery: () => log.info({}, `${setting} can be read again`),
  })
  if (url !== undefined) {
    const { createClickHouseStore } = await import('../history/clickhouse/store.ts')
    return createClickHouseStore({
      url,
      prefix: further === undefined ? '' : `${further}_`,
      ...faultsOf('HISTORY_URL'),
    })
  }
  if (path === undefined) return null
  const folder = further === undefined ? path : join(path, `_chain-${further}`)
  if (further !== undefined) await mkdir(folder, { recursive: true })
  return createParquetStore({ folder, ...faultsOf('HISTORY_DIR') })
}
