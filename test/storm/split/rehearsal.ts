// The two largest tables split over two servers, as foreign partitions of a coordinator. One copy is split by the hash
// of a token, a second one by the hash of a wallet. Input: an indexed database and three empty servers. Output: the
// answer and the servers of each statement, and the cost of writing the same rows, split and on one server.
import type pg from 'pg'

export interface Shards {
  /** Has everything but events and positions, and the way to the shards. */
  coordinator: pg.Pool
  shards: readonly { pool: pg.Pool; port: number }[]
}

export interface Finding {
  statement: string
  scope: Scope
  /** Names of the servers whose partitions were read. */
  touched: string[]
  /** Whether it answered what one server does. */
  isSame: boolean
  rows: number
}

export type Scope = 'by_token' | 'by_wallet'
const SCOPES: readonly Scope[] = ['by_token', 'by_wallet']
const TABLES = ['event', 'position'] as const
const KEPT = ['token', 'wallet'] as const

/** Which indexes a copy needs: those by its own key. `n` and types are counted in the copy by token alone. */
const INDEXES: Record<Scope, RegExp> = {
  by_token: /^(?!.*_(wallet|counterparty))/,
  by_wallet: /_(wallet|counterparty)/,
}
/**
 * A wallet's page shows its sent and received transfers, so the second copy has a transfer with each of its two
 * wallets.
 */
const READER = 'reader_id'
const KEYS: Record<Scope, Record<(typeof TABLES)[number], string>> = {
  by_token: { event: 'token_id', position: 'token_id' },
  by_wallet: { event: READER, position: 'wallet_id' },
}

/** Makes the tables on the shards and the coordinator, which gets the rows of the indexed database. */
export async function makeShards({ coordinator, shards }: Shards, whole: pg.Pool): Promise<void> {
  await coordinator.query('CREATE EXTENSION postgres_fdw; CREATE SCHEMA stage')
  for (const table of TABLES) await copyTable(whole, coordinator, table, `stage.${table}`)
  for (const table of KEPT) {
    await copyTable(whole, coordinator, table, `public.${table}`)
    await coordinator.query(`ALTER TABLE ${table} ADD PRIMARY KEY (id)`)
  }
  await coordinator.query('CREATE INDEX ON stage.event (n)')
  await coordinator.query('ANALYZE')
  const indexes = await readIndexes(whole)
  for (const [at, { pool, port: shardPort }] of shards.entries()) {
    await coordinator.query(`CREATE SERVER shard${at} FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '127.0.0.1', port '${shardPort}', dbname 'assay', batch_size '1000', fetch_size '1000', async_capable 'true');
      CREATE USER MAPPING FOR CURRENT_USER SERVER shard${at} OPTIONS (user 'assay', password_required 'false')`)
    for (const scope of SCOPES) {
      await pool.query(`CREATE SCHEMA ${scope}`)
      for (const table of TABLES) {
        await pool.query(`CREATE TABLE ${scope}.${table} (${await columnsOf(whole, table, scope)})`)
        for (const { name, definition } of indexes)
          if (definition.includes(` ON public.${table} `) && INDEXES[scope].test(`_${name}`))
            await pool.query(toCopy(definition, scope, table))
      }
    }
  }
  for (const scope of SCOPES) {
    await coordinator.query(`CREATE SCHEMA ${scope}`)
    for (const table of TABLES) {
      const columns = await columnsOf(whole, table, scope)
      await coordinator.query(`CREATE TABLE ${scope}.${table} (${columns}) PARTITION BY HASH (${KEYS[scope][table]})`)
      for (const at of shards.keys())
        await coordinator.query(`CREATE FOREIGN TABLE ${scope}.${table}_shard${at} PARTITION OF ${scope}.${table}
          FOR VALUES WITH (MODULUS ${shards.length}, REMAINDER ${at}) SERVER shard${at} OPTIONS (schema_name '${scope}', table_name '${table}')`)
    }
  }
}

/** Rows that travel at once. */
const COPIED = 5_000

async function copyTable(from: pg.Pool, to: pg.Pool, table: string, target: string): Promise<void> {
  await to.query(`CREATE TABLE ${target} (${await columnsOf(from, table, null)})`)
  for (let offset = 0; ; offset += COPIED) {
    const { rows } = await from.query<{ page: string | null }>(
      `SELECT json_agg(t)::text AS page FROM (SELECT * FROM ${table} ORDER BY 1, 2 LIMIT ${COPIED} OFFSET ${offset}) t`,
    )
    const page = rows[0]?.page
    if (!page) return
    await to.query(`INSERT INTO ${target} SELECT * FROM json_populate_recordset(NULL::${target}, $1::json)`, [page])
  }
}

