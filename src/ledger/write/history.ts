// Moves events of final blocks out of the database, into a history. Input: the rules of the move. Output: the range that
// is due, its rows as lines of text, and the records of segments. Rows are deleted only after their segment is recorded.
import { DAY_SECONDS } from '../../base/time.ts'
import { LOCK_OF_CHAIN } from '../../database/chain-schema.ts'
import type { pg } from '../../database/client.ts'
import { transactOn } from '../../database/transaction.ts'
import type { Segment } from '../../history/history.ts'
import { HISTORY_COLUMNS, type HistoryColumn } from '../../history/lines.ts'
import { SEGMENTS } from '../segments.ts'

type Client = pg.ClientBase

export interface MoveRules {
  /** Days before the newest final block after which events move. */
  days: number
  /** The newest events, which stay in any case: streams read them. */
  reach: number
  /** The newest blocks, whose events stay in any case: the coverage is measured on them. */
  blocks: number
  /** Events of one segment. */
  least: number
  most: number
}

/** An arbitrary number that no other program is likely to lock. */
const HISTORY_LOCK = 7_243_905

/** Whether this connection may write the history: one at a time. */
export async function lockHistory(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ won: boolean }>(`SELECT pg_try_advisory_lock($1, ${LOCK_OF_CHAIN}) AS won`, [
    HISTORY_LOCK,
  ])
  return rows[0]?.won ?? false
}

/**
 * The same on a server and its replicas, and another for any other table. So a failover that loses the first claim does
 * not lose the folder: the next claim has the same identifier.
 */
const ID_OF_TABLE = `(SELECT md5(concat_ws('-', system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database()), 'chain'::regclass::oid))::uuid::text
  FROM pg_control_system())`

