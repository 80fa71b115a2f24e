// The three servers of a rehearsal when nothing writes any more. Each must have every row of the leader, read through
// no index and through the primary key. A server that does not get there says where it stands.
import { type Database, openDatabase } from '../../../src/database/client.ts'
import type { Member } from './patroni.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** A replica that has not replayed what the leader had written by then is stuck. */
const LONGEST_WAIT_MS = 60_000

const TABLES = [
  ['token', 'id'],
  ['wallet', 'id'],
  ['pool', 'id'],
  ['event', 'n'],
  ['history_segment', 'name'],
] as const

/** Where a server stands: its part, its timeline, its place in the log, and what it receives. */
const STANDS = `SELECT CASE WHEN pg_is_in_recovery() THEN 'replica' ELSE 'leader' END AS part,
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS place,
    pg_last_wal_receive_lsn() AS received, (SELECT timeline_id FROM pg_control_checkpoint()) AS "timelineOfCheckpoint",
    (SELECT concat(status, ' timeline ', received_tli, ' from port ', sender_port) FROM pg_stat_wal_receiver) AS receiver,
    (SELECT number FROM block ORDER BY number DESC LIMIT 1) AS block,
    (SELECT max(last_n) FROM history_segment WHERE replaced_at IS NULL) AS "historyN"`

interface Copy {
  name: string
  /** Its content in one line. */
  content: string
  /** Where it stands in the log. */
  stands: string
  /** It has all that the leader had when the comparison began. */
  isReplayed: boolean
}

async function contentOf({ pool }: Pick<Database, 'pool'>): Promise<string> {
  const parts: string[] = []
  for (const [table, key] of TABLES) {
    const read = async (way: 'on' | 'off') => {
      for (const kind of ['seqscan', 'bitmapscan']) await pool.query(`SET enable_${kind} = ${way}`)
      const { rows } = await pool.query<{ all: string }>(
        `SELECT concat(count(*), ' ', md5(string_agg(t::text, ',' ORDER BY ${key}))) AS all
          FROM ${table} t WHERE ${key} IS NOT NULL`,
      )
      return rows[0]?.all
    }
    parts.push(`${table} ${await read('on')} ${await read('off')}`)
  }
  return parts.join(', ')
}

async function readCopy({ name, url }: Member, place: string): Promise<Copy> {
  const copy = openDatabase(url, { size: 1 })
  try {
    const isThere = async () => {
      const text = `SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::pg_lsn AS there`
      return (await copy.pool.query<{ there: boolean }>(text, [place])).rows[0]?.there ?? false
    }
    let isReplayed = await isThere()
    for (const sinceMs = performance.now(); !isReplayed && performance.now() - sinceMs < LONGEST_WAIT_MS; ) {
      await pause(200)
      isReplayed = await isThere()
    }
    const { rows } = await copy.pool.query(STANDS)
    return { name, content: await contentOf(copy), stands: JSON.stringify(rows[0]), isReplayed }
  } finally {
    await copy.close()
  }
}

/** Waits until the replicas have what the leader has, and compares all. Empty: they are equal. */
export async function compareCopies(leader: Member, members: readonly Member[]): Promise<string[]> {
  const first = openDatabase(leader.url, { size: 1 })
  const { rows } = await first.pool.query<{ place: string }>('SELECT pg_current_wal_lsn()::text AS place')
  await first.close()
  const copies = await Promise.all(members.map((member) => readCopy(member, rows[0]?.place ?? '')))
  const ofLeader = copies.find(({ name }) => name === leader.name)?.content
  if (copies.every(({ content, isReplayed }) => isReplayed && content === ofLeader)) return []
  return copies.map(
    ({ name, content, stands, isReplayed }) =>
      `${name}${name === leader.name ? ', the leader' : isReplayed ? '' : ', STUCK'}: ${stands} ${content}`,
  )
}