async function readIndexes(pool: pg.Pool): Promise<{ name: string; definition: string }[]> {
  const { rows } = await pool.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'public' AND tablename = ANY ($1)`,
    [[...TABLES]],
  )
  return rows
}

/** A received transfer has the same numbers of its sender as the sent one, so that numbers of a wallet are unique no more. */
const toCopy = (definition: string, scope: Scope, table: string): string => {
  const moved = definition.replace(` ON public.${table} `, ` ON ${scope}.${table} `)
  return scope === 'by_wallet' ? moved.replace('CREATE UNIQUE INDEX', 'CREATE INDEX') : moved
}

async function columnsOf(pool: pg.Pool, table: string, scope: Scope | null): Promise<string> {
  const { rows } = await pool.query<{ column: string }>(
    `SELECT quote_ident(attname) || ' ' || format_type(atttypid, atttypmod) AS column FROM pg_attribute
      WHERE attrelid = ('public.' || $1)::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  )
  const reader = scope === 'by_wallet' && table === 'event' ? [`${READER} integer`] : []
  return [...rows.map(({ column }) => column), ...reader].join(', ')
}

export interface Cost {
  /** Rows of both tables. */
  rows: number
  seconds: number
  walBytes: number
}

/** Writes the rows in steps: to the copy by token alone, or to both. */
export async function fillShards(
  { coordinator, shards }: Shards,
  scopes: readonly Scope[],
  step: number,
): Promise<Cost> {
  return measure([coordinator, ...shards.map(({ pool }) => pool)], async () => {
    let rows = 0
    await inSteps(coordinator, step, async (where, offset) => {
      for (const scope of scopes) {
        const copies = scope === 'by_token' ? ['*'] : ['*, wallet_id', '*, counterparty_id']
        for (const [at, columns] of copies.entries()) {
          const received = at === 1 ? 'AND counterparty_id IS NOT NULL AND counterparty_id <> wallet_id' : ''
          const written = await coordinator.query(
            `INSERT INTO ${scope}.event SELECT ${columns} FROM stage.event WHERE ${where} ${received}`,
          )
          rows += written.rowCount ?? 0
        }
        const written = await coordinator.query(
          `INSERT INTO ${scope}.position SELECT * FROM stage.position ORDER BY token_id, wallet_id LIMIT ${step} OFFSET ${offset}`,
        )
        rows += written.rowCount ?? 0
      }
    })
    return rows
  })
}

/** The same rows into tables of one server, with all their indexes. */
export async function fillOne(pool: pg.Pool, step: number): Promise<Cost> {
  await pool.query(
    `CREATE SCHEMA one; ${TABLES.map((table) => `CREATE TABLE one.${table} (LIKE public.${table} INCLUDING ALL)`).join(';')}`,
  )
  return measure([pool], async () => {
    let rows = 0
    await inSteps(pool, step, async (where, offset) => {
      const events = await pool.query(`INSERT INTO one.event SELECT * FROM public.event WHERE ${where}`)
      const positions = await pool.query(
        `INSERT INTO one.position SELECT * FROM public.position ORDER BY token_id, wallet_id LIMIT ${step} OFFSET ${offset}`,
      )
      rows += (events.rowCount ?? 0) + (positions.rowCount ?? 0)
    })
    return rows
  })
}

async function inSteps(
  pool: pg.Pool,
  step: number,
  write: (where: string, offset: number) => Promise<void>,
): Promise<void> {
  const { rows } = await pool.query(
    `SELECT max(n)::int AS newest FROM ${(await hasStage(pool)) ? 'stage' : 'public'}.event`,
  )
  const newest: number = rows[0].newest
  for (let from = 0; from <= newest; from += step) await write(`n > ${from} AND n <= ${from + step}`, from)
}

const hasStage = async (pool: pg.Pool): Promise<boolean> =>
  (await pool.query(`SELECT to_regclass('stage.event') IS NOT NULL AS has`)).rows[0].has

async function measure(servers: readonly pg.Pool[], work: () => Promise<number>): Promise<Cost> {
  const written = async () => {
    const places = await Promise.all(
      servers.map((pool) => pool.query<{ at: string }>(`SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS at`)),
    )
    return places.reduce((sum, { rows }) => sum + Number(rows[0]?.at), 0)
  }
  const [before, started] = [await written(), performance.now()]
  const rows = await work()
  return { rows, seconds: (performance.now() - started) / 1000, walBytes: (await written()) - before }
}

/** The token with the most events, the wallet that traded most of those that received, and the token that it met most. */
export async function findSubjects(whole: pg.Pool): Promise<{ token: number; wallet: number; met: number }> {
  const { rows } = await whole.query(`WITH w AS (SELECT wallet_id AS id FROM event WHERE type = 1 AND wallet_id IN
      (SELECT counterparty_id FROM event WHERE counterparty_n IS NOT NULL) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1)
    SELECT (SELECT token_id FROM event GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) AS token, (SELECT id FROM w) AS wallet,
      (SELECT token_id FROM event WHERE wallet_id = (SELECT id FROM w) GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) AS met`)
  return rows[0]
}

interface Statement {
  name: string
  scope: Scope
  /** `reader` is what a statement on the copy by wallet adds. */
  text(reader: string): string
}

const PAGE =
  'e.n, e.type, t.address AS token, w.address AS wallet, e.amount_usd, e.quantity, e.block_number, e.log_index'
