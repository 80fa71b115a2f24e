// What readers of events are sent: the list is made once for all who ask for the same.
import { expect, test } from 'vitest'
import type { EventFilter } from '../../src/base/event-filter.ts'
import type { FeedEvent } from '../../src/ledger/read/event-feed.ts'
import { createSelect } from '../../src/stream/event-filter.ts'

const deliveries = Array.from({ length: 12 }, (_, at) => ({
  event: {
    type: at % 2 ? 'swap' : 'transfer',
    tokenAddress: `0x${at % 3}`,
    walletAddress: '0xa',
    amountUsd: at * 10,
    time: new Date(at),
    blockNumber: at,
  } as unknown as FeedEvent,
}))

test('readers with the same filter of events get one list, and readers with another filter their own', () => {
  const filters: EventFilter[] = [
    {},
    { tokens: ['0x1'] },
    { types: ['swap'], minAmountUsd: 30 },
    { types: ['swap'], tokens: ['0x1', '0x2'] },
    { types: ['transfer'] },
  ]
  const [one, two] = [0, 1].map(() => filters.map((filter) => createSelect({ ...filter })(deliveries)))
  expect(two?.every((list, at) => list === one?.[at])).toBe(true)
  expect(new Set(one).size).toBe(filters.length)
  expect(one?.map((list) => list.map(({ event }) => event.blockNumber))).toEqual([
    deliveries.map((_, at) => at),
    [1, 4, 7, 10],
    [3, 5, 7, 9, 11],
    [1, 5, 7, 11],
    [0, 2, 4, 6, 8, 10],
  ])
})

test('a list of events is that of the entry it was chosen of, also when readers take turns between entries', () => {
  const [older, newer] = [deliveries.slice(0, 6), deliveries.slice(6)]
  const select = createSelect({ types: ['swap'] })
  const numbers = [older, newer, older].map((entry) => select(entry).map(({ event }) => event.blockNumber))
  expect(numbers).toEqual([
    [1, 3, 5],
    [7, 9, 11],
    [1, 3, 5],
  ])
})
