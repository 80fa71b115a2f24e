// Fills an empty, migrated database with a ledger of any size, the same for the same sizes. As on a chain, a few tokens
// and wallets have most of the events. It uses set-based SQL, so that 20 million events take minutes. It also writes
// the writer's counters and running numbers. Indexes are built last, as full as ones that grew row by row.
import type pg from 'pg'
import { packExplanation } from '../../src/ledger/explanation-pack.ts'
import { SAMPLE_EXPLANATION } from '../support/explanation.ts'

export interface Sizes {
  tokens: number
  wallets: number
  events: number
}

/**
 * SQL over an event's running number `n` and its `token_id`: its age, from 1 (the first event) to 0, and its wallet.
 */
export interface Shape {
  age(events: number): string
  walletId(sizes: Sizes): string
}

/** Events at an even rate, from wallets that are unrelated to the tokens. */
const EVEN: Shape = {
  age: (events) => `(1 - n::float8 / ${events})`,
  walletId: ({ tokens, wallets }) => `${tokens} + 1 + floor(${wallets} * power(${hash(12, 'n')}, 2))::int`,
}

/** Time of the newest block, and the seconds that the events span (thirty days). */
export const HEAD = '2026-01-31T12:00:00Z'
const SPAN_S = 30 * 86_400

/** SQL for a number from 0 to 1 that depends only on the expression and the salt. */
export const hash = (salt: number, expression: string) =>
  `(abs(hashint8extended(${expression}, ${salt})) % 1000003 / 1000003::float8)`

