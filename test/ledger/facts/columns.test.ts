import { expect, test } from 'vitest'
import { defineRead, double, findRanges, integer, listBy, seconds, text } from '../../../src/database/column-query.ts'
import { createListStore, createPackedStore, createShelf, MAX_STORED, recall } from '../../../src/ledger/facts/store.ts'
import { createTestDatabase } from '../../support/database.ts'

const database = await createTestDatabase()

test('columns have the values of the rows, to the last digit, in the same order, with their nulls', async () => {
  const rows = `VALUES (1, 0.1::float8, 'a'), (-2147483648, NULL, NULL), (3, 1e-300, ''), (4, '-Infinity', 'Ünï, "{}" \\ ''')`
  const read = defineRead(
    'some rows',
    {
      text: text<string | null>('b'),
      whole: integer('i'),
      real: double('d'),
      time: seconds(`'1970-01-02Z'::timestamptz`),
    },
    (columns) => `SELECT ${columns} FROM (${rows}) AS v(i, d, b)`,
  )
  const lists = await read(database.pool, [])
  expect([...lists.whole]).toEqual([1, -2147483648, 3, 4])
  expect([...lists.real]).toEqual([0.1, Number.NaN, 1e-300, Number.NEGATIVE_INFINITY])
  expect([...lists.time]).toEqual([86_400, 86_400, 86_400, 86_400])
  expect(lists.text).toEqual(['a', null, '', `Ünï, "{}" \\ '`])
})

test('a statement without rows gives empty columns', async () => {
  const columns = { whole: integer('1'), real: double('1::float8'), text: text('NULL::text') }
  const lists = await defineRead('no rows', columns, (select) => `SELECT ${select} WHERE false`)(database.pool, [])
  expect(Object.entries(lists).map(([name, list]) => [name, list.length])).toEqual([
    ['whole', 0],
    ['real', 0],
    ['text', 0],
  ])
})

test('consecutive rows are found by their key, and each call makes a new list of them', () => {
  const keys = Int32Array.of(5, 5, 5, 2, 9, 9)
  expect([5, 2, 9, 7].map(findRanges(keys))).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 4 },
    { from: 4, to: 6 },
    { from: 0, to: 0 },
  ])
  const made: number[] = []
  const listOf = listBy(keys, (at) => made.push(at))
  expect(made).toEqual([])
  expect([listOf(9), listOf(7), listOf(9)]).toEqual([[1, 2], [], [3, 4]])
  expect(made).toEqual([4, 5, 4, 5])
})

test('a packed store returns its values, also after it has grown, and the newest value of an id', () => {
  const store = createPackedStore<{ id: number; half: number }>(
    2,
    ({ id, half }) => [id, half],
    (id, cells, at) => ({ id, half: cells[at + 1] as number }),
  )
  for (let id = 0; id < 1_000; id += 1) store.set(id, { id, half: id / 2 })
  store.set(7, { id: 7, half: -1 })
  store.set(5_000_000, { id: 5_000_000, half: 0.5 })
  expect(store.size).toBe(1_001)
  expect([store.get(6), store.get(7), store.get(999), store.get(5_000_000), store.get(1_000)]).toEqual([
    { id: 6, half: 3 },
    { id: 7, half: -1 },
    { id: 999, half: 499.5 },
    { id: 5_000_000, half: 0.5 },
    undefined,
  ])
  expect([store.cell(6, 1), store.cell(7, 0), store.cell(1_000, 1)]).toEqual([3, 7, Number.NaN])
})

test('a store of lists returns its lists, also after it has grown, and the newest list of an id', () => {
  const store = createListStore()
  for (let id = 0; id < 2_000; id += 1)
    store.set(
      id,
      Array.from({ length: id % 5 }, (_, at) => -id * at),
    )
  store.set(7, [2 ** 31 - 1, -(2 ** 31)])
  store.set(
    5_000_000,
    Array.from({ length: 5_000 }, (_, at) => at),
  )
  expect(store.size).toBe(2_001)
  expect([store.get(5), store.get(7), store.get(1_998), store.get(2_001)]).toEqual([
    [],
    [2 ** 31 - 1, -(2 ** 31)],
    [-0, -1_998, -3_996].map((it) => it + 0),
    undefined,
  ])
  expect(store.get(5_000_000)?.reduce((sum, it) => sum + it, 0)).toBe((4_999 * 5_000) / 2)
  expect([store.has(0), store.has(2_000)]).toEqual([true, false])
  const all: number[] = []
  expect([7, 2_000, 5, 3].map((id) => store.appendTo(all, id))).toEqual([2, 2, 2, 5])
  expect(all.map((it) => it + 0)).toEqual([2 ** 31 - 1, -(2 ** 31), 0, -3, -6])
})

test('recall reads each id once, and its store has all ids even if another call has replaced a full store meanwhile', async () => {
  const shelf = createShelf(() => new Map<number, number>())
  const asked: number[][] = []
  const read = async (missing: number[]) => {
    asked.push(missing)
    return new Map(missing.filter((id) => id > 0).map((id) => [id, 2 * id]))
  }
  const many = Array.from({ length: MAX_STORED - 2 }, (_, at) => at + 10)
  const [first, second] = await Promise.all([
    recall(
      shelf,
      [
        [3, 1],
        [0, 3],
      ],
      read,
    ),
    recall(shelf, [many], read),
  ])
  expect([first.get(1), first.get(3), first.get(0), second.get(10)]).toEqual([2, 6, undefined, 20])
  expect((await recall(shelf, [[1, 10]], read)).size).toBe(MAX_STORED)
  const third = await recall(shelf, [[1, 2]], read)
  expect([third.size, third.get(1), third.get(2), first.get(3)]).toEqual([2, 2, 4, 6])
  expect(asked.map((list) => list.slice(0, 3))).toEqual([
    [0, 1, 3],
    [10, 11, 12],
    [1, 2],
  ])
})
