// The track record of the demo chain, held against its score history and its candles, read one by one.
import { beforeEach, expect, test } from 'vitest'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { judgeOnce, watchTrackRecord } from '../../src/indexing/track-record-watch.ts'
import { readRecordSums, readTrackRecord } from '../../src/ledger/read/track-record.ts'
import { judgeWeeks } from '../../src/ledger/scores/judge-weeks.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { HORIZONS, JUDGED_AGES } from '../../src/verdict/track-record.ts'
import { createTestClock } from '../support/clock.ts'
import { createDemoDatabase } from '../support/demo.ts'

const preset = loadPreset(DEMO_CHAIN_ID)
const money = [preset.wrappedNative, ...preset.stablecoins]
const database = await createDemoDatabase()
const { pool } = database
const WEEK = 7 * 86_400
const DAY = 86_400

/**
 * A score half an hour after the first liquidity, and one a day later on. Each fifth token is pulled after four days, each
 * seventh within the hour, and each third cannot be sold after five days. Checks begin with the second day. Each
 * fourth token has a twentieth of its prices after three days.
 */
await pool.query(`DELETE FROM score_point WHERE kind = 1`)
await pool.query(`INSERT INTO score_point (kind, id, block_number, time, score, level, details, flags)
  SELECT 1, t.id, t.first_liquidity_block + day, t.first_liquidity_at + interval '30 minutes' + day * interval '1 day', 40,
    (ARRAY['low', 'medium', 'high', 'critical'])[1 + (t.id + day) % 4],
    ARRAY[1, 2, 3, 4, CASE WHEN day = 0 THEN NULL WHEN t.id % 3 = 0 AND day > 5 THEN 0 ELSE 1 END],
    CASE WHEN t.id % 7 = 0 OR (t.id % 5 = 0 AND day > 4) THEN ARRAY['liquidity_pulled'] ELSE '{}' END
  FROM token t, generate_series(0, 29) day WHERE t.first_liquidity_block > 0`)

await pool.query(`UPDATE token_hour h SET close_usd = close_usd / 20 FROM token t WHERE t.id = h.token_id AND t.id % 4 = 0
  AND h.hour > date_part('epoch', t.first_liquidity_at) / 3600 + 72`)

const rowsOf = async <Row extends object>(text: string): Promise<Row[]> => (await pool.query<Row>(text)).rows

beforeEach(async () => {
  await pool.query('TRUNCATE track_record')
  await pool.query('UPDATE chain SET judged_until = NULL')
})

interface Point {
  id: number
  time: number
  level: string
  flags: string[]
  sale: number | null
}

/** The record as a reader of the definition computes it. */
async function computeSums(until: number) {
  const tokens = await rowsOf<{ id: number; at: number }>(
    `SELECT id, date_part('epoch', first_liquidity_at) AS at FROM token WHERE first_liquidity_block > 0
       AND address <> ALL ('{${money.join(',')}}')`,
  )
  const points = await rowsOf<Point>(
    `SELECT id, date_part('epoch', time) AS time, level, flags, details[5] AS sale FROM score_point WHERE kind = 1 ORDER BY block_number`,
  )
  const hours = await rowsOf<{ id: number; hour: number; usd: number }>(
    'SELECT token_id AS id, hour, close_usd AS usd FROM token_hour ORDER BY hour',
  )
  const closeAt = (id: number, time: number) =>
    hours.filter((row) => row.id === id && row.hour < Math.floor(time / 3_600)).at(-1)?.usd || null
  const sums = new Map<string, number[]>()
  for (const days of HORIZONS)
    for (const ageHours of JUDGED_AGES)
      for (const { id, at } of tokens) {
        const [saidAt, endsAt] = [at + 3_600 * ageHours, at + 3_600 * ageHours + DAY * days]
        if (endsAt > until || endsAt <= until - 12 * WEEK) continue
        const own = points.filter((point) => point.id === id)
        const said = own.filter(({ time }) => time <= saidAt).at(-1)
        if (!said || said.flags.includes('liquidity_pulled')) continue
        const later = own.filter(({ time }) => time > saidAt && time <= endsAt)
        const [before, after] = [closeAt(id, saidAt), closeAt(id, endsAt)]
        const hits = [
          true,
          later.some(({ flags }) => flags.includes('liquidity_pulled')),
          before !== null,
          before !== null && after !== null && after <= 0.1 * before,
          said.sale === 1,
          said.sale === 1 && later.some(({ sale }) => sale === 0),
        ]
        const key = `${days} ${ageHours} ${said.level}`
        sums.set(
          key,
          hits.map((hit, place) => (sums.get(key)?.[place] ?? 0) + Number(hit)),
        )
      }
  return sums
}

