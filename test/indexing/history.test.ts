// The history that a backfill leaves: scores as of the last block of each day, however the blocks came.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPrintedUsd } from '../../src/base/amount.ts'
import { dayOf } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { ChainBlock, Step } from '../../src/chain/event.ts'
import { leaveOutEmpty } from '../../src/chain/follow/backfill.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { beginsDay, byDay } from '../../src/indexing/days.ts'
import { createIndexer, type IndexerDeps } from '../../src/indexing/indexer.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { silentLog } from '../support/access.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { demoRecording } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const recording = demoRecording()
const UNTIL = 1_500
const endOfDay = (day: number) => {
  const first = dayOf(recording.blocks[1]?.time ?? 0)
  return recording.blocks.findLastIndex(({ time }) => dayOf(time) === first + day)
}
const STOP = endOfDay(4)

/** Indexes the demo chain up to a block, as if `UNTIL` were its head. */
async function index(database: TestDatabase, until: number, range?: number, more: Partial<IndexerDeps> = {}) {
  const clock = createTestClock()
  const replay = createReplay(recording, { head: () => UNTIL })
  const rpc = createRpc({ endpoints: [replay], clock, chainId: recording.chainId })
  const preset = loadPreset(recording.chainId)
  const source = createSource({ rpc, preset, clock })
  await createIndexer({
    database,
    clock,
    metrics: createMetrics(),
    log: silentLog,
    signal: new AbortController().signal,
    source: range === undefined ? source : { ...source, rangeSize: () => range },
    createWriter: (lock) =>
      createWriter({ lock, reader: createChainReader(rpc, preset), preset, firstBuys: FIRST_BUYS }),
    rescore: createRescore({ database, preset }),
    startBlock: undefined,
    until,
    reindexFrom: undefined,
    onProgress: () => {},
    ...more,
  }).run()
}

interface Point {
  kind: number
  id: number
  block_number: number
  score: number
  details: number[]
}

const readPoints = async ({ pool }: TestDatabase) =>
  (await pool.query<Point>('SELECT * FROM score_point ORDER BY kind, id, block_number')).rows

let straight: TestDatabase
let stopped: TestDatabase
let atStop: Map<number, { score: number; details: number[] }>
let graph: Awaited<ReturnType<typeof openGraph>>
beforeAll(async () => {
  straight = await createTestDatabase()
  stopped = await createTestDatabase()
  await index(straight, UNTIL, 37)
  await index(stopped, STOP)
  const { rows } = await stopped.pool.query<{ id: number; score: number; details: number[] }>(
    `SELECT token_id AS id, risk_score AS score, ARRAY[holder_concentration_score, liquidity_stability_score,
       wash_trade_score, smart_money_flow_score] AS details FROM token_score`,
  )
  atStop = new Map(rows.map(({ id, ...score }) => [id, score]))
  await index(stopped, UNTIL)
  graph = await openGraph(straight)
})
afterAll(() => graph.head.stop())

test('the history of scores is the same whatever the ranges, and after a stop at the end of a day', async () => {
  const points = await readPoints(straight)
  expect(points.length).toBeGreaterThan(300)
  expect(points).toEqual(await readPoints(stopped))
})

test('the history of scores is the same, day by day, while the indexes that only lists read are left out', async () => {
  const database = await createTestDatabase()
  const read = async () =>
    (await database.pool.query('SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1')).rows
  const all = await read()
  const lacking: number[] = []
  const rescore = createRescore({ database, preset: loadPreset(recording.chainId) })
  const run: typeof rescore.run = async (options) => {
    lacking.push(all.length - (await read()).length)
    return rescore.run(options)
  }
  const deferrals = { after: 10, lists: 10, scores: 1_000_000 }
  await index(database, UNTIL, 37, { deferrals, rescore: { ...rescore, run } })
  expect(new Set(lacking)).toEqual(new Set([11, 0]))
  expect(await read()).toEqual(all)
  expect(await readPoints(database)).toEqual(await readPoints(straight))
})

test('the history of scores has the scores that the last block of each day gave, and several of most tokens', async () => {
  const points = await readPoints(straight)
  const ends = Array.from({ length: 10 }, (_, day) => endOfDay(day)).filter((block) => block < UNTIL)
  expect(new Set(points.map(({ block_number }) => block_number))).toEqual(new Set([...ends, UNTIL]))
  const own = points.filter(({ kind, block_number }) => kind === 1 && block_number === STOP)
  expect(own.length).toBeGreaterThan(5)
  for (const { id, score, details } of own) expect({ score, details: details.slice(0, 4) }).toEqual(atStop.get(id))
  const counts = new Map<number, number>()
  for (const { kind, id } of points) if (kind === 1) counts.set(id, (counts.get(id) ?? 0) + 1)
  expect([...counts.values()].filter((count) => count >= 3).length).toBeGreaterThan(counts.size / 2)
})

