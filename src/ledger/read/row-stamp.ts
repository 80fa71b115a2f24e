// Finds changed tokens and wallets cheaply: PostgreSQL marks every version of a row with its transaction. A row that a
// rollback restores is a new version too.
import type { pg } from '../../database/client.ts'

/** The kinds of watched rows. */
export const WATCHED = ['token', 'wallet'] as const
export type Watched = (typeof WATCHED)[number]

const stampsOf = (kind: Watched): string => `SELECT r.address, r.xmin || ' ' || coalesce(s.xmin::text, '') AS stamp
  FROM ${kind} r LEFT JOIN ${kind}_score s ON s.${kind}_id = r.id WHERE r.indexed AND r.address = ANY($1)`

/** A text for each address, which changes when the row or its score is written again. Addresses without a row have none. */
export async function readStamps(
  pool: Pick<pg.Pool, 'query'>,
  kind: Watched,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ address: string; stamp: string }>({
    name: `stamps ${kind}`,
    text: stampsOf(kind),
    values: [addresses],
  })
  return new Map(rows.map(({ address, stamp }) => [address, stamp]))
}