/** Writes the ledger into an empty database, then runs `more`. */
export async function loadLedger(
  pool: pg.Pool,
  sizes: Sizes,
  shape = EVEN,
  more: readonly string[] = [],
): Promise<void> {
  const { tokens, wallets } = sizes
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL work_mem = '512MB'`)
    await client.query(`SET LOCAL maintenance_work_mem = '512MB'`)
    const { drop, make } = await readIndexes(client)
    for (const statement of [
      ...drop,
      chainRows(),
      tokenRows(tokens),
      poolRows(tokens),
      walletRows(tokens, wallets),
      eventRows(sizes, shape),
      ...counters(),
      positionRows(),
      ...scores(),
      ...more,
      ...make,
      ...FOR_RIVALS,
    ]) {
      await client.query(statement)
    }
    await client.query('COMMIT')
    await client.query('VACUUM ANALYZE')
  } finally {
    client.release()
  }
}

/** An index for each order of a list of tokens: other servers need them to be compared fairly, and Assay reads none. */
const FOR_RIVALS = [
  'liquidity_usd DESC',
  'created_at DESC',
  'risk_score, liquidity_usd DESC',
  'trending_score DESC, liquidity_usd DESC',
  'volume_24h_micro_usd DESC',
].map((keys) => `CREATE INDEX ON token (${keys}, address) WHERE indexed`)

/** How full, in percent, the pages of an index are that grew row by row in random order. */
const GROWN_PCT = 70

/** SQL to drop and re-create all indexes of the filled tables. Re-created pages get the fill of indexes that grew. */
async function readIndexes(client: pg.PoolClient): Promise<{ drop: string[]; make: string[] }> {
  const { rows } = await client.query<{ name: string; owner: string; key: string | null; text: string }>(
    `SELECT i.indexrelid::regclass AS name, i.indrelid::regclass AS owner, pg_get_constraintdef(c.oid) AS key, pg_get_indexdef(i.indexrelid) AS text
     FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid WHERE i.indrelid = ANY($1::regclass[])`,
    [FILLED],
  )
  const density = `WITH (fillfactor = ${GROWN_PCT})`
  return {
    drop: rows.map(({ name, owner, key }) =>
      key ? `ALTER TABLE ${owner} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`,
    ),
    make: rows.map(({ name, owner, key, text }) => {
      if (key) return `ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${key} ${density}`
      return text.includes(' WITH (') ? text : text.replace(/( WHERE .*)?$/, ` ${density}$1`)
    }),
  }
}

const FILLED = 'token pool wallet event position token_hour pool_day wallet_week link token_score wallet_score'.split(
  ' ',
)

const chainRows = () => `
  INSERT INTO chain (chain_id, name, start_block, source_head, finalized) VALUES (31337, 'Bench chain', 0, 10000000, 9999900)`

const tokenRows = (tokens: number) => `
  INSERT INTO token SELECT id, '0xa' || lpad(to_hex(id), 39, '0'), 'erc20', true, 'Token number ' || id, 'TK' || id, 18,
    power(10, 27), 0, date_trunc('second', timestamptz '${HEAD}' - ${hash(1, 'id')} * interval '60 days'), id, NULL,
    (ARRAY['uniswap_v2', 'uniswap_v3', 'sushiswap'])[1 + id % 3], false, id,
    power(10, -6 + 8 * ${hash(2, 'id')}), power(10, 3 + 6 * ${hash(3, 'id')}), power(10, 2 + 5 * ${hash(4, 'id')}), power(10, 7),
    timestamptz '${HEAD}' - interval '60 days', id, 0, 0, 0, (power(10, 6 + 6 * ${hash(5, 'id')}))::bigint, 0, 0, 0, 0, 0, 9000000 + id % 900000,
    round(100 * ${hash(6, 'id')}::numeric, 2)::float8,
    CASE WHEN id % 7 = 0 THEN ARRAY['wash_trading'] WHEN id % 11 = 0 THEN ARRAY['concentrated_ownership'] ELSE '{}' END,
    round(100 * ${hash(7, 'id')}::numeric, 4)::float8
  FROM generate_series(1, ${tokens}) AS id`

const poolRows = (tokens: number) => `
  INSERT INTO pool SELECT id, '0xc' || lpad(to_hex(id), 39, '0'), 'v2', '0xf' || lpad('1', 39, '0'), 'uniswap_v2', id, 1, 3000, id, 1, id, id,
    power(10, 24), power(10, 20), NULL, 0.0001, 20000, 40000, timestamptz '${HEAD}' - interval '60 days', id, 10000000
  FROM generate_series(1, ${tokens}) AS id`

/** The first wallets are the pools. */
const walletRows = (tokens: number, wallets: number) => `
  INSERT INTO wallet SELECT id, CASE WHEN id <= ${tokens} THEN '0xc' || lpad(to_hex(id), 39, '0') ELSE '0xb' || lpad(to_hex(id), 39, '0') END,
    true, CASE WHEN id <= ${tokens} THEN 'pool' ELSE 'account' END, timestamptz '${HEAD}' - ${hash(8, 'id')} * interval '60 days', id, NULL,
    0, 0, 0, 0, 0, 1000, 900, 800, 100, 12, 7, 150, 50, 4, 6, 1, 0, 0, timestamptz '${HEAD}', 10000000
  FROM generate_series(1, ${tokens + wallets}) AS id`

const eventRows = (sizes: Sizes, shape: Shape) => `
  WITH drawn AS (
    SELECT n, 1 + floor(${sizes.tokens} * power(${hash(11, 'n')}, 3))::int AS token_id
    FROM generate_series(1, ${sizes.events}::bigint) AS n
  ), raw AS (
    SELECT n, token_id, ${shape.walletId(sizes)} AS wallet_id,
      CASE WHEN ${hash(13, 'n')} < 0.7 THEN 1 WHEN ${hash(13, 'n')} < 0.75 THEN 2 WHEN ${hash(13, 'n')} < 0.8 THEN 3 ELSE 4 END AS type
    FROM drawn
  )
  INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id, wallet_n, wallet_type_n, pool_id,
    counterparty_id, type, direction, quantity, amount_usd, time, tx_hash)
  SELECT n, row_number() OVER (PARTITION BY type ORDER BY n), 10000000 * n / ${sizes.events}, n % 200, token_id,
    row_number() OVER (PARTITION BY token_id ORDER BY n), row_number() OVER (PARTITION BY token_id, type ORDER BY n), wallet_id,
    row_number() OVER (PARTITION BY wallet_id ORDER BY n), row_number() OVER (PARTITION BY wallet_id, type ORDER BY n), token_id, NULL,
    type, CASE WHEN type = 1 THEN 1 + n % 2 END, 1000 * ${hash(14, 'n')}, round((5000 * ${hash(15, 'n')})::numeric, 6),
    timestamptz '${HEAD}' - ${shape.age(sizes.events)} * interval '${SPAN_S} seconds', sha256(int8send(n))
  FROM raw ORDER BY n`

const counts = `count(*) AS event_count, count(*) FILTER (WHERE type = 1) AS swap_count, count(*) FILTER (WHERE type = 2) AS liquidity_add_count,
  count(*) FILTER (WHERE type = 3) AS liquidity_remove_count, count(*) FILTER (WHERE type = 4) AS transfer_count`
const setCounts = ['event', 'swap', 'liquidity_add', 'liquidity_remove', 'transfer']
  .map((name) => `${name}_count = c.${name}_count`)
  .join(', ')

const counters = () => [
  `UPDATE token SET ${setCounts} FROM (SELECT token_id, ${counts} FROM event GROUP BY 1) c WHERE token.id = c.token_id`,
  `UPDATE wallet SET ${setCounts} FROM (SELECT wallet_id, ${counts} FROM event GROUP BY 1) c WHERE wallet.id = c.wallet_id`,
  `INSERT INTO block SELECT 10000000, '0x' || repeat('ab', 32), '0x' || repeat('cd', 32), timestamptz '${HEAD}', c.*,
     (SELECT count(*) FROM token), (SELECT count(*) FROM wallet), (SELECT max(id) FROM token), (SELECT max(id) FROM wallet), (SELECT max(id) FROM pool)
   FROM (SELECT ${counts} FROM event) c`,
]

const positionRows = () => `
  INSERT INTO position (token_id, wallet_id, balance, cost_quantity, cost_usd, bought_usd, sold_usd, sold_known_usd, realised_usd, buy_rank, first_buy_at,
    opening_days, openings, event_count, swap_count, liquidity_add_count, liquidity_remove_count, transfer_count, first_at, last_at)
  SELECT token_id, wallet_id, floor(power(10, 20 + 5 * ${hash(21, 'token_id::bigint * 1000003 + wallet_id')})), 10, 20, 30, 5, 5, 1, NULL::int, NULL::timestamptz,
    CASE WHEN max(time) >= timestamptz '${HEAD}' - interval '6 days' THEN ARRAY[floor(extract(epoch FROM max(time)) / 86400)::int] ELSE '{}' END,
    CASE WHEN max(time) >= timestamptz '${HEAD}' - interval '6 days' THEN ARRAY[power(10, 2 + 5 * ${hash(23, 'token_id::bigint * 1000003 + wallet_id')})::float8] ELSE '{}' END,
    ${counts.replaceAll(/ AS \w+/g, '')}, min(time), max(time)
  FROM event GROUP BY token_id, wallet_id
  UNION ALL
  SELECT id, id, power(10, 26), 0, 0, 0, 0, 0, 0, NULL, NULL, '{}', '{}', 0, 0, 0, 0, 0, created_at, created_at FROM token
  ORDER BY 19`

const explanation = JSON.stringify(packExplanation(SAMPLE_EXPLANATION))

const scores = () => [
  'UPDATE token SET holder_count = c.count, funded_holder_count = c.count, funded_holder_count_1h_ago = greatest(c.count - 2, 0) FROM (SELECT token_id, count(*) FROM position GROUP BY 1) c WHERE id = c.token_id',
  `INSERT INTO token_score SELECT id, 10000000, timestamptz '${HEAD}', risk_score, 'medium', 40, 50, 60, 50, 2, 'accumulating', 55,
     'TK' || id || ' has ' || holder_count || ' holders and a deep pool; nothing in its events speaks against it so far.', 'facts', '${explanation}' FROM token`,
  `INSERT INTO wallet_score SELECT id, 10000000, timestamptz '${HEAD}', 100 * ${hash(22, 'id')}, 'medium', CASE kind WHEN 'account' THEN 'retail' ELSE kind END,
     0.58, 50, 60, 70, 'uniswap_v2', '${explanation}' FROM wallet`,
]
