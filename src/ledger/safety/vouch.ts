// The operator's word for a token, for contracts that a check judges wrongly. It stands beside the findings, never in
// their place.
import type { Address } from '../../base/address.ts'
import type { pg } from '../../database/client.ts'

export interface Vouch {
  address: Address
  reason: string
  /** Where it can be checked; null: nowhere named. */
  source: string | null
  since: Date
}

type Client = Pick<pg.ClientBase, 'query'>

/** Stores the word, in place of one before. */
export async function saveVouch(client: Client, { address, reason, source, since }: Vouch): Promise<void> {
  await client.query({
    text: `INSERT INTO token_vouch (address, reason, source, since) VALUES ($1, $2, $3, $4)
      ON CONFLICT (address) DO UPDATE SET reason = excluded.reason, source = excluded.source, since = excluded.since`,
    values: [address, reason, source, since],
  })
}

/** False where there was none. */
export async function removeVouch(client: Client, address: Address): Promise<boolean> {
  return (await client.query({ text: 'DELETE FROM token_vouch WHERE address = $1', values: [address] })).rowCount === 1
}

/** The newest first, 1,000 at most. */
export async function listVouches(client: Client): Promise<Vouch[]> {
  const { rows } = await client.query<Vouch>(
    'SELECT address, reason, source, since FROM token_vouch ORDER BY since DESC, address LIMIT 1000',
  )
  return rows
}
