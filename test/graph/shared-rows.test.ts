import { expect, test } from 'vitest'
import { createSharedRows } from '../../src/graph/shared-rows.ts'
import type { Reading } from '../../src/ledger/read/consistent-read.ts'

interface Row {
  id: number
}

/** A store beside a batch that notes what it is asked. */
function createWorld(mostBytes?: number) {
  const now = { version: 1, hash: 'a' }
  const asked: number[][] = []
  const head = { version: () => now.version, current: () => ({ hash: now.hash }) as Reading['head'] }
  const rows = createSharedRows(head, mostBytes)
  const read = rows.share<Row>(
    'score',
    async (_, ids) => {
      asked.push([...ids])
      return ids.filter((id) => id < 100).map((id) => ({ id }))
    },
    ({ id }) => id,
  )
  const at = (hash: string) => ({ head: { hash } }) as Reading
  return { now, asked, rows, readAt: (hash: string, ...ids: number[]) => read(at(hash), ids) }
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

test('answers of one block read each row once', async () => {
  const { asked, readAt } = createWorld()
  expect(idsOf(await readAt('a', 1, 2))).toEqual([1, 2])
  expect(idsOf(await readAt('a', 2, 3))).toEqual([2, 3])
  expect(idsOf(await readAt('a', 1, 2, 3))).toEqual([1, 2, 3])
  expect(asked).toEqual([[1, 2], [3]])
})

test('after a block or a score, rows are read again', async () => {
  const { now, asked, readAt } = createWorld()
  await readAt('a', 1)
  now.version += 1
  await readAt('a', 1)
  now.version += 1
  now.hash = 'b'
  await readAt('b', 1)
  expect(asked).toEqual([[1], [1], [1]])
})

test('an answer of another block than the newest neither finds rows nor keeps any', async () => {
  const { asked, readAt } = createWorld()
  await readAt('a', 1)
  await readAt('older', 1)
  await readAt('older', 2)
  await readAt('a', 2)
  expect(asked).toEqual([[1], [1], [2], [2]])
})

test('a row that does not exist is asked for again, and the store stays within its bytes', async () => {
  const { asked, readAt, rows } = createWorld(6_000)
  await readAt('a', 500)
  await readAt('a', 500)
  expect(asked).toEqual([[500], [500]])
  await readAt('a', ...Array.from({ length: 50 }, (_, at) => at))
  expect(rows.bytes()).toBeLessThanOrEqual(6_000)
  expect(rows.bytes()).toBeGreaterThan(0)
})
