// The share of a chain's swaps that the index saw, on the demo chain and with logs of exchanges that are not read.
import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { keccakOfText } from '../../src/chain/keccak.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { measureCoverage } from '../../src/indexing/coverage.ts'
import { measureOnce } from '../../src/indexing/coverage-watch.ts'
import { readBacklog } from '../../src/ledger/backlog.ts'
import { findNewest } from '../../src/ledger/read/chain.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'

const preset = loadPreset(DEMO_CHAIN_ID)
let database: TestDatabase
beforeAll(async () => {
  database = await createDemoDatabase()
})

/** A swap of an exchange that is not read. */
const strange = (address: string, block: number, logIndex: number) => ({
  address,
  topics: [keccakOfText('Trade(address,bytes32,address,address,uint256,uint256)')],
  data: '0x',
  blockNumber: `0x${block.toString(16)}`,
  blockHash: `0x${'1'.repeat(64)}`,
  transactionHash: `0x${'2'.repeat(64)}`,
  logIndex: `0x${logIndex.toString(16)}`,
})

describe('the coverage of the newest blocks', () => {
  it('is that of all pools but the pair of an unnamed factory on the demo chain, with dollars', async () => {
    const rpc = createRpc({ endpoints: [createReplay(demoRecording(), {})], clock: systemClock })
    const newest = (await findNewest(database.pool)) ?? 0
    const coverage = await measureCoverage({ rpc, pool: database.pool, preset }, newest - 99, newest)
    expect(coverage.swaps).toBeGreaterThan(10)
    const missed = coverage.swaps - coverage.read
    expect(missed).toBeGreaterThan(0)
    expect(coverage.unread).toMatchObject([{ exchange: 'uniswap_v2_like', swaps: missed }])
    const { rows: known } = await database.pool.query('SELECT FROM pool WHERE address = $1', [
      coverage.unread[0]?.address,
    ])
    expect(known).toEqual([])
    expect(coverage.exchanges.some(({ usd }) => usd > 0)).toBe(true)
    const { rows } = await database.pool.query<{ swaps: number }>(
      'SELECT count(DISTINCT (block_number, log_index))::int AS swaps FROM event WHERE type = 1 AND block_number > $1',
      [newest - 100],
    )
    expect(coverage.read).toBeGreaterThanOrEqual(rows[0]?.swaps ?? 0)
  })

  it('names the contracts that were not read, the most swaps first and twenty at most', async () => {
    const contract = (at: number) => `0x${at.toString(16).padStart(40, '0')}`
    const logs = Array.from({ length: 30 }, (_, at) => strange(contract(at + 1), 5, at))
    const rpc = { call: async () => [...logs, strange(contract(7), 5, 40)] }
    const coverage = await measureCoverage({ rpc, pool: database.pool, preset }, 5, 5)
    expect(coverage).toMatchObject({ swaps: 31, read: 0, unreadContracts: 30 })
    expect(coverage.unread).toHaveLength(20)
    expect(coverage.unread[0]).toEqual({ address: contract(7), exchange: 'hashflow_v1', swaps: 2 })
  })

  it('is in the status and the metrics after a measurement', async () => {
    const metrics = createMetrics()
    expect(await readBacklog(database.pool)).toMatchObject({ swapsBlock: null, swapsKnown: null, swapsRead: null })
    const newest = (await findNewest(database.pool)) ?? 0
    const rpc = {
      call: async () => [strange(`0x${'9'.repeat(40)}`, newest, 5000), strange(`0x${'9'.repeat(40)}`, newest, 5001)],
    }
    const rest = { database: { pool: database.pool, writePool: database.pool }, clock: systemClock, preset }
    await measureOnce({ ...rest, rpc, metrics, log: { debug: () => {} } })
    expect(await readBacklog(database.pool)).toMatchObject({ swapsBlock: newest, swapsKnown: 2, swapsRead: 0 })
    const text = await metrics.text()
    expect(text).toContain('assay_coverage_swaps_total 2')
    expect(text).toContain('assay_coverage_swaps_read_total 0')
  })

  it('is of more blocks on a fast chain, in one request', async () => {
    const asked: number[] = []
    const rpc = {
      call: async ({ params }: { params: readonly unknown[] }) => {
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
        asked.push(Number(toBlock) - Number(fromBlock) + 1)
        return []
      },
    }
    // Of a fast chain 100 blocks took 20 seconds. The pool answers that, and the rest is the demo chain's.
    const pool = Object.create(database.pool, {
      query: {
        value: (text: unknown, ...rest: unknown[]) =>
          String(text).includes('AS seconds')
            ? { rows: [{ seconds: 0.2 }] }
            : database.pool.query(text as string, ...(rest as [])),
      },
    })
    const rest = { database: { pool, writePool: database.pool }, clock: systemClock, preset, metrics: createMetrics() }
    await measureOnce({ ...rest, rpc, log: { debug: () => {} } })
    expect(asked).toEqual([20])
  })

  it('asks for fewer blocks where a provider refuses the range, and ignores logs outside of it', async () => {
    const asked: number[] = []
    const rpc = {
      call: async ({ params }: { params: readonly unknown[] }) => {
        const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
        const blocks = Number(toBlock) - Number(fromBlock) + 1
        if (blocks > 5) throw new RpcError('range', 'too many blocks')
        asked.push(blocks)
        return [strange(`0x${'9'.repeat(40)}`, 99, 0)]
      },
    }
    const coverage = await measureCoverage({ rpc, pool: database.pool, preset }, 1, 12)
    expect(asked).toEqual([5, 5, 2])
    expect(coverage).toMatchObject({ from: 1, to: 12, swaps: 0 })
  })
})
