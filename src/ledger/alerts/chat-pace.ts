// The pace of chats: one message a minute, whichever account and process sends it. A worker takes a chat until its claim
// ends, so a kill neither loses a message nor hurries the next one.

import type { pg } from '../../database/client.ts'
import type { ChatChannel } from '../../fields/channels.ts'

/** The least time between two messages of a chat. */
export const CHAT_PACE_MS = 60_000

const RECEIVER = `sha256(convert_to($1, 'UTF8'))`

/** Takes the chat until `until`. Returns null, or until when it is taken already: then the transaction has locked nothing. */
export async function takePace(client: pg.PoolClient, url: string, now: Date, until: Date): Promise<Date | null> {
  await client.query(`DELETE FROM chat_pace WHERE receiver = ${RECEIVER} AND until <= $2`, [url, now])
  const { rowCount } = await client.query(
    `INSERT INTO chat_pace (receiver, until) VALUES (${RECEIVER}, $2) ON CONFLICT (receiver) DO NOTHING`,
    [url, until],
  )
  if (rowCount) return null
  const { rows } = await client.query<{ until: Date }>(`SELECT until FROM chat_pace WHERE receiver = ${RECEIVER}`, [
    url,
  ])
  // Another worker may have deleted it meanwhile.
  return rows[0]?.until ?? until
}

/**
 * Deletes paces that are over, a hundred at most. It is a transaction of its own: one that kept these rows locked and
 * waited for another chat could wait in a circle.
 */
export async function forgetPaces(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query(
    `DELETE FROM chat_pace WHERE receiver IN (SELECT receiver FROM chat_pace WHERE until <= $1
       ORDER BY until LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    [now],
  )
}

/** Sets when the chat may get its next message. */
export async function movePace(client: pg.PoolClient, url: string, until: Date): Promise<void> {
  await client.query(`UPDATE chat_pace SET until = $2 WHERE receiver = ${RECEIVER}`, [url, until])
}

interface Deferral {
  channel: ChatChannel
  accountId: number
  url: string
  now: Date
  until: Date
}

/**
 * Lets the due messages of the account's chat wait until then, or for a minute: a chat is taken for longer than a message
 * needs. A message that a sweep has locked is skipped.
 */
export async function deferTo(client: pg.PoolClient, { channel, accountId, url, now, until }: Deferral): Promise<void> {
  await client.query(
    `UPDATE alert_message SET next_attempt_at = $5 WHERE id IN (SELECT m.id FROM alert_message m JOIN alert a ON a.id = m.alert_id
       WHERE m.status = 'pending' AND m.channel = $2 AND m.account_id = $3 AND m.next_attempt_at <= $4 AND a.webhook_url = $1
       FOR UPDATE OF m SKIP LOCKED)`,
    [url, channel, accountId, now, new Date(Math.min(until.getTime(), now.getTime() + CHAT_PACE_MS))],
  )
}
