// What an index asks of its provider, counted on whole recorded blocks of Ethereum. Multicall3 changes the number of
// calls, and no row of the index.
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { indexToHead } from '../support/live.ts'
import { type CountedEndpoint, countCalls, withMulticall } from '../support/multicall.ts'
import { createRecordedBlocks, hasRecordedBlocks } from '../support/recorded-blocks.ts'

const TABLES = ['token', 'wallet', 'pool', 'position']

async function index(node: CountedEndpoint): Promise<TestDatabase> {
  const preset = { ...loadPreset(1), startBlock: 1 }
  const database = await createTestDatabase()
  const rpc = createRpc({ endpoints: [node], clock: systemClock, chainId: preset.chainId })
  const source = createSource({ rpc, preset, clock: systemClock })
  await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
  return database
}

const rowsOf = async ({ pool }: TestDatabase, table: string) =>
  (await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t ORDER BY 1`)).rows

describe.skipIf(!hasRecordedBlocks)('whole blocks of Ethereum (skipped where ../shared/data is absent)', () => {
  test('take under an eightieth of the calls of contracts through Multicall3, with the same rows', async () => {
    const { node, logs } = createRecordedBlocks({ chainId: 1 })
    const [single, together] = [countCalls(node), withMulticall(node)]
    const [before, after] = [await index(single), await index(together)]
    const count = (counted: CountedEndpoint) => counted.calls.get('eth_call') ?? 0
    // docs/scaling.md has these figures.
    expect([logs, count(single), count(together)]).toEqual([4_657, 13_898, 173])
    expect([single.requests, together.requests]).toEqual([171, 43])
    expect([...together.calls.keys()]).toEqual([...single.calls.keys()])
    for (const table of TABLES) {
      const rows = await rowsOf(before, table)
      expect(rows.length, table).toBeGreaterThan(0)
      expect(await rowsOf(after, table), table).toEqual(rows)
    }
  })

  test('take some calls of contracts a block while each is written by itself, with nothing known before', async () => {
    const { node } = createRecordedBlocks({ chainId: 1 }, false)
    const together = withMulticall(node)
    await index(together)
    expect([together.calls.get('eth_call'), together.requests]).toEqual([237, 97])
  })
})
