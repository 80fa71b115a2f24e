// A process that moves events to the history is killed before each of its statements. Nothing is lost, nothing is there
// twice, and what it left is not read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { HistoryReader } from '../../src/history/history.ts'
import { attachHistoryOn } from '../../src/ledger/segments.ts'
import { createTestDatabase } from '../support/database.ts'
import { openStoreAt, STORES } from '../support/history-stores.ts'
import { withHistory } from '../support/moved.ts'
import { makeOutdated } from '../support/outdated.ts'
import { seedLedger } from '../support/seed.ts'

const CHILD = fileURLToPath(new URL('../support/move-child.ts', import.meta.url))
const EVENTS = 240
/** The statements before which a process is killed, one after the other. */
const KILLS = Array.from({ length: 22 }, (_, at) => 2 + at)

for (const { store, isThere, make } of STORES)
  describe.skipIf(!isThere)(`a history in ${store}`, async () => {
    if (!isThere) return
    const database = await createTestDatabase()
    await seedLedger(database.pool, { tokens: 8, wallets: 14, events: EVENTS })
    await database.pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
    const { under, store: reader, faults } = await withHistory(database, make)
    const readKept = async (above: number) =>
      (
        await database.pool.query<{ n: number; token_id: number; quantity: number; hash: string }>(
          `SELECT n, token_id, quantity, encode(tx_hash, 'hex') AS hash FROM event WHERE n > $1 ORDER BY n DESC`,
          [above],
        )
      ).rows
    const before = await readKept(0)

    /** All events as a reader sees them. */
    async function readWhole(from: HistoryReader = reader) {
      const client = await database.pool.connect()
      try {
        const history = await attachHistoryOn(client, from)
        const kept = await readKept(history?.lastN ?? 0)
        if (!history) return kept
        const { segments, lastN } = history
        const [old = []] = await from.readRanges(segments, [{ of: 'all', id: 0, type: null, above: 0, below: lastN }])
        const hashes = await from.readHashes(
          segments,
          old.map(({ n }) => n),
        )
        const rows = old.map(({ n, token_id, quantity }) => ({
          n,
          token_id,
          quantity,
          hash: hashes.get(n)?.toLowerCase(),
        }))
        return [...kept, ...rows]
      } finally {
        client.release()
      }
    }

    async function run(killedAt: number): Promise<string | number | null> {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', CHILD, database.url, under.place, '9', String(killedAt)],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      )
      const [code, signal] = await once(child, 'exit')
      return signal ?? code
    }

    test('a kill before any statement of the move loses no event and doubles none', async () => {
      expect(before).toHaveLength(EVENTS)
      for (const killedAt of KILLS) {
        expect([killedAt, await run(killedAt)]).toEqual([killedAt, 'SIGKILL'])
        expect([killedAt, await readWhole()]).toEqual([killedAt, before])
      }
      expect(await run(0)).toBe(0)
      expect(await readWhole()).toEqual(before)
      const { rows } = await database.pool.query<{ name: string; replaced: boolean }>(
        'SELECT name, replaced_at IS NOT NULL AS replaced FROM history_segment',
      )
      expect(rows.some(({ replaced }) => replaced)).toBe(true)
      expect((await under.listSegments()).sort()).toEqual(rows.map(({ name }) => under.keyOf(name)).sort())
      const { rows: left } = await database.pool.query('SELECT count(*)::int AS count FROM event')
      expect(left[0].count).toBeLessThan(EVENTS / 2)
      expect(faults).toEqual([])
    })

    test.runIf(store === 'Parquet')(
      'a kill while segments of an earlier version are renewed changes no event',
      async () => {
        const readNames = async () =>
          (
            await database.pool.query<{ name: string }>('SELECT name FROM history_segment WHERE replaced_at IS NULL')
          ).rows.map(({ name }) => name)
        const countOutdated = async () => {
          const writer = reader.openWriter()
          const found = await Promise.all((await readNames()).map(writer.isOutdated))
          return found.filter((isOutdated) => isOutdated).length
        }
        for (const name of await readNames()) await makeOutdated(under.place, name)
        const counts = [await countOutdated()]
        expect(counts[0]).toBeGreaterThan(1)
        // Another reader, because a segment never changes under its name.
        const fresh = openStoreAt(under.place, { onFault: (reason) => faults.push(reason), onRecovery: () => {} })
        expect(await readWhole(fresh)).toEqual(before)
        for (let killedAt = 2; (await run(killedAt)) === 'SIGKILL'; killedAt += 1) {
          expect([killedAt, await readWhole(fresh)]).toEqual([killedAt, before])
          counts.push(await countOutdated())
        }
        expect(await readWhole(fresh)).toEqual(before)
        expect(await countOutdated()).toBe(0)
        expect(counts).toEqual(counts.toSorted((a, b) => b - a))
        expect(faults).toEqual([])
        await fresh.close()
      },
    )
  })
