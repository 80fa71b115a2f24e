// A history of a test database, and the move of its events into it.
import { afterAll } from 'vitest'
import { mergeSegments, moveSegment, prepareHistory } from '../../src/indexing/move-history.ts'
import { forgetMoved, type MoveRules } from '../../src/ledger/write/history.ts'
import { silentLog } from './access.ts'
import type { TestDatabase } from './database.ts'
import { openStoreAt, STORES, type StoreUnderTest } from './history-stores.ts'

const [PARQUET] = STORES as [(typeof STORES)[number]]

export const MOVE_ALL: MoveRules = { days: 0, reach: 1, blocks: 0, least: 1, most: 1_000 }

/**
 * Gives the database an empty history until the tests of the file or the group are over: of Parquet files, or another.
 * `whenOver` is `onTestFinished` within a test.
 */
export async function withHistory(
  database: TestDatabase,
  make: () => Promise<StoreUnderTest> = PARQUET.make,
  whenOver: (end: () => Promise<void>) => void = afterAll,
) {
  const under = await make()
  const faults: string[] = []
  const store = openStoreAt(under.place, {
    onFault: (reason) => faults.push(reason),
    onRecovery: () => faults.push('recovered'),
  })
  database.history = store
  whenOver(async () => {
    await store.close()
    await under.stop()
  })
  const log = silentLog
  /** Moves one segment; false: none is due. `forgets`: its events are deleted at once. */
  const move = async (rules: Partial<MoveRules> = {}, forgets = true): Promise<boolean> => {
    const client = await database.pool.connect()
    try {
      const writer = store.openWriter()
      try {
        await prepareHistory(client, writer, store.setting, new Date())
        const given = { database, store, rules: { ...MOVE_ALL, ...rules }, log }
        const moved = await moveSegment(given, client, writer)
        if (forgets) while ((await forgetMoved(client, 1_000)) > 0);
        await mergeSegments(given, client, writer)
        return moved
      } finally {
        await writer.close()
      }
    } finally {
      client.release()
    }
  }
  return { under, store, faults, move }
}
