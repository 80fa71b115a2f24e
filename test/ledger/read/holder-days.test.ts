// The largest holders at the start of earlier days, against the sums of the recorded Transfers up to then.
import { afterAll, expect, test } from 'vitest'
import { TRANSFER_TOPIC } from '../../../src/chain/contracts/topics.ts'
import { DAY_HOLDERS, HOLDER_DAYS, MOST_POSITIONS } from '../../../src/ledger/read/holder-days.ts'
import { createDemoDatabase, demoRecording } from '../../support/demo.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'

const database = await createDemoDatabase()
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

interface Day {
  start: string
  holders: { address: string; holdingPct: number }[]
}

async function readDays(address: string): Promise<Day[] | null> {
  const query = `{ token(address: "${address}") { holderDays { start holders { address holdingPct } } } }`
  const { data } = await graph.execute(query, {}, SOMEBODY)
  return (data as { token: { holderDays: Day[] | null } }).token.holderDays
}

/** What each address held of the token before a time, by its Transfers alone. */
function sumTransfers(token: string, before: number): Map<string, bigint> {
  const held = new Map<string, bigint>()
  for (const { time, logs } of demoRecording().blocks) {
    if (time >= before) break
    for (const { address, topics, data } of logs) {
      if (address !== token || topics[0] !== TRANSFER_TOPIC || topics.length !== 3) continue
      const [from, to] = topics.slice(1).map((topic) => `0x${topic.slice(26)}`)
      held.set(from!, (held.get(from!) ?? 0n) - BigInt(data))
      held.set(to!, (held.get(to!) ?? 0n) + BigInt(data))
    }
  }
  return held
}

test('a token has at the start of each of the last days the holders that its Transfers up to then tell', async () => {
  const { rows } = await database.pool.query<{ address: string; supply: string }>(
    // Wrapped coin comes and goes without a Transfer.
    `SELECT address, supply FROM token WHERE kind = 'erc20' AND supply > 0 AND price_hops > 0
     ORDER BY event_count DESC LIMIT 6`,
  )
  let moved = 0
  for (const { address, supply } of rows) {
    const days = await readDays(address)
    expect(days).toHaveLength(HOLDER_DAYS)
    for (const { start, holders } of days!) {
      const held = sumTransfers(address, Date.parse(start) / 1_000)
      const largest = [...held.values()].filter((balance) => balance > 0n).sort((a, b) => (a < b ? 1 : -1))
      expect(holders.length).toBe(Math.min(DAY_HOLDERS, largest.length))
      for (const [at, holder] of holders.entries()) {
        const share = (balance: bigint | undefined) => (100 * Number(balance ?? 0n)) / Number(supply)
        expect(holder.holdingPct).toBeCloseTo(Math.min(100, share(held.get(holder.address))), 5)
        expect(holder.holdingPct).toBeCloseTo(Math.min(100, share(largest[at])), 5)
      }
    }
    if (JSON.stringify(days![0]!.holders) !== JSON.stringify(days!.at(-1)!.holders)) moved += 1
  }
  expect(moved).toBeGreaterThan(3)
})

test('a token that more addresses have held than are read has no earlier days, and not wrong ones', async () => {
  const { rows } = await database.pool.query<{ id: number; address: string }>(
    `SELECT id, address FROM token WHERE kind = 'erc20' ORDER BY id DESC LIMIT 1`,
  )
  const { id, address } = rows[0]!
  expect(await readDays(address)).not.toBeNull()
  await database.pool.query(
    `INSERT INTO "position" SELECT copy.* FROM (SELECT * FROM position WHERE token_id = $1 LIMIT 1) old,
       generate_series(1000000, 1000000 + $2::int) n,
       jsonb_populate_record(NULL::"position", to_jsonb(old) || jsonb_build_object('wallet_id', n)) copy`,
    [id, MOST_POSITIONS],
  )
  expect(await readDays(address)).toBeNull()
})