test('the history of a token is a series of the risk with its dimensions, which ends with the score as it is', async () => {
  const { data } = (await graph.execute(
    `{ tokens(first: 40) { nodes { riskScore
      score { blockNumber dimensions { washTradeScore } history(limit: 200) { time score } }
      riskSeries(limit: 9) { time blockNumber score level washTradeScore smartMoneyFlowScore }
      some: riskSeries(from: "2025-10-11", to: "2025-10-12") { time score } } } }`,
    {},
    SOMEBODY,
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  )) as any
  let compared = 0
  for (const { riskScore, score, riskSeries, some } of data.tokens.nodes) {
    const days = riskSeries.map(({ time }: { time: string }) => Date.parse(time) / 86_400_000)
    expect(days).toEqual(days.map((_: number, at: number) => days[0] + at))
    const last = riskSeries.at(-1)
    const { washTradeScore } = score.dimensions
    expect(last).toMatchObject({ score: riskScore, blockNumber: score.blockNumber, washTradeScore })
    for (const point of riskSeries.slice(0, -1)) {
      const end = Date.parse(point.time) + 86_400_000
      const before = score.history.find((kept: { time: string }) => Date.parse(kept.time) < end)
      expect(point.score).toBe(before.score)
      compared += 1
    }
    const inside = riskSeries.filter(({ time }: { time: string }) => /^2025-10-1[12]/.test(time))
    expect(some).toEqual(inside.map(({ time, score: kept }: typeof last) => ({ time, score: kept })))
  }
  expect(compared).toBeGreaterThan(60)
})

test('the history of a wallet is a series of profit, worth and reputation', async () => {
  const points = (await readPoints(straight)).filter(({ kind }) => kind === 2)
  const counts = new Map<number, number>()
  for (const { id } of points) counts.set(id, (counts.get(id) ?? 0) + 1)
  const [busiest = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? []
  const { rows } = await straight.pool.query<{ address: string; realised: number }>(
    'SELECT address, realised_usd AS realised FROM wallet WHERE id = $1',
    [busiest],
  )
  const { data } = (await graph.execute(
    `{ wallet(address: "${rows[0]?.address}") { pnlSeries(limit: 9) { time realisedUsd openUsd netWorthUsd reputationScore }
      pnl { realisedUsd openUsd } } }`,
    {},
    SOMEBODY,
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  )) as any
  const own = points.filter(({ id }) => id === busiest)
  expect(own.length).toBeGreaterThan(2)
  const ended = own.at(-1) as Point
  const last = data.wallet.pnlSeries.at(-1)
  expect(last.reputationScore).toBe(ended.score)
  expect([last.realisedUsd, last.openUsd, last.netWorthUsd]).toEqual(ended.details.map(toPrintedUsd))
  expect(ended.details[2]).toBeGreaterThan(0)
  expect(own.some(({ details }) => details[0] !== ended.details[0])).toBe(true)
})

test('scores have no points of minutes, which the refusal says', async () => {
  const answer = graph.execute('{ tokens(first: 1) { nodes { riskSeries(interval: m15) { score } } } }', {}, SOMEBODY)
  await expect(answer).rejects.toThrow('interval must be h1, h4 or d1: scores have no points of minutes')
})

const block = (number: number, time: number): ChainBlock =>
  ({ number, time, hash: `0x${number}`, parentHash: '0x', logs: [], transactions: [] }) as never

test('blocks without anything are kept where a day ends', () => {
  const blocks = [
    block(1, 10),
    block(2, 86_390),
    block(3, 86_410),
    block(4, 86_420),
    block(5, 400_000),
    block(6, 400_001),
  ]
  expect(leaveOutEmpty(blocks).map(({ number }) => number)).toEqual([2, 4, 6])
})

test('a step is taken day by day, and a day begins where a later one is left', async () => {
  const append = (...blocks: ChainBlock[]): Step => ({ kind: 'append', blocks, head: 9, finalized: 9 })
  async function* steps(): AsyncGenerator<Step> {
    yield append(block(1, 10), block(2, 86_410), block(3, 86_420), block(4, 400_000))
    yield { kind: 'rollback', to: { number: 3, hash: '0x3' as never } }
    yield append(block(4, 86_500))
  }
  const seen: unknown[] = []
  for await (const step of byDay(steps()))
    seen.push(step.kind === 'append' ? step.blocks.map((b) => b.number) : step.kind)
  expect(seen).toEqual([[1], [2, 3], [4], 'rollback', [4]])
  expect(beginsDay(append(block(2, 86_410)), 86_390)).toBe(true)
  expect(beginsDay(append(block(2, 86_410)), 86_400)).toBe(false)
  expect(beginsDay(append(block(2, 86_410)), null)).toBe(false)
})
