// A million drawn events, in the segments that were written and in the merged one. That one has several files of each order,
// and many row groups of hashes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { HistoryScope, Segment } from '../../src/history/history.ts'
import { toInstant } from '../../src/history/numbers.ts'
import { BLOCKS, HASHES, MANIFEST, readManifest } from '../../src/history/parquet/manifest.ts'
import { ORDERS } from '../../src/history/parquet/orders.ts'
import { createParquetStore } from '../../src/history/parquet/store.ts'
import { drawHistory, timeAt, withDuck } from '../bench/drawn-history.ts'
import { makeFolder } from '../support/folder.ts'
import { createRandom } from '../support/seed.ts'

const EVENTS = 1_000_000
const folder = makeFolder('parts')
const told: string[] = []
const faults = { onFault: (reason: string) => told.push(reason), onRecovery: () => told.push('recovered') }
const store = createParquetStore({ folder, ...faults })
const drawn = await drawHistory(folder, EVENTS, () => {})
const writer = store.openWriter()
const [first, last] = [drawn[0], drawn.at(-1)]
if (!first || !last) throw new Error('nothing was drawn')
const merged: Segment[] = [
  { ...first, ...(await writer.merge(drawn)), lastN: last.lastN, lastBlock: last.lastBlock, lastTime: last.lastTime },
]
afterAll(() => Promise.all([store.close(), writer.close()]))

const random = createRandom(11)
const upTo = (most: number) => Math.floor(random() * (most + 1))

test('the merged segment has several files of each order, and the bounds of their keys', async () => {
  const { parts, hashes } = await readManifest(join(folder, merged[0]?.name ?? ''))
  for (const order of ORDERS) expect(parts[order].length).toBeGreaterThan(2)
  expect(hashes.length).toBeGreaterThan(10)
  const bounds = parts.events.map((part) => part.bounds.n)
  expect(bounds[0]?.[0]).toBe(first.firstN)
  for (const [at, [least]] of bounds.map((each) => each ?? []).entries())
    if (at > 0) expect(least).toBe((bounds[at - 1]?.[1] ?? 0) + 1)
  expect(await store.isComplete(merged[0] as Segment)).toBe(true)
})

test('pages, hashes and starts of every scope are the same in the merged segment', async () => {
  for (let round = 0; round < 60; round += 1) {
    const of = (['all', 'token', 'wallet'] as const)[round % 3] ?? 'all'
    const scope: HistoryScope = {
      of,
      id: 1 + upTo(of === 'token' ? 6_000 : 30_000),
      type: [null, 1, 4][upTo(2)] ?? null,
    }
    const below = of === 'all' ? upTo(EVENTS) : upTo(300)
    const range = { ...scope, above: Math.max(0, below - 50), below }
    const [[parted = []], [whole = []]] = [
      await store.readRanges(drawn, [range]),
      await store.readRanges(merged, [range]),
    ]
    expect(whole).toEqual(parted)
    const ns = whole.map(({ n }) => n)
    expect(await store.readHashes(merged, ns)).toEqual(await store.readHashes(drawn, ns))
    const start = { ...scope, below, since: timeAt(random(), EVENTS), after: null }
    expect(await store.findStarts(merged, [start])).toEqual(await store.findStarts(drawn, [start]))
  }
})

test('hashes and values are those that DuckDB reads, at every end of a row group and between', async () => {
  const { hashes, places } = await readManifest(join(folder, merged[0]?.name ?? ''))
  const rows = new Set([0, 1, EVENTS - 1])
  let next = 0
  for (const group of [...hashes, ...(places?.events ?? [])]) {
    if (group === places?.events[0]) next = 0
    for (const row of [next, next + 7, next + 8, next + 127, next + 300, next + group.rows - 1]) rows.add(row)
    next += group.rows
  }
  for (let count = 0; count < 500; count += 1) rows.add(upTo(EVENTS - 1))
  const ns = [...rows].map((row) => row + first.firstN)
  const found = await store.readHashes(merged, ns)
  expect(found.size).toBe(ns.length)
  const { events, hashes: transactions } = (await store.relateEvents(merged)) ?? {}
  const asked = await withDuck(folder, (run) =>
    run(`SELECT e.n::DOUBLE AS n, lower(hex(tx_hash)) AS hash, token_id, quantity, amount_usd, block_number,
        epoch_us(time)::DOUBLE AS time
      FROM (${events}) e JOIN (${transactions}) h ON h.tx_n = e.tx_n WHERE e.n IN (${ns.join(', ')})`),
  )
  expect(new Map(asked.map(({ n, hash }) => [n, hash]))).toEqual(found)
  // The rows of tokens have their values by their places.
  const byN = new Map(asked.map((row) => [row.n, row]))
  const tokens = [...new Set(asked.map(({ token_id }) => Number(token_id)))].slice(0, 12)
  const ranges = tokens.map((id) => ({ of: 'token' as const, id, type: null, above: 0, below: EVENTS }))
  let compared = 0
  for (const event of (await store.readRanges(merged, ranges)).flat()) {
    const row = byN.get(event.n)
    if (!row) continue
    compared += 1
    expect([event.quantity, event.amount_usd, event.block_number, event.time]).toEqual([
      ...[row.quantity, row.amount_usd, row.block_number, toInstant(Number(row.time))],
    ])
  }
  expect(compared).toBeGreaterThanOrEqual(tokens.length)
})

test.each([
  ['a file of hashes', HASHES, /shorter than it was/],
  ['a file of blocks', BLOCKS, /shorter than it was/],
  ['a manifest', MANIFEST, /JSON|damaged/],
])('%s that lost its second half is one fault, which ends, and never a wrong answer', async (_, file, reason) => {
  const path = join(folder, merged[0]?.name ?? '', file)
  const whole = readFileSync(path)
  const fresh = createParquetStore({ folder, ...faults })
  writeFileSync(path, whole.subarray(0, Math.floor(whole.length / 2)))
  const ask = async () => {
    await fresh.readHashes(merged, [first.firstN + EVENTS - 1])
    return fresh.isComplete(merged[0] as Segment)
  }
  for (let count = 0; count < 2; count += 1)
    await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
  expect(told.splice(0)).toEqual([expect.stringMatching(reason)])
  writeFileSync(path, whole)
  expect(await ask()).toBe(true)
  expect(told.splice(0)).toEqual(['recovered'])
  await fresh.close()
})

test('a manifest that names files elsewhere is refused', async () => {
  const at = join(folder, merged[0]?.name ?? '')
  const whole = readFileSync(join(at, MANIFEST), 'utf8')
  writeFileSync(join(at, MANIFEST), whole.replace('data_1.parquet', '../../data_1.parquet'))
  await expect(readManifest(at)).rejects.toThrow('damaged')
  writeFileSync(join(at, MANIFEST), whole)
})
