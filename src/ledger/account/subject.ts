// Accounts of subjects: people and programs that the operator's authorization server knows. Each has one key without a
// secret: its hash is of the subject, so no API key has it. Revoking that key closes the door to the subject.
import type { pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type AccountTerms, saveAccount } from './account.ts'
import { addKey } from './key.ts'

/** Taken while an account is opened, so that the bound is exact. */
const SUBJECT_LOCK = 7_243_906
/** What tells these keys from others. */
const PREFIX = 'oauth'

/** Opens the account of a subject, unless it has one; false: there are as many already. */
export function openSubject(
  pool: pg.Pool,
  { hash, name, most, now, ...terms }: AccountTerms & { hash: Buffer; name: string; most: number; now: Date },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [SUBJECT_LOCK])
    const { rows } = await client.query<{ known: boolean; hasRoom: boolean }>(
      `SELECT EXISTS (SELECT FROM api_key_secret WHERE hash = $1) AS known,
         (SELECT count(*) FROM api_key_secret WHERE prefix = $2) < $3 AS "hasRoom"`,
      [hash, PREFIX, most],
    )
    if (rows[0]?.known) return true
    if (!rows[0]?.hasRoom) return false
    const accountId = await saveAccount(client, terms)
    await addKey(client, { accountId, name, now }, { hash, prefix: PREFIX, lastFour: hash.toString('hex').slice(-4) })
    return true
  })
}
