// What a check of a contract changes: lists, subscriptions and alerts hear of it, and a reorganisation takes it back.
import { expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import { systemClock } from '../../src/base/clock.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { notifyHead } from '../../src/ledger/head.ts'
import { saveReport } from '../../src/ledger/safety/save.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { createCode, createPower, createReport } from '../support/safety-report.ts'
import { readSse, type SseReader } from '../support/sse.ts'

const { database, market, desk, append, rollBack, newest, serve } = await createLiveLedger()
const server = await serve()
const { authorization, id: keyId } = await server.knock({ plan: 'pro' })
const OWNER = `0x${'a1'.repeat(20)}`
const NEXT_OWNER = `0x${'b2'.repeat(20)}`

const follow = (filter: object): Promise<SseReader> =>
  readSse(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'subscription ($filter: TokenFilter) { tokens(filter: $filter) { change tokenAddress } }',
      variables: { filter },
    }),
  })
const seen = ({ messages }: SseReader): string[] =>
  messages
    .filter(({ event }) => event === 'next')
    .map(({ data }) => data.data.tokens)
    .filter(({ tokenAddress }) => tokenAddress === desk.token)
    .map(({ change }) => change)

/** Stores what a check of the newest block found, as the indexer does between two batches. */
async function check(said: Omit<Parameters<typeof createReport>[0], 'block' | 'at'>): Promise<void> {
  const { number, time } = market.blocks.at(-1) ?? { number: 0, time: 0 }
  await inTransaction(database.pool, async (client) => {
    const { rows } = await client.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [desk.token])
    await saveReport(client, rows[0]?.id ?? 0, createReport({ block: number, at: time, ...said }), { number, time })
  })
  await notifyHead(database.pool)
}

const FILTERS = {
  unsellable: { sellable: false },
  taxed: { minSellTaxPct: 10 },
  mintable: { includePowers: ['mint'] },
  owned: { ownerChanged: true },
  honest: { sellable: true, maxSellTaxPct: 5, excludePowers: ['mint', 'take'] },
} as const

test('a token that can no longer be sold, a raised fee, a new power and a new owner are sent, and retracted', async () => {
  const { rows } = await database.pool.query<{ id: number }>('SELECT account_id AS id FROM api_key WHERE id = $1', [
    keyId,
  ])
  const alerts = createAlertRows(database.prisma, systemClock)
  const sweep = createSweep({ database, clock: systemClock, maxLag: 1_000 })
  await check({ code: createCode(OWNER) })
  for (const [name, conditions] of Object.entries(FILTERS))
    await alerts.create({ keyId, accountId: rows[0]?.id ?? 0 }, { name, conditions }, null)
  await sweep.run()
  await database.pool.query('UPDATE alert SET last_message_at = NULL')
  const readers = await Promise.all(Object.values(FILTERS).map(follow))
  const all = await follow({})
  await expect
    .poll(async () => {
      desk.price(1 + Math.random() / 100)
      await append()
      return seen(all).length
    })
    .toBeGreaterThan(0)
  const before = readers.map(seen)
  const news = () => readers.map((reader, at) => seen(reader).slice(before[at]?.length))

  const fork = newest()
  desk.price(1.5)
  await append()
  await check({
    sellCheck: { sellable: false, sellTaxPct: 60, holdersBlocked: 8 },
    powers: [createPower('mint', NEXT_OWNER)],
    code: createCode(NEXT_OWNER),
  })
  await expect.poll(news).toEqual([['enters'], ['enters'], ['enters'], ['enters'], expect.any(Array)])
  expect(news()[4]?.at(-1)).toBe('leaves')
  await sweep.run()
  const fired = await database.pool.query<{ name: string; began: string[]; sellable: boolean; tax: number }>(
    `SELECT a.name, n.facts->'began' AS began, (n.facts->>'sellable')::boolean AS sellable, (n.facts->>'sellTaxPct')::float8 AS tax
     FROM alert_notice n JOIN alert a ON a.id = n.alert_id::text JOIN token t ON t.id = n.token_id
     WHERE t.address = $1 AND NOT n.initial ORDER BY a.name`,
    [desk.token],
  )
  expect(fired.rows).toEqual([
    { name: 'mintable', began: ['include_powers'], sellable: false, tax: 60 },
    { name: 'owned', began: ['owner_changed'], sellable: false, tax: 60 },
    { name: 'taxed', began: ['min_sell_tax_pct'], sellable: false, tax: 60 },
    { name: 'unsellable', began: ['sellable'], sellable: false, tax: 60 },
  ])

  await rollBack(fork)
  await expect
    .poll(() =>
      news()
        .slice(0, 4)
        .map((steps) => steps.at(-1)),
    )
    .toEqual(Array(4).fill('leaves'))
  await expect.poll(() => news()[4]?.at(-1)).toBe('enters')
  await sweep.run()
  const left = await database.pool.query(
    "SELECT m.status FROM alert_message m JOIN alert a ON a.id = m.alert_id::text WHERE a.name IN ('mintable', 'owned', 'taxed', 'unsellable')",
  )
  expect(left.rows).toEqual(Array(4).fill({ status: 'cancelled' }))
})
