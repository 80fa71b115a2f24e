// The status of the waiting work, and the number of its queries.
import { afterAll, expect, it } from 'vitest'
import { saveCheckMethods } from '../../../src/ledger/safety/methods.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { seedCaller, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const { keyId, accountId } = await seedCaller(database.pool, 'pro')
await database.pool.query('TRUNCATE score_due')
await database.pool.query(
  `INSERT INTO score_due (kind, id, due_at) VALUES (1, 1, 'epoch'), (2, 1, 'epoch'), (2, 2, 'epoch')`,
)
await database.pool.query(
  `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at)
   SELECT gen_random_uuid(), 'a', $1, $2, 'a', unnest(ARRAY['pending', 'sent', 'refused']), now() - interval '30 s', now()`,
  [keyId, accountId],
)
await database.pool.query(`INSERT INTO safety_due (token_id, due_at) VALUES (1, 'epoch')`)
await saveCheckMethods(database.pool, ['simulation', 'transfer'])
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

const QUERY =
  '{ status { tokensDue walletsDue tokensUnchecked messagesWaiting oldestMessageSeconds messagesFailed sourceSeenAt checkMethods } }'

it('has the work that waits to be scored and sent, the failures, and the age of the source, by one statement for all callers', async () => {
  let answers: unknown[] = []
  const statements = await graph.count(async () => {
    answers = await Promise.all([1, 2, 3].map(() => graph.execute(QUERY, {}, SOMEBODY)))
  })
  expect(statements).toBe(1)
  for (const answer of answers) {
    expect(answer).toMatchObject({
      data: {
        status: {
          tokensDue: 1,
          walletsDue: 2,
          tokensUnchecked: 1,
          messagesWaiting: 1,
          oldestMessageSeconds: expect.closeTo(30, -2),
          messagesFailed: 1,
          sourceSeenAt: expect.any(String),
          checkMethods: ['simulation', 'transfer'],
        },
      },
    })
  }
})
