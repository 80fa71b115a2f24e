// Pausing an alert by its id alone: for links that are signed, and for accounts that have more than their plan allows.
import type { Database } from './client.ts'

/** Pauses the alert; nothing happens when it is paused or gone. */
export async function pauseAlertById(database: Database, id: string): Promise<void> {
  await database.pool.query(
    `UPDATE alert SET status = 'paused', updated_at = now() WHERE id = $1 AND status = 'active'`,
    [id],
  )
}
