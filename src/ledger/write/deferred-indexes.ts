// Indexes that the writer does not read. A first backfill drops them, because every row would update them at a random
// place, and builds them later, each in one pass. Until then their readers are slow. Needs the writer's lock. A
// migration that changes one of these must allow for its absence, because a backfill may have been interrupted.
import type { Database, pg } from '../../database/client.ts'
import { type Statement, transact } from '../../database/pipeline.ts'
import type { WriterLock } from '../../database/writer-lock.ts'

/** The indexes that scores read, defined exactly as in the migrations. */
const FOR_SCORES: Readonly<Record<string, string>> = {
  event_token_type: 'UNIQUE INDEX event_token_type ON event (token_id, type, token_type_n)',
  event_wallet_type: 'UNIQUE INDEX event_wallet_type ON event (wallet_id, type, wallet_type_n)',
  position_holder: 'INDEX position_holder ON position (token_id, balance DESC, wallet_id) WHERE balance > 0',
  position_wallet: 'INDEX position_wallet ON position (wallet_id, token_id) INCLUDE (balance)',
  wallet_first_funder: 'INDEX wallet_first_funder ON wallet (first_funder_id) WHERE first_funder_id IS NOT NULL',
  link_to: 'INDEX link_to ON link (to_id)',
}

/** The indexes that only lists read. */
const FOR_LISTS: Readonly<Record<string, string>> = {
  event_type: 'UNIQUE INDEX event_type ON event (type, type_n)',
  event_token: 'UNIQUE INDEX event_token ON event (token_id, token_n)',
  event_wallet: 'UNIQUE INDEX event_wallet ON event (wallet_id, wallet_n)',
  event_counterparty:
    'UNIQUE INDEX event_counterparty ON event (counterparty_id, counterparty_n) WHERE counterparty_id IS NOT NULL',
  event_counterparty_type:
    'UNIQUE INDEX event_counterparty_type ON event (counterparty_id, counterparty_type_n) WHERE counterparty_id IS NOT NULL',
  position_realised:
    'INDEX position_realised ON position (token_id, realised_usd DESC, wallet_id) WHERE swap_count > 0',
  position_volume:
    'INDEX position_volume ON position (token_id, (bought_usd + sold_usd) DESC, wallet_id) WHERE swap_count > 0',
  wallet_realised: 'INDEX wallet_realised ON wallet (realised_usd DESC, id) WHERE indexed',
  wallet_trades: 'INDEX wallet_trades ON wallet (swap_count DESC, id) WHERE indexed',
  wallet_week_realised: 'INDEX wallet_week_realised ON wallet_week (week, realised_usd DESC, wallet_id)',
  token_updated: 'INDEX token_updated ON token (updated_block) WHERE indexed',
}

const DEFERRED: Readonly<Record<string, string>> = { ...FOR_SCORES, ...FOR_LISTS }

/** Whether scores read the index of this name. */
export const scoresRead = (name: string): boolean => name in FOR_SCORES

/** Tables that need no vacuum without any of these indexes: a page removes its own dead rows as long as no index refers to them. */
const UNVACUUMED = ['event', 'position', 'wallet', 'wallet_week', 'token', 'link']

/** Memory for building one index: enough to sort about five million rows. */
const BUILD_MEMORY = '128MB'

const setVacuuming = (change: string): Statement[] =>
  UNVACUUMED.map((table) => ({ text: `ALTER TABLE ${table} ${change}` }))

/** Drops the indexes that only lists read, or all of them. Without any, the tables need no autovacuum either. */
export async function deferIndexes({ client }: WriterLock, which: 'lists' | 'all'): Promise<void> {
  const names = Object.keys(which === 'all' ? DEFERRED : FOR_LISTS)
  // With the schema's name, because an index that is missing here may exist in the schema of another chain.
  const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema')
  const drops = { text: `DROP INDEX IF EXISTS ${names.map((name) => `${rows[0]?.schema}.${name}`).join(', ')}` }
  await transact(client, [drops, ...(which === 'all' ? setVacuuming('SET (autovacuum_enabled = off)') : [])])
}

/** The names of the indexes that do not exist. */
export async function findDeferred({ client }: WriterLock): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS v(name) WHERE to_regclass(current_schema() || '.' || name) IS NULL`,
    [Object.keys(DEFERRED)],
  )
  return rows.map(({ name }) => name)
}

/**
 * Builds the indexes of these names, two at a time. The embedded server then writes each to its file and not to the log, which it
 * would compress page by page. Throws when the signal aborts; finished indexes stay.
 */
export async function buildIndexes(
  { client, reader }: WriterLock,
  { pool }: Database,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const isVacuumedAgain = names.some(scoresRead)
  if (isVacuumedAgain) await transact(client, setVacuuming('RESET (autovacuum_enabled)'))
  const [builds, tables] = [[...names], isVacuumedAgain ? [...UNVACUUMED] : []]
  const build = async (session: pg.ClientBase) => {
    const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const cancel = () => void pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => {})
    signal.addEventListener('abort', cancel)
    try {
      await session.query(`SET maintenance_work_mem = '${BUILD_MEMORY}'; SET wal_skip_threshold = 0`)
      for (let name = builds.shift(); name !== undefined; name = builds.shift()) {
        signal.throwIfAborted()
        await session.query(`CREATE ${DEFERRED[name]}`)
      }
      await session.query('RESET maintenance_work_mem; RESET wal_skip_threshold')
      // The planner chooses plans for readers and scores by these statistics.
      for (let table = tables.shift(); table !== undefined; table = tables.shift())
        await session.query(`ANALYZE ${table}`)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
  // Wait for both even if one fails: their connections must be idle before they are used again.
  const ended = await Promise.allSettled([client, reader].map(build))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Makes the server write the memory of a long backfill to disk, so that neither its shutdown nor its recovery after a
 * crash takes long. If our role may not do that, the server does it later by itself.
 */
export async function checkpoint({ pool }: { pool: Pick<pg.ClientBase, 'query'> }): Promise<void> {
  await pool.query('CHECKPOINT').catch(() => {})
}
