// Copies people's data from another database of the same chain into this one, whose index was built beside it. The data
// are accounts, keys, invites, policies, alerts, messages, usage, and the secrets behind their links. It copies all of
// it or nothing. Ids and secrets stay, so every key keeps working. Existing matches of an alert are not reported again.
// Waiting messages are sent from here, and streams and webhooks of events continue from their places.
import { StartupError } from '../../base/errors.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

/** In the order of their references. Without `revision` and `start` of an alert, which this database sets anew. */
const TABLES = [
  'account',
  'api_key',
  'api_key_secret',
  'usage_day',
  'gate_policy',
  'alert',
  'alert_message',
  'idempotency',
  'secret',
  'invite',
] as const
const OWN_COLUMNS: readonly string[] = ['revision', 'start']
/** Rows of one statement. */
const TOGETHER = 5_000

/** The place of webhooks of events, and the number of their newest event that remains after their retractions. */
const WEBHOOKS_PLACE = `SELECT d.generation, d.n, least(CASE WHEN m.id IS NULL THEN d.n END, (SELECT min(event_count) FROM reorg
    WHERE id > d.generation AND (m.id IS NULL OR id >= m.id))) AS stays
  FROM event_dispatch d CROSS JOIN LATERAL (SELECT max(id) AS id FROM reorg WHERE id > d.generation AND fork_block IS NULL) m`

interface WebhooksPlace {
  generation: number
  n: number
  /** The place of that event; null: there is none. */
  block: number | null
  log: number | null
  part: number | null
}

type Copied = Record<(typeof TABLES)[number], number>

/**
 * Throws a `StartupError` when the database has accounts, unless it adopts `again`: then they go. Returns the rows of each
 * table.
 */
export async function adopt(
  from: Pick<Database, 'pool'>,
  to: Pick<Database, 'pool'>,
  { again = false } = {},
): Promise<Copied> {
  return inTransaction(to.pool, async (client) => {
    if (again) await client.query('TRUNCATE account CASCADE')
    const { rows } = await client.query<{ taken: boolean }>('SELECT EXISTS (SELECT FROM account) AS taken')
    if (rows[0]?.taken) throw new StartupError('This database has accounts already: adopt into one that has none.')
    // No user has anything that the secret of this new database signed.
    await client.query('DELETE FROM secret')
    await client.query('DELETE FROM invite')
    const copied = {} as Copied
    // All tables at one moment.
    await inTransaction(
      from.pool,
      async (source) => {
        for (const table of TABLES) copied[table] = await copy(source, client, table)
        await copyNotices(source, client)
        await continueEvents(source, client)
      },
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    )
    for (const table of ['account', 'api_key', 'invite'])
      await client.query(
        `SELECT setval(pg_get_serial_sequence($1, 'id'), greatest((SELECT max(id) FROM ${table}), 1))`,
        [table],
      )
    for (const name of ['turn', 'claim'])
      await client.query(`SELECT setval('alert_${name}', greatest((SELECT max(${name}) FROM alert_message), 1))`)
    return copied
  })
}

