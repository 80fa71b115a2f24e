import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCache, createPairCache } from '../../src/ledger/ingest/cache.ts'

interface Row {
  address: string
}

const addressOf = (key: number) => `0x${key}`

// A table of few rows, and whoever looks at it: what is not known is asked for, what is missing may be added at any time.
const steps = fc.array(
  fc.record({ kind: fc.constantFrom('look', 'add', 'rotate'), key: fc.integer({ min: 0, max: 5 }) }),
  { maxLength: 60 },
)

describe('that the table has no such row is told', () => {
  test('by key and by address, and never of a row that is there', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (all, limit) => {
        const cache = createCache<Row>(limit)
        const table = new Map<number, Row>()
        for (const { kind, key } of all) {
          const row = table.get(key)
          if (kind === 'rotate') cache.rotate()
          else if (kind === 'add' && !row) {
            const added = { address: addressOf(key) }
            table.set(key, added)
            cache.add(key, added, added.address)
          } else {
            for (const name of [key, addressOf(key)]) {
              const found = typeof name === 'string' ? cache.find(name) : cache.get(name)
              if (cache.isKnown(name)) expect(found).toBe(row)
              else if (row) cache.add(key, row, row.address)
              else cache.miss(name)
              expect(cache.isKnown(name)).toBe(true)
            }
          }
        }
      }),
    )
  })

  test('of a pair too', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (all, limit) => {
        const cache = createPairCache<Row>(limit)
        const table = new Map<number, Row>()
        for (const { kind, key } of all) {
          const row = table.get(key)
          const [first, second] = [key % 2, key]
          if (kind === 'rotate') cache.rotate()
          else if (kind === 'add' && !row) {
            const added = { address: addressOf(key) }
            table.set(key, added)
            cache.add(first, second, added)
          } else {
            if (cache.isKnown(first, second)) expect(cache.get(first, second)).toBe(row)
            else if (row) cache.add(first, second, row)
            else cache.miss(first, second)
            expect(cache.isKnown(first, second)).toBe(true)
          }
        }
      }),
    )
  })

  test('unless it was added while the table was asked', () => {
    const [cache, row] = [createCache<Row>(1), { address: addressOf(1) }]
    cache.add(1, row, row.address)
    cache.miss(1)
    expect(cache.rotate()).toBe(true)
    cache.add(2, { address: addressOf(2) })
    expect(cache.rotate()).toBe(true)
    expect([cache.get(1), cache.isKnown(1)]).toEqual([undefined, false])
  })
})
