// A replica has the newest block, and lacks rows of an event, of its token or of its wallet. Answers must have the event.
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { ReadServer } from '../../src/database/client.ts'
import { createHead } from '../../src/ledger/head.ts'
import { createReader, type Reading } from '../../src/ledger/read/consistent-read.ts'
import { type EventScope, readEventsByNumber } from '../../src/ledger/read/event.ts'
import { readEventPages } from '../../src/ledger/read/event-page.ts'
import { readMeetings } from '../../src/ledger/read/meeting.ts'
import { createTestDatabase } from '../support/database.ts'
import { withHistory } from '../support/moved.ts'
import { type SeededEvent, seedLedger } from '../support/seed.ts'

const SIZE = { tokens: 6, wallets: 10, events: 300 }
const MOVED = 200
const ALL: EventScope = { tokenId: null, walletId: null, type: null }

const whole = await createTestDatabase()
const { events } = await seedLedger(whole.pool, SIZE)
const { store, move } = await withHistory(whole)
await whole.pool.query('UPDATE chain SET finalized = (SELECT max(number) FROM block)')
expect(await move({ least: MOVED, most: MOVED })).toBe(true)
const watch = await createHead(whole, systemClock)
afterAll(() => watch.stop())

/** A copy of the moved database, which then loses rows. */
async function copyWithout(damage: string): Promise<ReadServer> {
  const copy = await createTestDatabase()
  await seedLedger(copy.pool, SIZE)
  const { rows } = await whole.pool.query('SELECT * FROM history_segment')
  await copy.pool.query(
    'INSERT INTO history_segment SELECT * FROM jsonb_populate_recordset(NULL::history_segment, $1)',
    [JSON.stringify(rows)],
  )
  const { rows: chains } = await whole.pool.query('SELECT history_id AS id FROM chain')
  await copy.pool.query('UPDATE chain SET history_id = $1', [chains[0].id])
  await copy.pool.query('DELETE FROM event WHERE n <= (SELECT max(last_n) FROM history_segment)')
  expect((await copy.pool.query(damage)).rowCount).toBeGreaterThan(0)
  return { pool: copy.requestPool, cancel: copy.cancel }
}

const oldest = events[0] as SeededEvent
const newest = events.at(-1) as SeededEvent
const DAMAGES: Readonly<Record<string, string>> = {
  'the wallet of events in the history': `DELETE FROM wallet WHERE id = ${oldest.walletId}`,
  'the token of events in the history': `DELETE FROM token WHERE id = ${oldest.tokenId}`,
  'the wallet of events in the database': `DELETE FROM wallet WHERE id = ${newest.walletId}`,
  'events in the database': `DELETE FROM event WHERE n = ${MOVED + 50}`,
}

const page = (reading: Reading, scope: EventScope, total: number, offset: number) =>
  readEventPages(reading, [
    {
      ...{ ...scope, since: null, until: null, after: null, before: null },
      ...{ offset, limit: 100, oldestFirst: false, total },
    },
  ])

/** Reads from the replica first, as an API process does. */
function readFrom(replica: ReadServer, primary: ReadServer = whole, head = watch) {
  let asked = 0
  const choose = () => {
    asked += 1
    return replica
  }
  const replicas = { choose, leave: () => {} }
  const read = createReader({ primary, replicas, watch: head, history: store, prepare: (reading) => reading })
  return { read, asked: () => asked }
}

for (const [name, damage] of Object.entries(DAMAGES))
  test(`pages have all events although a replica lacks ${name}`, async () => {
    const { read, asked } = readFrom(await copyWithout(damage))
    for (const offset of [0, 50, 100, 200]) {
      const [answer] = await read((reading) => page(reading, ALL, events.length, offset))
      const numbers = Array.from({ length: 100 }, (_, at) => events.length - offset - at)
      expect(answer?.items.map(({ n }) => n)).toEqual(numbers)
    }
    const ns = events.map((_, at) => at + 1)
    const byNumber = await read((reading) => readEventsByNumber(reading, ns))
    expect(byNumber.map(({ n }) => n).sort((a, b) => a - b)).toEqual(ns)
    expect(asked()).toBe(5)
  })

test('an answer that the primary itself lacks rows of is refused, and no shorter one is given', async () => {
  const damaged = await copyWithout(DAMAGES['events in the database'] ?? '')
  const { read } = readFrom(damaged, damaged)
  const asked = read((reading) => page(reading, ALL, events.length, 0))
  await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('lacks') })
})

test('a page of a wallet and a token has all old events although a replica lacks the wallet', async () => {
  const { tokenId, walletId } = oldest
  const { read } = readFrom(await copyWithout(`DELETE FROM wallet WHERE id = ${walletId}`))
  const isOfBoth = (event: SeededEvent) =>
    event.tokenId === tokenId && (event.walletId === walletId || event.counterpartyId === walletId)
  const ns = events.flatMap((event, at) => (isOfBoth(event) && at < MOVED ? [at + 1] : []))
  const meeting = { tokenId, walletId, type: null, since: null, until: null, after: null, before: null }
  const stretch = { offset: 0, limit: ns.length, oldestFirst: true }
  const met = await read((reading) => readMeetings(reading, meeting, stretch))
  expect(met.map(({ n }) => n)).toEqual(ns)
})

test('pages of an index without a history have all events although a replica lacks a wallet', async () => {
  const [kept, damaged] = [await createTestDatabase(), await createTestDatabase()]
  for (const { pool } of [kept, damaged]) await seedLedger(pool, SIZE)
  await damaged.pool.query('DELETE FROM wallet WHERE id = $1', [newest.walletId])
  const head = await createHead(kept, systemClock)
  const { read } = readFrom({ pool: damaged.requestPool, cancel: damaged.cancel }, kept, head)
  const [answer] = await read((reading) => page(reading, ALL, events.length, 0))
  expect(answer?.items).toHaveLength(100)
  const found = await read((reading) => readEventsByNumber(reading, [1, events.length]))
  expect(found).toHaveLength(2)
  await head.stop()
})
