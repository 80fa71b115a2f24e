import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepDemoKey } from '../../src/access/demo-key.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'

test('processes that start at once on a fresh demo make one key, and its file is in a folder closed to other users', async () => {
  const database = await createTestDatabase()
  const place = { pool: database.pool, clock: systemClock, dataDir: join(makeFolder('demo-key'), 'new') }
  const keys = await Promise.all(Array.from({ length: 4 }, () => keepDemoKey(place)))
  expect(new Set(keys)).toEqual(new Set([readFileSync(join(place.dataDir, 'demo-key'), 'utf8').trim()]))
  expect(statSync(place.dataDir).mode & 0o777).toBe(0o700)
  const { rows } = await database.pool.query('SELECT count(*)::int AS keys FROM api_key')
  expect(rows).toEqual([{ keys: 1 }])
})