/** The identifier of the index's history; null: the index has no chain yet. */
export async function claimHistory(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE chain SET history_id = coalesce(history_id, ${ID_OF_TABLE}) RETURNING history_id AS id`,
  )
  return rows[0]?.id ?? null
}

/** All segments, also the replaced ones. */
export async function readSegmentNames(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM history_segment')
  return new Set(rows.map(({ name }) => name))
}

/** The segments that count, oldest first. */
export const readCountedSegments = async (client: Client): Promise<Segment[]> =>
  (await client.query<Segment>(SEGMENTS)).rows

// What webhooks have not received yet stays, also what they must receive again after a reorganisation.
const BOUNDS = `SELECT b.time, c.finalized, b.event_count AS "eventCount",
    coalesce((SELECT max(last_n) FROM history_segment WHERE replaced_at IS NULL), (SELECT n - 1 FROM event ORDER BY n LIMIT 1)) AS above,
    (SELECT least(d.n, (SELECT min(event_count) FROM reorg WHERE id > d.generation)) FROM event_dispatch d) AS received
  FROM chain c JOIN block b ON b.number <= c.finalized ORDER BY b.number DESC LIMIT 1`

interface Bounds {
  time: Date
  finalized: number
  eventCount: number
  above: number | null
  received: number | null
}

type Range = Omit<Segment, 'name' | 'bytes'>

/** The next range of whole seconds that is due; null: none is. */
export async function findDueRange(
  client: Client,
  { days, reach, blocks, least, most }: MoveRules,
): Promise<Range | null> {
  const [bounds] = (await client.query<Bounds>(BOUNDS)).rows
  if (!bounds || bounds.above === null) return null
  const { above } = bounds
  const newest = Math.min(bounds.eventCount - reach, (bounds.received ?? Number.POSITIVE_INFINITY) - 1, above + most)
  const before = bounds.time.getTime() - days * DAY_SECONDS * 1_000
  const isDue = async (n: number) => {
    const { rows } = await client.query<{ time: Date; block: number }>(
      'SELECT time, block_number AS block FROM event WHERE n = $1',
      [n],
    )
    const [row] = rows
    return row !== undefined && row.time.getTime() < before && row.block <= bounds.finalized - blocks
  }
  let [low, high] = [above + least, newest]
  if (low > high || !(await isDue(low))) return null
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await isDue(middle)) low = middle
    else high = middle - 1
  }
  return cutAtSecond(client, above, low)
}

const EDGE = 'SELECT n, block_number AS block, time FROM event WHERE n'

/**
 * The range up to the last whole second whose events are all up to `last`. A fast chain makes several blocks a second,
 * and both sides of a round trip may lie in them.
 */
async function cutAtSecond(client: Client, above: number, last: number): Promise<Range | null> {
  interface Edge {
    n: number
    block: number
    time: Date
  }
  const edge = async (text: string, values: (number | Date)[]) => (await client.query<Edge>(text, values)).rows[0]
  const [first, next] = [await edge(`${EDGE} = $1`, [above + 1]), await edge(`${EDGE} = $1`, [last + 1])]
  const end =
    next && (await edge(`${EDGE} <= $1 AND n > $2 AND time < $3 ORDER BY n DESC LIMIT 1`, [last, above, next.time]))
  if (!first || !end) return null
  return {
    firstN: first.n,
    lastN: end.n,
    firstBlock: first.block,
    lastBlock: end.block,
    firstTime: first.time,
    lastTime: end.time,
  }
}

const CELLS: Readonly<Partial<Record<HistoryColumn, string>>> = {
  time: '(extract(epoch FROM time) * 1000000)::bigint',
  tx_hash: `encode(tx_hash, 'hex')`,
}
const LINE = HISTORY_COLUMNS.map((column) => CELLS[column] ?? `coalesce(${column}::text, '')`).join(` || ',' || `)
/** Rows of one statement. */
const TOGETHER = 20_000

/** The rows of a range as lines, for the writer of the history. */
export async function* readLines(
  client: Client,
  { firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>,
): AsyncGenerator<string> {
  for (let from = firstN; from <= lastN; from += TOGETHER) {
    const { rows } = await client.query<{ lines: string | null }>({
      name: 'history lines',
      text: `SELECT string_agg(${LINE} || E'\\n', '') AS lines FROM event WHERE n BETWEEN $1 AND $2`,
      values: [from, Math.min(lastN, from + TOGETHER - 1)],
    })
    if (rows[0]?.lines) yield rows[0].lines
  }
}

const INTO =
  'INSERT INTO history_segment (name, first_n, last_n, first_block, last_block, first_time, last_time, bytes)'
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8'
const valuesOf = (s: Segment) => [
  ...[s.name, s.firstN, s.lastN, s.firstBlock],
  ...[s.lastBlock, s.firstTime, s.lastTime, s.bytes],
]

/** From now on readers find the segment's events there. Throws if the index was emptied meanwhile. */
export async function recordSegment(client: Client, segment: Segment): Promise<void> {
  const { rowCount } = await client.query(
    `${INTO} SELECT ${VALUES}
      WHERE EXISTS (SELECT FROM event WHERE n = $2 AND block_number = $4) AND EXISTS (SELECT FROM event WHERE n = $3 AND block_number = $5)
        AND coalesce((SELECT max(last_n) FROM history_segment WHERE replaced_at IS NULL), $2 - 1) = $2 - 1`,
    valuesOf(segment),
  )
  if (rowCount !== 1) throw new Error('the events that were written are no longer those of the index')
}

/** Deletes some of the events that are in the history, `most` at most; returns how many. */
export async function forgetMoved(client: Client, most: number): Promise<number> {
  const { rowCount } = await client.query(
    `DELETE FROM event WHERE n < (SELECT n FROM event ORDER BY n LIMIT 1) + $1::integer
      AND n <= (SELECT max(last_n) FROM history_segment WHERE replaced_at IS NULL)`,
    [most],
  )
  return rowCount ?? 0
}

/** Puts one segment in the place of several. Throws if one of them is no longer there. */
export async function recordMerge(client: Client, merged: Segment, names: readonly string[]): Promise<void> {
  await transactOn(client, async () => {
    const { rowCount } = await client.query(
      'UPDATE history_segment SET replaced_at = now() WHERE name = ANY ($1::text[]) AND replaced_at IS NULL',
      [names],
    )
    if (rowCount !== names.length) throw new Error('the segments that were merged are no longer those of the index')
    await client.query(`${INTO} VALUES (${VALUES})`, valuesOf(merged))
  })
}

/** Segments whose files no answer reads any more: replaced for longer than this. */
export async function readReplaced(client: Client, seconds: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM history_segment WHERE replaced_at < now() - make_interval(secs => $1)',
    [seconds],
  )
  return rows.map(({ name }) => name)
}

export async function forgetReplaced(client: Client, name: string): Promise<void> {
  await client.query('DELETE FROM history_segment WHERE name = $1 AND replaced_at IS NOT NULL', [name])
}
