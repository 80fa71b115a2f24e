// The storm of faults in short: each fault once, in the order of the list. `npm run storm -- faults` runs it for an hour.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { FAULTS } from './faults/list.ts'
import { type FaultProxy, startFaultProxy } from './faults/proxy.ts'
import { blocksFor, runFaultStorm } from './faults/storm.ts'
import { findDifferences, type Picture, takePicture } from './picture.ts'
import { indexTo } from './program.ts'
import { type StormSource, startStormSource } from './source.ts'

/** Faults of one program. */
const AT_ONCE = 16
const PARTS = Array.from({ length: Math.ceil(FAULTS.length / AT_ONCE) }, (_, part) => part)
const partOf = (part: number) => FAULTS.slice(part * AT_ONCE, (part + 1) * AT_ONCE)
const until = blocksFor(partOf(0))

let source: StormSource
let proxy: FaultProxy
let straight: Picture

beforeAll(async () => {
  source = await startStormSource()
  proxy = await startFaultProxy(source.url)
  const database = await createTestDatabase()
  source.release(until, until)
  await indexTo(until, { RPC_URL: source.url, DATABASE_URL: database.url })
  straight = await takePicture(database)
})
afterAll(() => {
  proxy.close()
  source.close()
})

test('the list has at least forty faults, each with a name of its own', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})

test.each(PARTS)(
  'a program whose provider gives one fault after another serves throughout, and ends with the tables of an undisturbed run: part %i of the list',
  async (part) => {
    const faults = partOf(part)
    const database = await createTestDatabase()
    const environment = { RPC_URL: proxy.url, DATABASE_URL: database.url }
    const report = await runFaultStorm({ source, proxy, environment, pool: database.pool, faults, until })
    expect(report.met.length).toBeGreaterThan(faults.length / 2)
    expect(report.refused).toEqual({})
    expect(report.asked).toBeGreaterThan(faults.length)
    for (const { fault, sentences } of report.said) expect(new Set(sentences).size, fault).toBe(sentences.length)
    expect(findDifferences(straight, await takePicture(database))).toEqual([])
  },
)
