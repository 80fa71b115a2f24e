import { expect, test } from 'vitest'
import { MOST_ROWS, PAGE_ROWS, readRows, toCsv } from '../../web/src/csv.ts'

test('rows become lines with a column for each field of an object, and no cell is a formula', () => {
  const rows = [
    {
      symbol: '=HYPERLINK("x")',
      price: -0.5,
      flags: ['a', 'b'],
      deployer: { address: '0x1' },
      windows: { h1: { buys: 2 } },
    },
    { symbol: '@x', price: null, flags: [], deployer: null, windows: { h1: { buys: 0 } } },
  ]
  expect(toCsv(rows)).toBe(
    'symbol,price,flags,deployer.address,windows.h1.buys\r\n' +
      `"'=HYPERLINK(""x"")",-0.5,a b,0x1,2\r\n` +
      "'@x,,,,0\r\n",
  )
})

test('a list is read from cursor to cursor to its end, and no further than the most rows of a file', async () => {
  const asked: (string | null)[] = []
  const listOf = (length: number) => async (after: string | null) => {
    asked.push(after)
    const from = Number(after ?? 0)
    const nodes = Array.from({ length: Math.min(PAGE_ROWS, length - from) }, (_, n) => ({ n: from + n }))
    const end = from + nodes.length
    return { nodes, pageInfo: { hasNextPage: end < length, endCursor: String(end) } }
  }
  expect(await readRows(listOf(0))).toEqual({ rows: [], isCut: false })
  expect(await readRows(async () => ({ nodes: [{ n: 1 }] }))).toEqual({ rows: [{ n: 1 }], isCut: false })
  const two = await readRows(listOf(2 * PAGE_ROWS))
  expect([two.rows.length, two.isCut]).toEqual([2 * PAGE_ROWS, false])
  asked.length = 0
  const most = await readRows(listOf(MOST_ROWS))
  expect([most.rows.length, most.isCut]).toEqual([MOST_ROWS, false])
  const long = await readRows(listOf(99_999))
  expect([long.rows.map(({ n }) => n), long.isCut]).toEqual([Array.from({ length: MOST_ROWS }, (_, n) => n), true])
  expect(asked).toHaveLength((2 * MOST_ROWS) / PAGE_ROWS)
  asked.length = 0
  const sparse = await readRows(async (after) => {
    asked.push(after)
    return { nodes: [], pageInfo: { hasNextPage: true, endCursor: 'further' } }
  })
  expect([sparse, asked.length]).toEqual([{ rows: [], isCut: true }, 20])
})
