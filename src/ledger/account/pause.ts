// Pauses alerts without their key: through a signed link, or because an account has more active alerts than its plan allows.
// A revoked key's alerts are paused, too.
import type { Database, pg } from '../../database/client.ts'

/** Pauses the alert. Does nothing if it is already paused or deleted. */
export async function pauseAlertById(database: Database, id: string): Promise<void> {
  await database.requestPool.query(
    `UPDATE alert SET status = 'paused', updated_at = now() WHERE id = $1 AND status = 'active'`,
    [id],
  )
}

/**
 * Pauses the account's newest active alerts beyond the limit (null: none), and its webhooks of events if the plan has
 * no webhooks; returns their ids. The caller must hold a lock on the account's row.
 */
export async function pauseBeyond(
  client: pg.ClientBase,
  accountId: number,
  { activeAlerts, webhooks }: { activeAlerts: number | null; webhooks: boolean },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE alert SET status = 'paused', updated_at = now() WHERE id IN (
       SELECT id FROM alert WHERE account_id = $1 AND status = 'active' AND subject = 'events' AND NOT $3
       UNION ALL (SELECT id FROM alert WHERE account_id = $1 AND status = 'active' AND subject = 'tokens' AND $2::int IS NOT NULL
         ORDER BY created_at, id OFFSET $2))
     RETURNING id`,
    [accountId, activeAlerts, webhooks],
  )
  return rows.map((row) => row.id)
}

/** Pauses the alerts of a key, as nobody who may stop them reaches them. The caller must hold a lock on the account's row. */
export async function pauseOfKey(client: pg.ClientBase, keyId: number): Promise<void> {
  await client.query(`UPDATE alert SET status = 'paused', updated_at = now() WHERE key_id = $1 AND status = 'active'`, [
    keyId,
  ])
}