const keyed = async () =>
  new Map(
    (await readRecordSums(pool)).map(({ horizonDays, ageHours, level, ...counts }) => [
      `${horizonDays} ${ageHours} ${level}`,
      [counts.tokens, counts.pulled, counts.priced, counts.lost, counts.sellable, counts.unsellable],
    ]),
  )

test('the record counts what became of each level, by the history of scores and by the candles', async () => {
  expect(await judgeWeeks(pool, money)).toBe(12)
  const record = await readTrackRecord({ query: async ({ text }) => (await pool.query(text)).rows })
  const until = (record.judgedUntil?.getTime() ?? Number.NaN) / 1_000
  expect(new Date(until * 1_000).toISOString()).toMatch(/T00:00:00.000Z$/)
  expect(new Date(until * 1_000).getUTCDay()).toBe(1)
  const computed = await computeSums(until)
  expect(await keyed()).toEqual(computed)
  const totals = [...computed.values()].reduce((sum, row) => sum.map((value, place) => value + (row[place] ?? 0)))
  expect(totals.map((total) => total > 0)).toEqual([true, true, true, true, true, true])
})

test('a week is judged once, and one that is not over on the final chain is not judged', async () => {
  await judgeWeeks(pool, money)
  const before = await keyed()
  expect(await judgeWeeks(pool, money)).toBe(0)
  expect(await keyed()).toEqual(before)
  const [{ late } = { late: 0 }] = await rowsOf<{ late: number }>(
    'SELECT count(*)::int AS late FROM track_record WHERE week_end > (SELECT min(time) FROM block)',
  )
  expect(late).toBe(0)
})

test('the next week adds to the record without judging the earlier ones again', async () => {
  await judgeWeeks(pool, money)
  const whole = await keyed()
  await pool.query(`DELETE FROM track_record WHERE week_end = (SELECT judged_until FROM chain)`)
  await pool.query(`UPDATE chain SET judged_until = judged_until - interval '7 days'`)
  expect(await judgeWeeks(pool, money)).toBe(1)
  expect(await keyed()).toEqual(whole)
})

test('the metrics have the record, and a record without a judged week has none', async () => {
  const metrics = createMetrics()
  const told: string[] = []
  const log = { info: () => {}, warn: (...all: unknown[]) => void told.push(String(all[1])) }
  const deps = { database, preset, clock: createTestClock(), log, metrics }
  await pool.query(`UPDATE chain SET judged_until = 'infinity'`)
  await judgeOnce(deps)
  expect([told, await metrics.text()]).toEqual([[], expect.not.stringContaining('assay_judged_tokens{')])
  await pool.query('UPDATE chain SET judged_until = NULL')
  await judgeOnce(deps)
  expect(await metrics.text()).toMatch(
    /assay_judged_tokens\{horizon_days="7",age_hours="24",level="\w+",became="judged"\} \d+/,
  )
})

test('a database that fails is told once, and asked again later', async () => {
  const told: string[] = []
  const ending = new AbortController()
  let asked = 0
  const query = async () => {
    asked += 1
    if (asked === 3) ending.abort()
    throw new Error('no database')
  }
  const log = { info: () => {}, warn: (...all: unknown[]) => void told.push(String(all[1])) }
  const deps = { preset, clock: createTestClock(), log, metrics: createMetrics() }
  await watchTrackRecord({ ...deps, database: { pool: { query } as unknown as typeof pool } }, ending.signal)
  expect([asked, told]).toEqual([3, ['the track record could not be judged; trying again']])
})
