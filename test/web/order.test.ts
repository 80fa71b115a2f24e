import { expect, test } from 'vitest'
import { readOrder, readWindow, toOrderBy } from '../../web/src/order.ts'

test('the change of price is ordered by the window in the address', () => {
  const fieldOf = (query: Record<string, string>) => toOrderBy(readOrder(query), readWindow(query))
  expect(fieldOf({ sort: 'change', window: 'h1' })).toEqual({ field: 'price_change_h1', direction: 'desc' })
  expect(fieldOf({ sort: 'change', direction: 'asc' })).toEqual({ field: 'price_change_h24', direction: 'asc' })
  expect(fieldOf({ sort: 'change', window: 'constructor' })).toEqual({ field: 'price_change_h24', direction: 'desc' })
  expect(fieldOf({ sort: 'volume', window: 'h1' })).toEqual({ field: 'volume_24h_usd', direction: 'desc' })
})
