import { afterEach, expect, test } from 'vitest'
import { readAftermath } from '../../../src/ledger/facts/aftermath.ts'
import { createMemory } from '../../../src/ledger/facts/memory.ts'
import { FACT_RULES } from '../../../src/scoring/weights.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createRandom } from '../../support/market/random.ts'

const database = await createTestDatabase()
const { pool } = database
const DAY = 20_000
const HOUR = 24 * DAY

afterEach(() => pool.query('TRUNCATE token_hour'))

const addHour = (tokenId: number, hour: number, closeUsd: number, buys: number, sells: number) =>
  pool.query('INSERT INTO token_hour VALUES ($1, $2, 1, 1, 1, $3, 0, $4, $5, 0, 0)', [
    tokenId,
    hour,
    closeUsd,
    buys,
    sells,
  ])

const buy = (tokenId: number, hour: number, priceUsd = 1) => ({
  tokenIds: [tokenId],
  times: [3_600 * hour + 1_800],
  quantities: [10],
  amountsUsd: [10 * priceUsd],
})

test('an outcome counts the trades of the 72 hours after the hour of the buy, by the last price of each', async () => {
  const outcome = async (hour: number) => (await readAftermath(pool, buy(1, hour), createMemory(FACT_RULES)))[0]
  expect(await outcome(HOUR)).toBeNaN()
  await addHour(1, HOUR, 2, 50, 50)
  expect(await outcome(HOUR)).toBeNaN()
  await addHour(1, HOUR + 1, 2, 1, 0)
  expect(await outcome(HOUR)).toBe(1)
  await addHour(1, HOUR + 72, 1, 2, 1)
  expect(await outcome(HOUR)).toBe(1 / 4)
  await addHour(1, HOUR + 73, 5, 90, 90)
  await addHour(2, HOUR + 5, 5, 90, 90)
  expect(await outcome(HOUR)).toBe(1 / 4)
  expect(await outcome(HOUR + 72)).toBe(1)
})

test('outcomes equal those that SQL computes, whatever was cached before', async () => {
  const random = createRandom(7)
  const below = (most: number) => Math.floor(random.next() * most)
  for (let tokenId = 1; tokenId <= 3; tokenId += 1) {
    for (let hour = HOUR; hour < HOUR + 240; hour += 1 + below(6 * tokenId))
      await addHour(tokenId, hour, 1 + random.next(), below(4), below(4))
  }
  const memory = createMemory(FACT_RULES)
  for (let round = 0; round < 4; round += 1) {
    const at = Array.from({ length: 40 }, () => HOUR - 80 + below(340))
    const buys = {
      tokenIds: at.map(() => 1 + below(4)),
      times: at.map((hour) => 3_600 * hour + below(3_600)),
      quantities: at.map(() => 1 + below(5)),
      amountsUsd: at.map(() => 1 + 8 * random.next()),
    }
    const { rows } = await pool.query<{ share: number | null }>(
      `SELECT (SELECT sum((buy_count + sell_count) * (close_usd * quantity > amount_usd)::int)::float8 / nullif(sum(buy_count + sell_count), 0)
        FROM token_hour h WHERE h.token_id = b.token_id
          AND h.hour > floor(b.time / 3600) AND h.hour <= floor(b.time / 3600) + 72) AS share
      FROM unnest($1::int[], $2::int[], $3::float8[], $4::float8[]) WITH ORDINALITY AS b(token_id, time, quantity, amount_usd, nth)
      ORDER BY nth`,
      [buys.tokenIds, buys.times, buys.quantities, buys.amountsUsd],
    )
    expect([...(await readAftermath(pool, buys, memory))]).toEqual(rows.map(({ share }) => share ?? Number.NaN))
  }
})
