// Attacks with bodies: deep, odd or compressed JSON, and endless alerts.
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { MAX_ALERTS } from '../../../src/ledger/account/alert.ts'
import { type Attack, repeat, type Target } from './attack.ts'

const LENGTH = 16_000
const nest = (open: string, close: string, length = LENGTH) => {
  const depth = Math.floor(length / (open.length + close.length))
  return `${open.repeat(depth)}${close.repeat(depth)}`
}

const BODIES: readonly string[] = [
  nest('[', ']'),
  nest('{"a":', '}').replace('}', '1}'),
  `{"name":"${'\\\\'.repeat(LENGTH / 2 - 20)}"}`,
  `{"name":"${'\\u0000'.repeat(LENGTH / 6 - 20)}"}`,
  '{"__proto__":{"name":"x"},"constructor":{"prototype":{"conditions":{}}}}',
  `{"name":"x","conditions":{"max_risk_score":${'9'.repeat(LENGTH - 100)}}}`,
  '{"name":"x","conditions":{"max_risk_score":1e999}}',
  `{"name":"x","conditions":{"exclude_flags":[${'"wash_trading",'.repeat(900)}"x"]}}`,
  `{${Array.from({ length: 1_400 }, (_, at) => `"k${at}":1`).join(',')}}`,
  `{"name":"${'‮𝒳'.repeat(2_000)}","conditions":{}}`,
  `{"name":"x","name":"y",${' '.repeat(LENGTH - 100)}"conditions":{}}`,
  '\ufeff{"name":"x"}',
  '"'.repeat(LENGTH),
  'null',
]

const post = (
  { client, stage }: Target,
  body: string | Buffer,
  headers: Record<string, string> = {},
  path = '/v1/alerts',
) =>
  client.ask({
    method: 'POST',
    path,
    body,
    headers: { authorization: `Bearer ${stage.keys.trusted}`, 'content-type': 'application/json', ...headers },
  })

const BOMBS = { gzip: gzipSync(Buffer.alloc(50_000_000, ' ')), br: brotliCompressSync(Buffer.alloc(50_000_000, ' ')) }
/** Alerts that the account has before it makes more. */
const ALERTS_BEFORE = MAX_ALERTS - 200
const ALERT = JSON.stringify({ name: 'storm', conditions: { min_liquidity_usd: 1e15 } })

/** Removes the attack's data, so that the next one starts from the same state. */
async function clear({ stage }: Target): Promise<void> {
  const remove = () => stage.pool.query(`DELETE FROM alert WHERE name LIKE 'storm%'`)
  // PostgreSQL ends one of two that wait for each other: this one or a sweep, which then runs again.
  await remove().catch(remove)
}

export const bodyAttacks: Attack[] = [
  {
    name: 'deep, long or odd JSON',
    short: true,
    // 201: a name that is given twice is legal JSON, and the later one counts.
    allowed: /^(201|400|413|415|422|429|503|closed)$/,
    run: (target) =>
      repeat(target, { times: 420, atOnce: 8 }, async (round) => {
        await post(target, BODIES[round % BODIES.length] ?? '')
      }),
  },
  {
    name: 'deep, long or odd JSON to /graphql',
    allowed: /^(400|413|415|429|503|closed)$/,
    run: (target) =>
      repeat(target, { times: 420, atOnce: 8 }, async (round) => {
        await post(target, BODIES[round % BODIES.length] ?? '', {}, '/graphql')
      }),
  },
  {
    name: 'compressed bodies of 50 MB',
    allowed: /^(400|413|415|429|503|closed)$/,
    run: (target) =>
      repeat(target, { times: 100, atOnce: 8 }, async (round) => {
        const coding = round % 2 ? 'gzip' : 'br'
        await post(target, BOMBS[coding], { 'content-encoding': coding }, round % 3 ? '/graphql' : '/v1/alerts')
      }),
  },
  {
    name: 'bodies of 20 MB, with and without a length',
    allowed: /^(400|413|415|429|503|closed)$/,
    run: (target) =>
      repeat(target, { times: 30, atOnce: 4 }, async (round) => {
        const body = Buffer.alloc(20_000_000, 'x')
        await post(
          target,
          body,
          round % 2 ? { 'transfer-encoding': 'chunked' } : {},
          round % 3 ? '/graphql' : '/v1/alerts',
        )
      }),
  },
  {
    name: 'thousands of Idempotency-Keys',
    run: async (target) => {
      const keyOf = (round: number) => `storm-${round}-${'k'.repeat(200)}`
      await repeat(target, { times: 1_500, atOnce: 8 }, async (round) => {
        await post(target, ALERT, { 'idempotency-key': keyOf(round) })
      })
      await clear(target)
    },
  },
  {
    name: 'one Idempotency-Key 200 times at once',
    run: async (target) => {
      await repeat(target, { times: 200, atOnce: 40 }, async () => {
        await post(target, ALERT, { 'idempotency-key': 'storm-one' })
      })
      const { rows } = await target.stage.pool.query(`SELECT FROM alert WHERE name = 'storm'`)
      if (rows.length > 1) target.tally.fault(`one Idempotency-Key made ${rows.length} alerts`)
      await clear(target)
    },
  },
  {
    name: 'more alerts than an account may have',
    needed: /^403$/,
    run: async (target) => {
      const body = JSON.stringify({ name: 'storm', conditions: {} })
      await post(target, body)
      await target.stage.pool.query(
        `INSERT INTO alert SELECT c.* FROM alert a, generate_series(2, $1) n,
           jsonb_populate_record(a, jsonb_build_object('id', md5(n::text))) c WHERE a.name = 'storm'`,
        [ALERTS_BEFORE],
      )
      await repeat(target, { times: 1_000, atOnce: 8 }, async () => {
        await post(target, body)
      })
      const { rows } = await target.stage.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM alert WHERE name = 'storm'`,
      )
      const count = rows[0]?.count ?? 0
      if (count > MAX_ALERTS) target.tally.fault(`one account has ${count} alerts`)
      await clear(target)
    },
  },
]
