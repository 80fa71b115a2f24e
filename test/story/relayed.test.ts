// The demo chain as if another account paid for every call: by accounts with code, an entry point, and a forwarder. The index
// says of it what it says of the demo, but for the services themselves and what no log shows.
import { beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { FORWARDER, RELAYER, relay, type Way } from '../support/relayed.ts'
import { compareTellings, type Fact, indexRecording } from '../support/relayed-demo.ts'

let demo: TestDatabase
beforeAll(async () => {
  demo = await createDemoDatabase()
})

/** What must not differ at all. */
const EQUAL: readonly Fact[] = ['liquidity changes', 'links', 'deployers', 'pulls', 'flags', 'scores']
/**
 * The most differences of the others. In six trades a hook settles the native coin, which no log shows. Owners call five
 * times an account contract, which then buys or sells for the native coin. A relayer of the demo called before. It is the
 * first funder of a deployer that nobody had funded.
 */
const MOST: Partial<Record<Fact, number>> = {
  trades: 11,
  transfers: 12,
  profits: 16,
  classes: 5,
  funders: 2,
  holders: 2,
}

async function index(way: Way, forwarders: readonly (typeof FORWARDER)[]): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await indexRecording(database, relay(demoRecording(), way).relayed, { forwarders: [...forwarders] })
  return database
}

const readRelayer = async ({ pool }: TestDatabase) =>
  (
    await pool.query<Record<string, unknown>>(
      `SELECT w.kind, w.indexed, w.event_count, w.deployed_count, w.pulled_count, s.classification
       FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE w.address = $1`,
      [RELAYER],
    )
  ).rows[0]

test.each(['delegated', 'operation', 'bundle', 'hub', 'forwarded'] as const)(
  '%s: accounts did what they did',
  async (way) => {
    const database = await index(way, [FORWARDER])
    const found = await compareTellings(demo, database)
    for (const fact of EQUAL) expect([fact, found[fact].differ]).toEqual([fact, []])
    for (const [fact, most] of Object.entries(MOST))
      expect(found[fact as Fact].differ.length, fact).toBeLessThanOrEqual(most)
    const none = { event_count: 0, deployed_count: 0, pulled_count: 0 }
    expect(await readRelayer(database)).toEqual({ kind: 'account', indexed: true, classification: 'relayer', ...none })
  },
)

test('unnamed: a forwarder that nobody configured names nobody, and its caller did nothing either', async () => {
  const database = await index('unnamed', [])
  const found = await compareTellings(demo, database)
  expect(found.pulls.differ).toEqual([])
  expect(found['liquidity changes'].differ.length).toBeLessThanOrEqual(1)
  expect(await readRelayer(database)).toMatchObject({ classification: 'relayer', deployed_count: 0, pulled_count: 0 })
})
