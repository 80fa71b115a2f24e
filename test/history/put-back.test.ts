// The reverse of the move, by which rehearsals compare every event. It gives back the moved rows, and refuses an event
// that is there twice.
import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { withHistory } from '../support/moved.ts'
import { putBack } from '../support/put-back.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
await database.pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
const { under, move } = await withHistory(database)
const dump = async () =>
  (await database.pool.query<{ row: string }>('SELECT to_jsonb(e)::text AS row FROM event e ORDER BY n')).rows.map(
    ({ row }) => row,
  )

test('events that were moved in segments come back with every column, and none comes back twice', async () => {
  const before = await dump()
  for (let count = 0; count < 9; count += 1) await move({ most: 40 }, count < 8)
  const left = await dump()
  await expect(putBack(database.pool, under.place)).rejects.toThrow('event_pkey')
  expect(await dump()).toEqual(left)
  await database.pool.query('DELETE FROM event WHERE n <= (SELECT max(last_n) FROM history_segment)')
  expect((await dump()).length).toBeLessThan(left.length)
  const moved = await putBack(database.pool, under.place)
  expect(moved).toBeGreaterThan(300)
  expect(await dump()).toEqual(before)
})
