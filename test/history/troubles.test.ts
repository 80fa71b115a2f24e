// Troubles of a history: missing or damaged parts, the history of another index, a missing setting, a store that cannot
// be written. Older events are then refused, and nothing is lost.
import type { PoolClient } from 'pg'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { moveHistory, prepareHistory } from '../../src/indexing/move-history.ts'
import { requireHistory } from '../../src/ledger/segments.ts'
import { runCommand } from '../support/context.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openStoreAt, STORES } from '../support/history-stores.ts'
import { MOVE_ALL, withHistory } from '../support/moved.ts'
import { seedLedger } from '../support/seed.ts'
import { createServed } from '../support/served.ts'

for (const { store, isThere, make } of STORES)
  describe.skipIf(!isThere)(`a history in ${store}`, async () => {
    if (!isThere) return
    const database = await createTestDatabase()
    await seedLedger(database.pool)
    await database.pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
    const { under, store: reader, faults, move } = await withHistory(database, make)
    expect(await move({ most: 400 })).toBe(true)
    const { url, knock } = await createServed({ filled: database })
    const { authorization } = await knock({ plan: 'api' })
    const other = await createTestDatabase()
    await seedLedger(other.pool)
    // A server of the same database that has no access to the history.
    database.history = null
    const bare = await createServed({ filled: database })
    const bareKey = await bare.knock({ plan: 'api' })
    database.history = reader

    const ask = async (path: string) => {
      const response = await fetch(`${url}${path}`, { headers: { authorization } })
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
    }
    const NEW = '/v1/events?limit=10&page=1'
    let asked = 0
    /** Another page of older events at each call: answers are kept for a while. */
    const old = () => {
      asked += 1
      return `/v1/events?limit=5&page=${60 + asked}`
    }
    const countEvents = async () => (await database.pool.query('SELECT count(*)::int AS n FROM event')).rows[0].n

    const onClient = async <T>({ pool }: TestDatabase, work: (client: PoolClient) => Promise<T>): Promise<T> => {
      const client = await pool.connect()
      return work(client).finally(() => client.release())
    }

    /** Asks for old and new events while something is wrong, and again when it is right. */
    async function expectRefused(spoil: () => Promise<() => Promise<void>>): Promise<void> {
      expect((await ask(old())).status).toBe(200)
      faults.length = 0
      const mend = await spoil()
      for (let times = 0; times < 2; times += 1) {
        const refused = await ask(old())
        expect(refused).toMatchObject({ status: 503, retryAfter: expect.any(String) })
        expect(refused.text).toContain('Older events cannot be read at the moment')
        expect((await ask(NEW)).status).toBe(200)
      }
      expect(faults).toHaveLength(1)
      await mend()
      expect((await ask(old())).status).toBe(200)
      expect(faults).toEqual([expect.any(String), 'recovered'])
    }

    test('a history that is away is a 503 for older events alone, and one line at its begin and at its end', () =>
      expectRefused(under.hide))

    test('a damaged part is a 503 for older events alone', () => expectRefused(under.damage))

    test('doctor counts the events, and exits with 1 where a part is damaged', async () => {
      const doctor = () =>
        runCommand(['doctor', '--sample', '0'], { DATABASE_URL: database.url, [under.setting]: under.place })
      const found = ({ printed }: { printed: string[] }) => printed.filter((line) => line.includes('history'))
      const whole = await doctor()
      expect(found(whole)).toEqual([expect.stringMatching(/^ok {4}the history has \d+ events in \d+ segments$/)])
      const mend = await under.damage()
      const damaged = await doctor()
      await mend()
      expect(found(damaged)).toEqual([expect.stringMatching(/^bad {3}the history: /)])
      expect(damaged.code).toBe(1)
    })

    test('an API without the setting refuses older events, and a program does not start', async () => {
      await expect(requireHistory({ pool: database.pool, history: null })).rejects.toThrow('must name')
      await requireHistory(database)
      const response = await fetch(`${bare.url}${old()}`, { headers: { authorization: bareKey.authorization } })
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('HISTORY_URL is not set')])
    })

    const HOURS_MS = 7_200_000
    /** `laterMs`: the age of everything that is there. */
    const prepare = async (at: TestDatabase, laterMs = HOURS_MS): Promise<void> => {
      const writer = reader.openWriter()
      await onClient(at, (client) =>
        prepareHistory(client, writer, reader.setting, new Date(Date.now() + laterMs)),
      ).finally(writer.close)
    }

    test('the history of another index is neither read nor changed', async () => {
      const before = await under.listSegments()
      await expect(prepare(other)).rejects.toThrow('the history of another index')
      expect(await under.listSegments()).toEqual(before)
      const lines: string[] = []
      const another = openStoreAt(under.place, { onFault: (reason) => lines.push(reason), onRecovery: () => {} })
      await expect(another.requireId('another')).rejects.toThrow('Older events cannot be read')
      expect(lines).toEqual([expect.stringMatching(/^the (folder|database) has the history of another index$/)])
      await another.close()
    })

    test('a history without one of its segments is not swept, because another may have its events', async () => {
      const mend = await under.lose()
      const left = await under.leave()
      await expect(prepare(database)).rejects.toThrow(`${under.setting} lacks`)
      expect(await under.listSegments()).toContain(left)
      await mend()
      await prepare(database)
      expect(await under.listSegments()).not.toContain(left)
    })

    test('a young segment that the database does not name stays, because a newer leader may name it', async () => {
      const left = await under.leave()
      await prepare(database, 0)
      expect(await under.listSegments()).toContain(left)
      await prepare(database)
      expect(await under.listSegments()).not.toContain(left)
    })

    test('a history that cannot be written is one line, and the move goes on when it can', async () => {
      const left = await countEvents()
      const lines: string[] = []
      const say = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`)
      const ending = new AbortController()
      const mend = await under.block()
      const moving = moveHistory(
        {
          ...{ database, store: reader, rules: { ...MOVE_ALL, most: 50 }, log: { info: say, warn: say } as never },
          ...{ lookMs: 20, clock: systemClock },
        },
        ending.signal,
      )
      await expect.poll(() => lines).toEqual([expect.stringContaining('they stay in the database; trying again')])
      expect(await countEvents()).toBe(left)
      await mend()
      await expect.poll(countEvents).toBeLessThan(left - 60)
      await expect.poll(() => lines.some((line) => line.startsWith(`events move to ${under.setting} again`))).toBe(true)
      ending.abort()
      await moving
    })
  })
