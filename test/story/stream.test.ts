// Readers of streams on a live chain that is reorganised: each reader's events by id equal the ledger's, in every
// process.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createHead, type HeadWatch } from '../../src/ledger/head.ts'
import { ANVIL_MISSING, anvilBinary } from '../support/anvil.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createLive, indexToHead, type Live } from '../support/live.ts'
import { createTestServer, type TestServer } from '../support/rest.ts'
import { createRounds, type Rounds } from '../support/rounds.ts'
import { readSse, type SseReader } from '../support/sse.ts'

const title = `streams on a live chain${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`

describe.skipIf(!anvilBinary)(title, () => {
  let live: Live
  let rounds: Rounds
  let database: TestDatabase
  const heads: HeadWatch[] = []
  const servers: TestServer[] = []

  beforeAll(async () => {
    database = await createTestDatabase()
    live = await createLive({ slotsInAnEpoch: 60 })
    rounds = await createRounds(live, 3)
    await rounds.play(10)
    await indexToHead(database, live)
    for (let n = 0; n < 2; n += 1) {
      const head = await createHead(database, systemClock)
      heads.push(head)
      servers.push(await createTestServer({ database, streams: { head } }))
    }
  })
  afterAll(async () => {
    for (const head of heads) await head.stop()
    await live?.anvil.stop()
  })

  /** A reader that adds new events and removes retracted ones; fails for an impossible message. */
  function holdings(messages: readonly SseReader['messages'][number][]): string[] {
    const held = new Map<string, string>()
    for (const { data } of messages) {
      expect([data.id, held.has(data.id)]).toEqual([data.id, data.retracted])
      if (data.retracted) held.delete(data.id)
      else held.set(data.id, `${data.id} ${data.tx_hash}`)
    }
    return [...held.values()].sort()
  }

  async function expected(after: string): Promise<string[]> {
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT block_number || '-' || log_index || '-' || coalesce(part, 0) || ' 0x' || encode(tx_hash, 'hex') AS text FROM event
       WHERE (block_number, log_index, coalesce(part, 0)) > ($1::int, $2::int, $3::int)`,
      after.split(/[-.]/).slice(0, 3),
    )
    return rows.map(({ text }) => text).sort()
  }

  test('equal the ledger after reorganisations, also when readers come back to another process in between', async () => {
    const [first, second] = servers as [TestServer, TestServer]
    const { authorization } = await first.knock({ plan: 'pro' })
    const open = (server: TestServer, headers = {}) =>
      readSse(`${server.url}/v1/stream/events`, { headers: { authorization, ...headers } })
    const steady = await open(first)
    const moving = await open(second)
    await expect.poll(steady.lastId).not.toBe('')
    const start = steady.lastId()
    await rounds.play(4)
    await indexToHead(database, live)
    await expect.poll(() => holdings(steady.messages)).toEqual(await expected(start))
    await expect.poll(() => holdings(moving.messages)).toEqual(await expected(start))
    moving.close()
    await live.rollBack(3)
    await rounds.play(2)
    expect(await indexToHead(database, live)).toContain('rollback')
    const back = await open(first, { 'last-event-id': moving.lastId() })
    // Not below the start of the readers: earlier events are new to them too.
    await live.rollBack(3)
    await rounds.play(6)
    expect(await indexToHead(database, live)).toContain('rollback')
    await expect.poll(() => holdings(steady.messages)).toEqual(await expected(start))
    await expect.poll(() => holdings([...moving.messages, ...back.messages])).toEqual(await expected(start))
    expect(steady.messages.some(({ data }) => data.retracted)).toBe(true)
  })
})
