// The role `api` that cannot start: nothing of it is left.
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { openDatabase } from '../../src/database/client.ts'
import { startApi } from '../../src/roles/api.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'

test('a server that may not write its secret fails to start, and leaves no connection open', async () => {
  const own = await createTestDatabase()
  await own.pool.query('ALTER TABLE secret RENAME TO hidden')
  const database = openDatabase(own.url, { size: 4 })
  const ledger = { database, url: own.url, migrated: [], close: database.close }
  const config = readConfig({ PORT: '0' })
  await expect(startApi({ config, log: silentLog, clock: systemClock, ledger, metrics: undefined })).rejects.toThrow(
    /secret/,
  )
  // Ends only when every connection was given back.
  await database.close()
  // The server removes a closed connection from its list a moment later.
  const listening = async () =>
    (await own.pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`))
      .rowCount
  await expect.poll(listening).toBe(0)
})
