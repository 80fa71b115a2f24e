// Listens for PostgreSQL notifications on a connection of its own, which is reopened when it breaks. The callback also
// runs once after every (re)connection, to make up for notifications that were missed.
import type { Clock } from '../base/clock.ts'
import type { Database, pg } from './client.ts'

/** The newest block or the scores changed; sent by the writer. */
export const HEAD_CHANNEL = 'assay_head'
/** An alert was created, changed or deleted; sent by a trigger. */
export const ALERTS_CHANNEL = 'assay_alerts'
/** A mail was written or may be retried. */
export const OUTBOX_CHANNEL = 'assay_outbox'
/** Somebody asked for the check of a token's contract. */
export const CHECKS_CHANNEL = 'assay_checks'
/** Somebody asked for a mail with a link. */
export const SIGNUP_CHANNEL = 'assay_signup'
/** Another database is ready to take this one's place; sent by `assay past`. */
export const ASIDE_CHANNEL = 'assay_aside'

/** Channels of the whole database. Each of the others belongs to one chain: `chain_channel` in SQL. */
const SHARED_CHANNELS: readonly string[] = [SIGNUP_CHANNEL, ASIDE_CHANNEL]

/** Notifies every process that listens to the shared channel. */
export const notify = async ({ pool }: Pick<Database, 'pool'>, channel: string): Promise<void> => {
  await pool.query('SELECT pg_notify($1, $2)', [channel, ''])
}

/** Subscribes the connection to the channel of its chain, and returns the channel's full name. */
async function subscribe(connection: pg.PoolClient, channel: string): Promise<string> {
  const { rows } = SHARED_CHANNELS.includes(channel)
    ? { rows: [{ full: channel }] }
    : await connection.query<{ full: string }>('SELECT chain_channel($1) AS full', [channel])
  const full = rows[0]?.full ?? channel
  await connection.query(`LISTEN ${full}`)
  return full
}

/** Pause before a broken connection is reopened. */
const RECONNECT_MS = 500

/** Calls back on every notification of the channels until `close()`. */
export function listen(
  database: Database,
  channels: readonly string[],
  onNotify: (channel: string | null) => void,
  clock: Clock,
): { close(): Promise<void> } {
  const stop = new AbortController()
  let leave = () => {}
  // One listener for all connections.
  stop.signal.addEventListener('abort', () => leave(), { once: true })

  async function connectOnce(): Promise<void> {
    const connection = await database.pool.connect()
    const broken = new Promise<void>((resolve) => {
      connection.once('error', () => resolve())
      connection.once('end', () => resolve())
      leave = resolve
    })
    const names = new Map<string, string>()
    connection.on('notification', ({ channel }) => onNotify(names.get(channel) ?? channel))
    try {
      // The signal may have aborted while the connection was being opened.
      if (stop.signal.aborted) return
      for (const channel of channels) names.set(await subscribe(connection, channel), channel)
      onNotify(null)
      await broken
    } finally {
      // Closed rather than returned: the next user of the pool must not inherit the subscriptions.
      connection.release(true)
    }
  }

  const done = (async () => {
    while (!stop.signal.aborted) {
      await connectOnce().catch(() => {})
      if (!stop.signal.aborted) await clock.sleep(RECONNECT_MS, stop.signal)
    }
  })()

  return {
    close: async () => {
      stop.abort()
      await done
    },
  }
}
