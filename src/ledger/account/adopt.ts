// Copies what belongs to people (accounts, keys, alerts, usage, the secrets behind their links) from another database of the
// same chain into this one, whose index was made beside it. All of it or nothing; ids and secrets stay, so every key goes on
// working. What an alert matches already is not reported again.
import { StartupError } from '../../base/errors.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

/** In the order of their references. Left out: `revision` and `start` of an alert, which this database gives anew. */
const TABLES = ['account', 'api_key', 'api_key_secret', 'usage_day', 'alert', 'secret'] as const
const OWN_COLUMNS: readonly string[] = ['revision', 'start']
/** Rows of one statement. */
const TOGETHER = 5_000

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
    // A secret that this database made for itself signs nothing yet that anybody holds.
    await client.query('DELETE FROM secret')
    const copied = {} as Copied
    // All tables as of one moment.
    await inTransaction(
      from.pool,
      async (source) => {
        for (const table of TABLES) copied[table] = await copy(source, client, table)
      },
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    )
    for (const table of ['account', 'api_key'])
      await client.query(
        `SELECT setval(pg_get_serial_sequence($1, 'id'), greatest((SELECT max(id) FROM ${table}), 1))`,
        [table],
      )
    return copied
  })
}

async function copy(from: pg.ClientBase, to: pg.ClientBase, table: string): Promise<number> {
  const { rows: columns } = await to.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL ($2)`,
    [table, OWN_COLUMNS],
  )
  const names = columns.map(({ name }) => name)
  const [into, select] =
    table === 'alert'
      ? [
          [...names, 'start'],
          [...names, `'silent'`],
        ]
      : [names, names]
  // Rows pass as text: numbers of 64 bits and bytes stay what they are.
  await from.query(`DECLARE adopted CURSOR FOR SELECT to_jsonb(t)::text AS row FROM ${table} t`)
  let count = 0
  for (;;) {
    const { rows } = await from.query<{ row: string }>(`FETCH ${TOGETHER} FROM adopted`)
    if (rows.length === 0) break
    count += rows.length
    await to.query(
      `INSERT INTO ${table} (${into.join(', ')}) OVERRIDING SYSTEM VALUE
       SELECT ${select.join(', ')} FROM jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
  }
  await from.query('CLOSE adopted')
  return count
}
