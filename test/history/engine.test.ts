// The bounds of DuckDB in this process: time, waiting statements, memory, and the folder.
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../../src/history/parquet/engine.ts'
import { makeSpillFolder } from '../../src/history/parquet/files.ts'
import { makeFolder } from '../support/folder.ts'

const LIMITS = { threads: 1, memoryMb: 64, connections: 1, withinMs: 20_000, spillFolder: null }
/** It takes more than the memory of the limits. */
const LARGE = `SELECT count(*)::DOUBLE AS n FROM (SELECT i || 'abcdefghijklmnopqrstuvwxyz' || i AS v FROM range(4000000) t(i) ORDER BY v)`
/** It would take hours. */
const ENDLESS = 'SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b'

async function open(limits: Partial<typeof LIMITS> = {}) {
  const folder = makeFolder('engine')
  const engine = await openEngine(folder, { ...LIMITS, ...limits })
  onTestFinished(() => engine.close().catch(() => {}))
  return { engine, folder }
}

test('a statement that takes too long is ended, and the next one is answered', async () => {
  const { engine } = await open({ withinMs: 200 })
  await expect(engine.query(ENDLESS)).rejects.toThrow(/interrupt/i)
  expect(await engine.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('at most 512 statements wait; a further one is refused with a time to come back', async () => {
  const { engine } = await open({ withinMs: 500 })
  const first = engine.query(ENDLESS).catch(() => 'ended')
  const waiting = Array.from({ length: 512 }, () => engine.query('SELECT 1 AS one'))
  await expect(engine.query('SELECT 1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 })
  expect(await first).toBe('ended')
  expect((await Promise.all(waiting)).length).toBe(512)
})

test('memory is bounded', async () => {
  const { engine } = await open()
  expect(await engine.query(`SELECT current_setting('memory_limit') AS most`)).toEqual([{ most: '64.0 MiB' }])
})

test('a reader that needs more memory fails, writes nothing, and answers the next question', async () => {
  const { engine, folder } = await open()
  await expect(engine.query(LARGE)).rejects.toThrow('Out of Memory')
  expect(readdirSync(folder)).toEqual([])
  expect(await engine.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('each writer has temporary files of its own, and a new one removes those of earlier writers', async () => {
  const folder = makeFolder('spill')
  const one = await makeSpillFolder(folder)
  const engine = await openEngine(folder, { ...LIMITS, spillFolder: one })
  onTestFinished(engine.close)
  const asked = engine.query(LARGE)
  await expect.poll(() => readdirSync(one)).not.toEqual([])
  expect(await asked).toEqual([{ n: 4_000_000 }])
  const other = await makeSpillFolder(folder)
  expect(readdirSync(join(folder, '_spilled'))).toEqual([basename(other)])
})

test('no statement reads or writes outside of the folder, loads an extension, or changes a bound', async () => {
  const { engine, folder } = await open()
  const outside = join(makeFolder('outside'), 'secret.csv')
  writeFileSync(outside, 'a\n1\n')
  for (const statement of [
    `SELECT * FROM read_csv('${outside}')`,
    `SELECT * FROM read_text('${join(folder, '..', '*')}')`,
    `COPY (SELECT 1) TO '${outside}.copy'`,
    `ATTACH '${outside}.db'`,
    'INSTALL httpfs',
    'LOAD httpfs',
    `SET memory_limit = '8GiB'`,
    'SET enable_external_access = true',
  ])
    await expect(engine.query(statement), statement).rejects.toThrow()
})

test('closing waits for the statement that runs, and refuses those that wait', async () => {
  const { engine } = await open({ withinMs: 300 })
  const first = engine.query(ENDLESS).catch(() => 'ended')
  const second = engine.query('SELECT 1')
  const refused = expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await engine.close()
  await refused
  expect(await first).toBe('ended')
  await expect(engine.query('SELECT 1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
