// The segments of the history that the database names: the others do not count. Readers open the history of their
// statement's moment with them.
import { AssayError, StartupError } from '../base/errors.ts'
import type { Database, pg } from '../database/client.ts'
import type { HistoryReader, Segment } from '../history/history.ts'

/** A history as of one moment. */
export interface OpenHistory {
  store: HistoryReader
  /** Oldest first, without a gap. */
  segments: readonly Segment[]
  /** The newest running number in it. */
  lastN: number
}

type SegmentRow = Segment & { historyId: string | null }

/** The history of an index, and its segments, oldest first. */
export const SEGMENTS =
  `SELECT name, first_n AS "firstN", last_n AS "lastN", first_block AS "firstBlock", last_block AS "lastBlock",
    first_time AS "firstTime", last_time AS "lastTime", bytes, (SELECT history_id FROM chain) AS "historyId"
  FROM history_segment WHERE replaced_at IS NULL ORDER BY first_n` as const

/** Null: no event was moved. Throws SERVICE_UNAVAILABLE if the folder is not that of the index. */
export async function attachHistory(
  store: HistoryReader | null | undefined,
  read: () => Promise<readonly SegmentRow[]>,
): Promise<OpenHistory | null> {
  const segments = await read()
  const last = segments.at(-1)
  if (!last) return null
  if (!store) {
    const message =
      'Older events are in a history that this server does not read: HISTORY_DIR or HISTORY_URL is not set.'
    throw new AssayError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 60 })
  }
  await store.requireId(last.historyId ?? '')
  return { store, segments, lastN: last.lastN }
}

/** The same through a connection or a pool. */
export const attachHistoryOn = (
  client: Pick<pg.ClientBase, 'query'>,
  store: HistoryReader | null | undefined,
): Promise<OpenHistory | null> =>
  attachHistory(store, async () => (await client.query<SegmentRow>({ name: 'history segments', text: SEGMENTS })).rows)

/** Throws if events were moved to a history, and this process has no setting that names it. */
export async function requireHistory({ pool, history }: Pick<Database, 'pool' | 'history'>): Promise<void> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT EXISTS (SELECT FROM history_segment) AS moved')
  if (rows[0]?.moved && !history)
    throw new StartupError(
      'Older events were moved out of the database: HISTORY_DIR or HISTORY_URL must name their place.',
      78,
    )
}
