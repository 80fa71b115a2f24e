// What scores, streams, exports and checks of contracts read is the same whether the database has all events or a history
// has the older ones.
import { describe, expect, test } from 'vitest'
import { EVENT_TYPE_ID } from '../../src/base/vocabulary.ts'
import { EVENT_TABLE } from '../../src/export/events.ts'
import { readSlices } from '../../src/export/table.ts'
import { readWalletSwaps } from '../../src/ledger/facts/wallet-swaps.ts'
import { readPlace, readWholeFeed } from '../../src/ledger/read/event-feed.ts'
import { markChanged } from '../../src/ledger/safety/due.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { STORES } from '../support/history-stores.ts'
import { withHistory } from '../support/moved.ts'
import { createRandom, HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'

for (const { store, isThere, make } of STORES)
  describe.skipIf(!isThere)(`a history in ${store}`, async () => {
    if (!isThere) return
    const SIZE = { tokens: 12, wallets: 18, events: 700 }
    const whole = await createTestDatabase()
    const { events } = await seedLedger(whole.pool, SIZE)
    const moved = await createTestDatabase()
    await seedLedger(moved.pool, SIZE)
    const { move, faults } = await withHistory(moved, make)

    /** Tokens that were checked and are traded now. Every other one was only bought of late. */
    async function prepare({ pool }: TestDatabase): Promise<void> {
      await pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
      await pool.query(
        `UPDATE event SET direction = 1 WHERE type = 1 AND token_id % 2 = 0 AND token_type_n > (SELECT swap_count FROM token WHERE id = token_id) - 10`,
      )
      // Values that no file format must round.
      await pool.query(
        `UPDATE event SET amount_usd = CASE n % 7 WHEN 0 THEN 1.23456789e20 WHEN 1 THEN 0.1234567891 WHEN 2 THEN 1e-9 ELSE amount_usd END,
       quantity = CASE n % 5 WHEN 0 THEN 1e30 WHEN 1 THEN 1.5e-30 WHEN 2 THEN 0 ELSE quantity END,
       attribution = CASE n % 3 WHEN 0 THEN 2 END, signer_id = CASE n % 4 WHEN 0 THEN 7 END`,
      )
      await pool.query('UPDATE token SET liquidity_usd = 5000, buyer_count = 20, holder_count = 20')
      await pool.query(
        `INSERT INTO token_hour SELECT * FROM jsonb_populate_recordset(NULL::token_hour, (
       SELECT jsonb_agg(to_jsonb(h) || jsonb_build_object('hour', $1::int)) FROM (SELECT DISTINCT ON (token_id) * FROM token_hour) h))
     ON CONFLICT DO NOTHING`,
        [Math.floor(HEAD_TIME / 3_600)],
      )
    }
    const databases = [whole, moved] as const
    for (const database of databases) await prepare(database)

    /** The answers of the database with all events, and of the one with a history. */
    const both = <T>(read: (database: TestDatabase) => Promise<T>): Promise<[T, T]> =>
      Promise.all([read(whole), read(moved)])

    const random = createRandom(3)
    const upTo = (most: number) => Math.floor(random() * (most + 1))
    const MOVES = [{ most: 40 }, { most: 100 }, { most: 13 }, { most: 250 }, { most: 200 }, { most: 700 }]

    const readTraders = async ({ pool, history }: TestDatabase) => {
      const { rows } = await pool.query<{ id: number; swapCount: number }>(
        'SELECT id, swap_count AS "swapCount" FROM wallet ORDER BY id',
      )
      const traders = new Map(rows.map(({ id, swapCount }) => [id, { swapCount, knownN: 0, shares: [] }]))
      const client = await pool.connect()
      try {
        return await readWalletSwaps(client, traders, history)
      } finally {
        client.release()
      }
    }

    const readFeeds =
      (asked: { above: number; below: number | null; limit: number; filter: object }) => (at: TestDatabase) =>
        readWholeFeed(at, asked, asked.limit, {
          ...{ types: [], tokens: [], wallets: [], walletClassifications: [], minAmountUsd: 0, withClass: true },
          ...asked.filter,
        })

    const FILTERS = [
      {},
      { types: [EVENT_TYPE_ID.swap] },
      { tokens: [tokenAddress(1), tokenAddress(2)] },
      { wallets: [walletAddress(5)] },
      { minAmountUsd: 700 },
    ]

    const exportRows =
      (from: number, to: number, most: number) =>
      async ({ pool, history }: TestDatabase) => {
        const client = await pool.connect()
        try {
          const source = { reader: client, history }
          const span = { from: new Date(from), to: new Date(to) }
          const bounds = (await EVENT_TABLE.history?.findBounds(source, span)) ?? [0, 0]
          const rows: unknown[] = []
          for await (const slice of readSlices(source, EVENT_TABLE, bounds, most)) rows.push(...slice)
          return { bounds, rows, oldest: await EVENT_TABLE.history?.findOldest(client) }
        } finally {
          client.release()
        }
      }

    const findDue = async ({ pool, history }: TestDatabase) => {
      await pool.query('DELETE FROM safety_due')
      await markChanged(pool, HEAD_NUMBER - 1, HEAD_TIME, { everySeconds: 3_600, quotes: [], history })
      const { rows } = await pool.query('SELECT token_id AS id, due_at AS due FROM safety_due ORDER BY 1')
      return rows
    }

    test('scores, streams, exports and checks read the same events with a history, at every boundary', async () => {
      for (const { pool } of databases)
        await pool.query(
          `INSERT INTO token_safety (token_id, checked_block, checked_at, marks, insiders, contracts, report)
       SELECT id, $1, to_timestamp($2), 0, '{}', '{}', '{}' FROM token WHERE id % 5 > 0`,
          [HEAD_NUMBER - 5, HEAD_TIME - 600],
        )
      let hurried = 0
      for (const rules of MOVES) {
        expect(await move(rules, rules.most !== 13)).toBe(true)
        const [swaps, movedSwaps] = await both(readTraders)
        expect(movedSwaps).toEqual(swaps)
        expect(swaps.walletId.length).toBeGreaterThan(200)
        for (const filter of FILTERS) {
          const asked = {
            above: upTo(SIZE.events),
            below: upTo(3) === 0 ? upTo(SIZE.events) : null,
            limit: 1 + upTo(90),
            filter,
          }
          const [feed, movedFeed] = await both(readFeeds(asked))
          expect({ asked, feed: movedFeed }).toEqual({ asked, feed })
        }
        const n = 1 + upTo(SIZE.events - 1)
        const [place, movedPlace] = await both((database) => readPlace(database, n))
        expect(movedPlace).toEqual(place)
        const [from, to] = [upTo(SIZE.events - 1), upTo(SIZE.events - 1)].sort((a, b) => a - b) as [number, number]
        const times = [from, to].map((at) => (events[at]?.time ?? 0) * 1_000) as [number, number]
        const [exported, movedExported] = await both(exportRows(times[0], times[1] + 1, 1 + upTo(50)))
        expect(movedExported).toEqual(exported)
        expect(exported.rows.length).toBeGreaterThan(0)
        const [due, movedDue] = await both(findDue)
        expect(movedDue).toEqual(due)
        hurried = due.filter(({ due: at }) => at.getTime() < (HEAD_TIME + 600) * 1_000).length
      }
      // Some tokens are due early, for their newest swaps are all buys.
      expect(hurried).toBeGreaterThan(0)
      expect(faults).toEqual([])
    })
  })
