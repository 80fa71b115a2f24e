// The program's own secrets. They are in the database, so that every process uses the same.
import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/client.ts'

/** Reads the secret of this name: 32 random bytes, created on first use. */
async function readSecret(database: Database, name: string): Promise<Uint8Array> {
  await database.pool.query('INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    name,
    randomBytes(32),
  ])
  const { rows } = await database.pool.query<{ value: Buffer }>('SELECT value FROM secret WHERE name = $1', [name])
  const value = rows[0]?.value
  if (!value) throw new Error(`the secret ${name} is gone`)
  return value
}

/** The secret whose key signs answers of the gate. */
export const readGateSecret = (database: Database): Promise<Uint8Array> => readSecret(database, 'gate')

/** The secret that signs the links which pause an alert. */
export const readUnsubscribeSecret = (database: Database): Promise<Uint8Array> => readSecret(database, 'unsubscribe')
