// `npm run bench -- backtest [--days N] [--tokens N] [--changes N]` measures a backtest over stored sweeps. There is a
// block every 12 s, and the native coin moves in each. So many changes of tokens come each day, most of them of few
// tokens. The same in every run.
import { parseArgs } from 'node:util'
import { createBacktest } from '../../src/alerts/backtest.ts'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { encodeChanges, type TokenChange } from '../../src/ledger/alerts/changes.ts'
import { BEFORE_HISTORY, readHistoryRows, writeHistory } from '../../src/ledger/alerts/history.ts'
import type { BaselineRow } from '../../src/ledger/alerts/sweep.ts'
import { createRandom } from '../support/seed.ts'
import { findDatabase } from './database.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    tokens: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '100000' },
  },
})
const [days, tokens, changes] = [Number(values.days), Number(values.tokens), Number(values.changes)]
const BLOCK_SECONDS = 12
const START = 1_760_000_000
const random = createRandom(11)
const say = (line: string) => process.stdout.write(`${line}\n`)
const upTo = (powers: number) => 10 ** (powers * random())

const UNIT = 1
const states: Omit<BaselineRow, 'address'>[] = Array.from({ length: tokens }, (_, at) => ({
  tokenId: at + 2,
  liquidityUsd: upTo(6),
  marketCap: upTo(5),
  unit: random() < 0.9 ? UNIT : 0,
  riskScore: 100 * random(),
  flagBits: 0,
  contractMarks: 0,
  holderGrowth1hPct: 0,
  createdAtMs: (START - 86_400 * 100 * random()) * 1_000,
}))

/** A token; the first ones trade most. */
const pick = () => Math.floor(tokens * random() ** 4)

function change(): TokenChange {
  const at = pick()
  const before = states[at] as BaselineRow
  const factor = 0.97 + 0.06 * random()
  const isScored = random() < 0.3
  const row = {
    ...before,
    liquidityUsd: before.liquidityUsd * factor,
    marketCap: before.marketCap * factor,
    ...(isScored && { riskScore: 100 * random(), holderGrowth1hPct: 60 * random() - 10 }),
  }
  states[at] = row
  return { row, price: row.marketCap / 1e6, before }
}

const ends: (() => unknown)[] = []
const database = openDatabase(await findDatabase(undefined, ends))
try {
  await migrate(database.pool)
  await database.pool.query('TRUNCATE alert_history')
  let usd = 3_000
  let bytes = 0
  let written = 0
  const blocks = (days * 86_400) / BLOCK_SECONDS
  for (let block = 0; block < blocks; block += 1) {
    usd *= 1 + 0.001 * (random() - 0.5)
    const due = Math.floor(((block + 1) * changes * BLOCK_SECONDS) / 86_400) - written
    written += due
    const moved = new Map(Array.from({ length: due }, change).map((one) => [one.row.tokenId, one]))
    const encoded = encodeChanges(
      block === 0 ? states.map((row) => ({ row, price: row.marketCap / 1e6, before: null })) : [...moved.values()],
    )
    bytes += encoded.length
    const head = { number: block, hash: '', timeMs: (START + block * BLOCK_SECONDS) * 1_000 }
    await writeHistory(database.pool, head, { kind: 'sweep', units: new Map([[UNIT, usd]]), changes: encoded })
  }
  await database.pool.query(
    `INSERT INTO chain (id, chain_id, name, start_block, source_head, finalized) VALUES (1, 1, 'bench', 0, $1, $1) ON CONFLICT (id) DO UPDATE SET finalized = $1`,
    [blocks],
  )
  const { rows } = await database.pool.query<{ size: string }>(
    `SELECT pg_total_relation_size('alert_history')::float8 AS size`,
  )
  const perDay = Number(rows[0]?.size) / days
  say(
    `${blocks} blocks, ${written} changes, ${(bytes / 2 ** 20).toFixed(0)} MB encoded; on disk ${(perDay / 2 ** 20).toFixed(1)} MB a day, ${(perDay / tokens).toFixed(0)} bytes per token and day`,
  )
  const filters: Record<string, TokenFilter> = {
    'liquidity and risk': { minLiquidityUsd: 50_000, maxRiskScore: 40 },
    'market cap of every token': { minMarketCapUsd: 1_000_000 },
    'market cap between': { minMarketCapUsd: 100_000, maxMarketCapUsd: 10_000_000, maxRiskScore: 60 },
  }
  for (const [name, filter] of Object.entries(filters)) {
    const started = performance.now()
    const test = createBacktest(filter, START * 1_000)
    for (let after = BEFORE_HISTORY; ; ) {
      const page = await readHistoryRows((text, values) => database.pool.query(text as never, values), after, 1e13)
      for (const row of page) test.add(row)
      const last = page.at(-1)
      if (!last) break
      after = last.id
    }
    say(`${name}: ${((performance.now() - started) / 1_000).toFixed(2)} s, ${test.result().total} matches`)
  }
} finally {
  await database.close()
  for (const end of ends) await end()
}
