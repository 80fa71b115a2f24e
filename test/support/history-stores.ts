// The two stores of a history, for one table of cases: how each is made, looked at and spoiled.
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClickHouseStore } from '../../src/history/clickhouse/store.ts'
import type { HistoryFaults, HistoryStore } from '../../src/history/history.ts'
import { createParquetStore } from '../../src/history/parquet/store.ts'
import { HAS_CLICKHOUSE, startClickHouse } from './clickhouse.ts'

/** Undoes what spoiled a store. */
type Mend = () => Promise<void>

export interface StoreUnderTest {
  /** The folder, or the URL with its credentials. */
  place: string
  /** The setting that names it. */
  setting: 'HISTORY_DIR' | 'HISTORY_URL'
  /** The segments that the store has, also those that no database names. */
  listSegments(): Promise<string[]>
  /** The name of a segment as `listSegments` gives it. */
  keyOf(name: string): string
  /** Takes everything away. */
  hide(): Promise<Mend>
  /** Spoils a part of one segment or table. */
  damage(): Promise<Mend>
  /** Takes one segment away. */
  lose(): Promise<Mend>
  /** What a killed writer left. */
  leave(): Promise<string>
  /** Makes writing impossible. */
  block(): Promise<Mend>
  stop(): Promise<void>
}

export const openStoreAt = (place: string, faults: HistoryFaults): HistoryStore =>
  place.startsWith('http')
    ? createClickHouseStore({ url: place, ...faults })
    : createParquetStore({ folder: place, ...faults })

async function makeParquet(): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'history-'))
  const listSegments = async () =>
    (await readdir(folder)).filter((name) => !['_history.json', '_spilled', '_away'].includes(name))
  const firstOf = async () => (await listSegments())[0] ?? ''
  const moveAway = async (name: string): Promise<Mend> => {
    await rename(join(folder, name), join(folder, '_away'))
    return () => rename(join(folder, '_away'), join(folder, name))
  }
  return {
    place: folder,
    setting: 'HISTORY_DIR',
    listSegments,
    keyOf: (name) => name,
    hide: async () => {
      await rename(folder, `${folder}-away`)
      return () => rename(`${folder}-away`, folder)
    },
    damage: async () => {
      const path = join(folder, await firstOf(), 'events', 'data_0.parquet')
      await copyFile(path, `${path}.whole`)
      await truncate(path, 1_000)
      return () => rename(`${path}.whole`, path)
    },
    lose: async () => moveAway(await firstOf()),
    leave: async () => {
      await mkdir(join(folder, '1-2-aaaaaaaa'))
      return '1-2-aaaaaaaa'
    },
    block: async () => {
      const spilled = join(folder, '_spilled')
      await rm(spilled, { recursive: true, force: true })
      await writeFile(spilled, '')
      return () => rm(spilled, { force: true })
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  }
}

async function makeClickHouse(): Promise<StoreUnderTest> {
  const { url, run, kill, start, stop } = await startClickHouse()
  const listSegments = async () => {
    const found = await run(
      "SELECT DISTINCT partition FROM system.parts WHERE active AND database = 'assay' AND table != 'marker'",
    )
    return found === '' ? [] : found.split('\n')
  }
  const moveAway = async (table: string): Promise<Mend> => {
    await run(`RENAME TABLE ${table} TO away`)
    return async () => void (await run(`RENAME TABLE away TO ${table}`))
  }
  return {
    place: url,
    setting: 'HISTORY_URL',
    listSegments,
    keyOf: (name) => name.split('-')[2] ?? '',
    hide: async () => {
      await kill()
      return start
    },
    damage: () => moveAway('event'),
    lose: async () => {
      const [segment] = await listSegments()
      await run(`ALTER TABLE token DETACH PARTITION ${segment}`)
      return async () => void (await run(`ALTER TABLE token ATTACH PARTITION ${segment}`))
    },
    leave: async () => {
      await run('INSERT INTO token (segment, token_id, token_n, type, token_type_n, n) VALUES (7, 1, 1, 1, 1, 1)')
      return '7'
    },
    block: () => moveAway('staged'),
    stop,
  }
}

/** The stores, with what a title says of one that this machine cannot run. */
export const STORES = [
  { store: 'Parquet', isThere: true, make: makeParquet },
  {
    store: `ClickHouse${HAS_CLICKHOUSE ? '' : ' (skipped without the program clickhouse-server)'}`,
    isThere: HAS_CLICKHOUSE,
    make: makeClickHouse,
  },
]
