// The track record of an installation, by GraphQL.
import { afterAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

const QUERY = `{ accuracy { judgedUntil moves cells { horizonDays ageHours level tokenCount pulledCount pulledShare
  leastShare mostShare proven pricedCount lostCount sellableCount unsellableCount moved expected { tokenCount } } } }`
const ask = async () => (await graph.execute(QUERY, {}, SOMEBODY)).data as { accuracy: unknown }

it('is empty before a week was judged, sums twelve weeks later, and tells where the market moved', async () => {
  expect(await ask()).toEqual({ accuracy: { judgedUntil: null, moves: [], cells: [] } })
  await database.pool.query(`UPDATE chain SET judged_until = '2026-11-30T00:00:00Z'`)
  const weeks = ['2026-11-30', '2026-11-23', '2026-09-14', '2026-09-07']
  for (const week of weeks)
    await database.pool.query(
      `INSERT INTO track_record (week_end, horizon_days, age_hours, level, tokens, pulled, priced, lost, sellable, unsellable)
       VALUES ($1::timestamptz, 30, 24, 'medium', 100, 90, 80, 70, 10, 1), ($1::timestamptz, 7, 1, 'low', 10, 0, 0, 0, 0, 0)`,
      [`${week}T00:00:00Z`],
    )
  const { accuracy } = await ask()
  expect(accuracy).toMatchObject({
    judgedUntil: '2026-11-30T00:00:00.000Z',
    moves: [
      expect.stringMatching(/^Of 300 tokens of medium risk at an age of 1 day, 86 to 93 % were pulled within 30 days/),
    ],
    cells: [
      { horizonDays: 7, ageHours: 1, level: 'low', tokenCount: 30, pulledShare: 0, expected: null, moved: false },
      {
        horizonDays: 30,
        ageHours: 24,
        level: 'medium',
        tokenCount: 300,
        pulledCount: 270,
        pulledShare: 0.9,
        proven: true,
        pricedCount: 240,
        lostCount: 210,
        sellableCount: 30,
        unsellableCount: 3,
        moved: true,
      },
    ],
  })
})
