import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCache, createPairCache } from '../../../src/book/rows/cache.ts'

interface Row {
  id: number
  address: string
}

const addressOf = (key: number) => `0x${key}`

// A table of few rows, and its reader: unknown rows are loaded, and missing ones may be added at any time.
const steps = fc.array(
  fc.record({ kind: fc.constantFrom('look', 'add', 'rotate'), key: fc.integer({ min: 0, max: 5 }) }),
  { maxLength: 60 },
)

interface Looker {
  rotate(): void
  add(key: number, row: Row): void
  /** Looks a row up, and loads an unknown one; `row` is the table's. */
  look(key: number, row: Row | undefined): void
}

/** Takes random steps with a new looker each time. */
const walk = (open: (limit: number) => Looker) =>
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (all, limit) => {
      const looker = open(limit)
      const table = new Map<number, Row>()
      for (const { kind, key } of all) {
        const row = table.get(key)
        if (kind === 'rotate') looker.rotate()
        else if (kind === 'add' && !row) {
          const added = { id: key, address: addressOf(key) }
          table.set(key, added)
          looker.add(key, added)
        } else looker.look(key, row)
      }
    }),
  )

describe('that the table has no such row is told', () => {
  test('by key and by address, and never of a row that is there', () => {
    walk((limit) => {
      const cache = createCache<Row>(limit)
      const add = (key: number, row: Row) => cache.add(key, row, row.address)
      const look = (key: number, row: Row | undefined) => {
        for (const name of [key, addressOf(key)]) {
          const found = typeof name === 'string' ? cache.find(name) : cache.get(name)
          if (cache.isKnown(name)) expect(found).toBe(row)
          else if (row) add(key, row)
          else cache.miss(name)
          expect(cache.isKnown(name)).toBe(true)
        }
      }
      return { rotate: cache.rotate, add, look }
    })
  })

  test('of a pair too', () => {
    walk((limit) => {
      const cache = createPairCache<Row>(limit)
      const add = (key: number, row: Row) => cache.add(key % 2, key, row)
      const look = (key: number, row: Row | undefined) => {
        if (cache.isKnown(key % 2, key)) expect(cache.get(key % 2, key)).toBe(row)
        else if (row) add(key, row)
        else cache.miss(key % 2, key)
        expect(cache.isKnown(key % 2, key)).toBe(true)
      }
      return { rotate: cache.rotate, add, look }
    })
  })

  test('unless it was added while the table was asked', () => {
    const [cache, row] = [createCache<Row>(1), { id: 1, address: addressOf(1) }]
    cache.add(1, row, row.address)
    cache.miss(1)
    expect(cache.rotate()).toBe(true)
    cache.add(2, { id: 2, address: addressOf(2) })
    expect(cache.rotate()).toBe(true)
    expect([cache.get(1), cache.isKnown(1)]).toEqual([undefined, false])
  })
})
