// A process that moves events is stopped, and another goes on. The statements to PostgreSQL and the calls of the store are
// recorded: no event is read, written or merged again. A process that breaks off repeats the segment that it was writing.
import { setImmediate } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { HistoryStore, HistoryWriter, Segment } from '../../src/history/history.ts'
import { moveHistory } from '../../src/indexing/move-history.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openStoreAt, STORES } from '../support/history-stores.ts'
import { MOVE_ALL, withHistory } from '../support/moved.ts'
import { seedLedger } from '../support/seed.ts'

/** Running numbers, both ends included. */
type Numbers = readonly [firstN: number, lastN: number]

interface Seen {
  /** Rows that PostgreSQL gave to a writer. */
  read: Numbers[]
  written: Numbers[]
  merged: Numbers[]
}

const MOST = 50
const LOOK_MS = 30_000

/** A pool that records which rows its connections read for a writer. */
const watchPool = ({ pool }: TestDatabase, read: Numbers[]) => ({
  query: pool.query.bind(pool),
  connect: async (): Promise<PoolClient> => {
    const client = await pool.connect()
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: [{ name?: string; values: Numbers }, ...unknown[]]) => {
      if (given[0].name === 'history lines') read.push(given[0].values)
      return query(...given)
    }) as typeof client.query
    return client
  },
})

const watchStore = (
  store: HistoryStore,
  seen: Seen,
  around: (write: HistoryWriter['write']) => HistoryWriter['write'],
) => ({
  ...store,
  openWriter: (): HistoryWriter => {
    const writer = store.openWriter()
    const write = around(writer.write)
    return {
      ...writer,
      write: (range, readLines) => {
        seen.written.push([range.firstN, range.lastN])
        return write(range, readLines)
      },
      merge: (segments: readonly Segment[]) => {
        seen.merged.push(...segments.map(({ firstN, lastN }): Numbers => [firstN, lastN]))
        return writer.merge(segments)
      },
    }
  },
})

for (const { store: name, isThere, make } of STORES)
  describe.skipIf(!isThere)(`a history in ${name}`, async () => {
    if (!isThere) return

    async function begin() {
      const database = await createTestDatabase()
      await seedLedger(database.pool)
      await database.pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
      const { under } = await withHistory(database, make, onTestFinished)
      const seen: Seen = { read: [], written: [], merged: [] }
      /** A process of its own, which ends when nothing is left to move, or earlier. */
      const run = async (
        around: (write: HistoryWriter['write'], stop: () => void) => HistoryWriter['write'] = (write) => write,
        moved: (stop: () => void) => void = () => {},
      ) => {
        const ending = new AbortController()
        const stop = () => ending.abort()
        const store = openStoreAt(under.place, { onFault: () => {}, onRecovery: () => {} })
        let before = -1
        const clock = {
          ...systemClock,
          sleep: async (ms: number) => {
            await setImmediate()
            if (ms !== LOOK_MS) return
            if (seen.written.length === before) stop()
            before = seen.written.length
          },
        }
        const say = (_: object, text: string) => text.startsWith('events moved') && moved(stop)
        await moveHistory(
          {
            database: { pool: watchPool(database, seen.read) as never },
            store: watchStore(store, seen, (write) => around(write, stop)),
            rules: { ...MOVE_ALL, most: MOST },
            ...{ lookMs: LOOK_MS, clock, log: { info: say, warn: () => {} } as never },
          },
          ending.signal,
        )
        await store.close()
      }
      const readSegments = async () =>
        (
          await database.pool.query<{ firstN: number; lastN: number }>(
            'SELECT first_n AS "firstN", last_n AS "lastN" FROM history_segment WHERE replaced_at IS NULL ORDER BY first_n',
          )
        ).rows
      return { seen, run, readSegments }
    }

    test('a process that goes on after another reads, writes and merges nothing again', async () => {
      const { seen, run, readSegments } = await begin()
      // Each is told to stop when it has written some segments, or while it writes the next one.
      for (const most of [1, 2, 1]) {
        let left = most
        await run(undefined, (stop) => {
          left -= 1
          if (left === 0) stop()
        })
        await run((write, stop) => (range, readLines) => {
          stop()
          return write(range, readLines)
        })
      }
      expect(seen.written).toHaveLength(7)
      await run()
      expect(seen.written.length).toBeGreaterThan(10)
      seen.written.forEach(([firstN], at) => {
        expect(firstN).toBe((seen.written[at - 1]?.[1] ?? 0) + 1)
      })
      // Once to be written, and once to be compared.
      expect(seen.read).toEqual(seen.written.flatMap((range) => [range, range]))
      expect(seen.merged).toEqual(seen.written.slice(0, 8))
      const segments = await readSegments()
      expect([segments[0]?.firstN, segments.at(-1)?.lastN]).toEqual([1, seen.written.at(-1)?.[1]])
      const before = structuredClone(seen)
      await run()
      expect(seen).toEqual(before)
    })

    test('a process that breaks off within a segment leaves that segment alone to the next one', async () => {
      const { seen, run } = await begin()
      let left = 3
      await run((write, stop) => (range, readLines) => {
        left -= 1
        if (left > 0) return write(range, readLines)
        stop()
        return write(range, () => {
          throw new Error('the connection was lost')
        })
      })
      const [, , broken] = seen.written
      await run()
      expect(seen.written.slice(2, 4)).toEqual([broken, broken])
      const whole = seen.written.toSpliced(2, 1)
      expect(new Set(whole.map(String)).size).toBe(whole.length)
      expect(seen.read).toEqual(whole.flatMap((range) => [range, range]))
    })
  })