async function copy(from: pg.ClientBase, to: pg.ClientBase, table: string): Promise<number> {
  const names = await columnsOf(to, table, OWN_COLUMNS)
  const [into, select] =
    table === 'alert'
      ? [
          [...names, 'start'],
          [...names, `'silent'`],
        ]
      : [names, names]
  return passOn(from, `SELECT to_jsonb(t)::text AS row FROM ${table} t`, (rows) =>
    to.query(
      `INSERT INTO ${table} (${into.join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${select.join(', ')} FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [rows],
    ),
  )
}

/** The facts in the messages. Their own ids and those of tokens are of the other index. */
async function copyNotices(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  const names = await columnsOf(to, 'alert_notice', ['id', 'token_id'])
  await passOn(
    from,
    `SELECT (to_jsonb(n) || jsonb_build_object('token', t.address))::text AS row
     FROM alert_notice n JOIN token t ON t.id = n.token_id ORDER BY n.id`,
    (rows) =>
      to.query(
        `INSERT INTO alert_notice (token_id, ${names.join(', ')})
         SELECT t.id, ${names.map((name) => `n.${name}`).join(', ')}
         FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (item, place)
         JOIN token t ON t.address = r.item ->> 'token', jsonb_populate_record(null::alert_notice, r.item) n ORDER BY r.place`,
        [rows],
      ),
  )
}

/**
 * Reorganisations that readers may not have received are copied with their retracted events, under the numbers in
 * cursors. No reader received those of this index, so they are deleted. A new generation then tells streams that
 * running numbers have changed. Webhooks keep their place, so that they still send later retractions. That generation
 * moves them to their newest remaining event.
 */
async function continueEvents(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  const { rows: known } = await from.query<{ generation: number }>(
    'SELECT coalesce(max(id), 0) AS generation FROM reorg',
  )
  const { rows: own } = await to.query<{ generation: number }>('SELECT coalesce(max(id), 0) AS generation FROM reorg')
  await to.query('DELETE FROM reorg')
  for (const table of ['reorg', 'reorg_event'] as const) await copy(from, to, table)
  const { rows: dispatched } = await from.query<WebhooksPlace>(
    `SELECT d.generation, d.n::float8 AS n, e.block_number AS block, e.log_index AS log, coalesce(e.part, 0) AS part
     FROM (${WEBHOOKS_PLACE}) d LEFT JOIN LATERAL (SELECT block_number, log_index, part FROM event
       WHERE event.n <= d.stays ORDER BY event.n DESC LIMIT 1) e ON true`,
  )
  const [place] = dispatched
  const { rows: reached } = await to.query<{ n: number }>(
    `SELECT coalesce(max(n), 0)::float8 AS n FROM event WHERE (block_number, log_index, coalesce(part, 0)) <= ($1::bigint, $2::int, $3::int)`,
    [place?.block, place?.log, place?.part],
  )
  if (place && place.block !== null && !reached[0]?.n) await requireNoHistory(to)
  // Numbers without a gap, because a gap means that a reader missed one. They are above those of this index, so they
  // never decrease.
  await to.query(
    `INSERT INTO reorg (id, fork_block, event_count)
     SELECT id, NULL, $3 FROM generate_series($1::int + 1, greatest($1, $2) + 1) AS id`,
    [known[0]?.generation ?? 0, own[0]?.generation ?? 0, reached[0]?.n ?? 0],
  )
  await to.query('DELETE FROM event_dispatch')
  if (place) await to.query('INSERT INTO event_dispatch (generation, n) VALUES ($1, $2)', [place.generation, place.n])
}

/** The place of webhooks is not found among events that left the database. */
async function requireNoHistory(to: pg.ClientBase): Promise<void> {
  const { rows } = await to.query<{ moved: boolean }>('SELECT EXISTS (SELECT FROM history_segment) AS moved')
  if (rows[0]?.moved)
    throw new StartupError('The events that webhooks received last are in the history here: adopt before events move.')
}

async function columnsOf(client: pg.ClientBase, table: string, without: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2)`,
    [table, without],
  )
  return rows.map(({ name }) => name)
}

/**
 * Rows pass as text, in arrays of JSON, so that numbers of 64 bits and bytes stay exact. Returns the number of rows.
 */
async function passOn(from: pg.ClientBase, select: string, write: (rows: string) => Promise<unknown>): Promise<number> {
  await from.query(`DECLARE adopted CURSOR FOR ${select}`)
  let count = 0
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`FETCH ${TOGETHER} FROM adopted`)
    if (rows.length === 0) break
    count += rows.length
    await write(`[${rows.map(({ row }) => row).join(',')}]`)
  }
  await from.query('CLOSE adopted')
  return count
}