const JOINED = 'JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id'

/**
 * The statements of lists, profiles, scores and the writer, reduced to their reads of the two tables; for one token and
 * one wallet.
 */
export const statementsFor = (token: number, wallet: number, met: number): Statement[] => [
  { name: 'a page of a token’s events', scope: 'by_token', text: () => page('token_id', 'token_n', token) },
  {
    name: 'a token’s holders',
    scope: 'by_token',
    text: () =>
      `SELECT wallet_id, balance, cost_usd FROM position WHERE token_id = ${token} AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT 50`,
  },
  {
    name: 'a token’s swaps for its score',
    scope: 'by_token',
    text: () =>
      `SELECT n, wallet_id, amount_usd FROM event WHERE token_id = ${token} AND type = 1 ORDER BY token_type_n DESC LIMIT 500`,
  },
  {
    name: 'events between a wallet and a token',
    scope: 'by_token',
    text: () => `SELECT n FROM event WHERE token_id = ${met} AND wallet_id = ${wallet} ORDER BY n DESC LIMIT 50`,
  },
  {
    name: 'the writer’s positions of a batch',
    scope: 'by_token',
    text: () =>
      `SELECT p.token_id, p.wallet_id, p.balance FROM position p JOIN unnest(ARRAY[${token}, ${met}], ARRAY[${wallet}, ${wallet}]) AS v (t, w) ON v.t = p.token_id AND v.w = p.wallet_id ORDER BY 1, 2`,
  },
  {
    name: 'the newest events of all',
    scope: 'by_token',
    text: () => `SELECT ${PAGE} FROM (SELECT * FROM event ORDER BY n DESC LIMIT 50) e ${JOINED} ORDER BY e.n DESC`,
  },
  {
    name: 'the newest swaps of all',
    scope: 'by_token',
    text: () => `SELECT n, token_id FROM event WHERE type = 1 ORDER BY type_n DESC LIMIT 50`,
  },
  { name: 'a wallet’s portfolio without the second copy', scope: 'by_token', text: () => portfolio(wallet) },
  { name: 'a wallet’s portfolio', scope: 'by_wallet', text: () => portfolio(wallet) },
  {
    name: 'a page of a wallet’s events, sent and received',
    scope: 'by_wallet',
    text: (
      reader,
    ) => `SELECT ${PAGE} FROM ((SELECT e.* FROM event e WHERE wallet_id = ${wallet} ${reader} ORDER BY wallet_n DESC LIMIT 50)
      UNION ALL (SELECT e.* FROM event e WHERE counterparty_id = ${wallet} AND counterparty_n IS NOT NULL ${reader} ORDER BY counterparty_n DESC LIMIT 50)) e ${JOINED} ORDER BY e.n DESC LIMIT 50`,
  },
  {
    name: 'a wallet’s swaps for its score',
    scope: 'by_wallet',
    text: (reader) =>
      `SELECT n, token_id, amount_usd FROM event WHERE wallet_id = ${wallet} AND type = 1 ${reader} ORDER BY wallet_type_n DESC LIMIT 500`,
  },
]

const page = (key: string, column: string, id: number) =>
  `SELECT ${PAGE} FROM (SELECT * FROM event WHERE ${key} = ${id} ORDER BY ${column} DESC LIMIT 50) e ${JOINED} ORDER BY e.n DESC`
const portfolio = (wallet: number) =>
  `SELECT t.address, p.balance, p.cost_usd FROM position p JOIN token t ON t.id = p.token_id WHERE p.wallet_id = ${wallet} ORDER BY t.address`

/** Asks both. Throws nothing: a difference is a finding. */
export async function compare(
  { coordinator }: Shards,
  whole: pg.Pool,
  statements: readonly Statement[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  const client = await coordinator.connect()
  try {
    for (const { name, scope, text } of statements) {
      const expected = (await whole.query(text(''))).rows
      const reader =
        scope === 'by_wallet' ? `AND ${READER} = ${/(?:wallet|counterparty)_id = (\d+)/.exec(text(''))?.[1]}` : ''
      await client.query(`SET search_path = ${scope}, public`)
      const split = text(name.includes('without') ? '' : reader)
      const found = (await client.query(split)).rows
      const plan = (await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${split}`)).rows[0]['QUERY PLAN'] as Node[]
      findings.push({
        statement: name,
        scope,
        touched: touchedBy(plan),
        isSame: JSON.stringify(found) === JSON.stringify(expected),
        rows: found.length,
      })
    }
  } finally {
    await client.query('RESET search_path')
    client.release()
  }
  return findings
}

type Node = { [name: string]: unknown }

/** The shards whose partitions were scanned at least once. */
function touchedBy(plan: unknown): string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    const [, shard] = /_(shard\d+)/.exec(JSON.stringify([node['Relation Name'], node.Relations])) ?? []
    if (shard && Number(node['Actual Loops']) > 0) found.add(shard)
    for (const each of Object.values(node)) visit(each)
  }
  visit(plan)
  return [...found].sort()
}
