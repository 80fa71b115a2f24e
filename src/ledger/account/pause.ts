// Pauses alerts without their key: through a signed link, or because an account has more active alerts than its plan allows.
// A revoked key's alerts are paused, too. An account and its keys have alerts in the schemas of all chains.
import { readChainSchemas } from '../../database/chain-schema.ts'
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
  const { rows } = await client.query<{ schema: string; id: string }>(
    `WITH active AS (SELECT * FROM active_alerts($1))
     SELECT schema, id FROM active WHERE subject = 'events' AND NOT $3
     UNION ALL (SELECT schema, id FROM active WHERE subject = 'tokens' AND $2::int IS NOT NULL
       ORDER BY created_at, id OFFSET $2)`,
    [accountId, activeAlerts, webhooks],
  )
  for (const schema of new Set(rows.map((row) => row.schema)))
    await client.query(`UPDATE ${schema}.alert SET status = 'paused', updated_at = now() WHERE id = ANY ($1)`, [
      rows.filter((row) => row.schema === schema).map(({ id }) => id),
    ])
  return rows.map((row) => row.id)
}

/** Pauses the alerts of a key, as nobody who may stop them reaches them. The caller must hold a lock on the account's row. */
export async function pauseOfKey(client: pg.ClientBase, keyId: number): Promise<void> {
  for (const schema of await readChainSchemas(client))
    await client.query(
      `UPDATE ${schema}.alert SET status = 'paused', updated_at = now() WHERE key_id = $1 AND status = 'active'`,
      [keyId],
    )
}
