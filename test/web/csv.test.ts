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

test('a list is read to its end, and no further than the most rows of a file', async () => {
  const asked: number[] = []
  const listOf = (length: number, isCounted: boolean) => async (page: number) => {
    asked.push(page)
    const items = Array.from({ length: Math.min(PAGE_ROWS, length - (page - 1) * PAGE_ROWS) }, (_, n) => ({ n }))
    return { items, total: isCounted ? length : null }
  }
  expect(await readRows(listOf(0, false))).toEqual({ rows: [], isCut: false })
  const two = await readRows(listOf(2 * PAGE_ROWS, true))
  expect([two.rows.length, two.isCut]).toEqual([2 * PAGE_ROWS, false])
  asked.length = 0
  const most = await readRows(listOf(MOST_ROWS, true))
  expect([most.rows.length, most.isCut]).toEqual([MOST_ROWS, false])
  const long = await readRows(listOf(99_999, false))
  expect([long.rows.length, long.isCut]).toEqual([MOST_ROWS, true])
  expect(asked).toHaveLength((2 * MOST_ROWS) / PAGE_ROWS)
})
