// Labels of addresses from lists, each with its source, date, licence and confidence. They stand beside what the index found.
// Facts of tokens read those of services: see `IS_SERVICE`.
import type { Address } from '../base/address.ts'
import { type LabelKind, SERVICE_LABELS } from '../base/vocabulary.ts'
import type { pg } from '../database/client.ts'

export interface Label {
  address: Address
  /** The list that says so. */
  source: string
  kind: LabelKind
  name: string
  licence: string
  /** From 0 to 1. */
  confidence: number
  /** A day, as YYYY-MM-DD. */
  dated: string
}

type Client = Pick<pg.Pool, 'query'>

/** A label below this confidence is only shown. */
const CONFIDENT = 0.5

/** SQL: whether a confident label says that the wallet `w` acts for others. */
export const IS_SERVICE = `EXISTS (SELECT FROM wallet_label lb WHERE lb.address = w.address AND lb.confidence >= ${CONFIDENT}
  AND lb.kind IN (${SERVICE_LABELS.map((kind) => `'${kind}'`).join(', ')}))`

/** Stores the labels; one of the same address and source is replaced. The tokens of their wallets are scored anew. */
export async function saveLabels(client: Client, labels: readonly Label[]): Promise<void> {
  const column = <Key extends keyof Label>(key: Key) => labels.map((label) => label[key])
  await client.query({
    text: `INSERT INTO wallet_label (address, source, kind, name, licence, confidence, dated)
      SELECT DISTINCT ON (1, 2) * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::date[])
      ON CONFLICT (address, source) DO UPDATE SET kind = excluded.kind, name = excluded.name, licence = excluded.licence,
        confidence = excluded.confidence, dated = excluded.dated`,
    values: [
      column('address'),
      column('source'),
      column('kind'),
      column('name'),
      column('licence'),
      column('confidence'),
      column('dated'),
    ],
  })
  await scoreAnew(client, column('address'))
}

/** Takes labels back, of one source or of all (null); returns them. */
export async function removeLabels(client: Client, address: Address, source: string | null): Promise<Label[]> {
  const { rows } = await client.query<Label>({
    text: `DELETE FROM wallet_label WHERE address = $1 AND ($2::text IS NULL OR source = $2) RETURNING ${COLUMNS}`,
    values: [address, source],
  })
  await scoreAnew(client, [address])
  return rows
}

const COLUMNS = 'address, source, kind, name, licence, confidence, dated::text AS dated'

/** Labels by address, 1,000 at most. */
export async function listLabels(client: Client): Promise<Label[]> {
  const { rows } = await client.query<Label>(`SELECT ${COLUMNS} FROM wallet_label ORDER BY address, source LIMIT 1000`)
  return rows
}

/** The newest tokens of a wallet that are scored anew. */
const MOST_TOKENS = 400

async function scoreAnew(client: Client, addresses: readonly string[]): Promise<void> {
  // Before the scores are due: a scoring that remembers wallets forgets them with it.
  await client.query('UPDATE chain SET label_edition = label_edition + 1')
  await client.query({
    text: `INSERT INTO score_due (kind, id, due_at)
      SELECT DISTINCT 1, p.token_id, (SELECT max(time) FROM block) FROM wallet w
      CROSS JOIN LATERAL (
        SELECT token_id FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT ${MOST_TOKENS}) p
      JOIN token_score s ON s.token_id = p.token_id
      WHERE w.address = ANY($1) AND EXISTS (SELECT FROM block)
      ON CONFLICT (kind, id) DO UPDATE SET due_at = least(score_due.due_at, excluded.due_at)`,
    values: [addresses],
  })
}
