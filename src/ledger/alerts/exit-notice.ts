// The writes of exits that alerts mirror: each is a notice with a key of its own.
import type { Entry } from './notice.ts'
import type { SweepClient, SweptBlock } from './sweep.ts'

/** An exit that an alert tells. */
export interface ExitEntry extends Entry {
  exitKey: string
  exitBlock: number
}

/** Writes a notice for each exit. One that waits already is not written again. Returns how many notices. */
export async function writeExits(
  client: SweepClient,
  head: SweptBlock,
  entries: readonly ExitEntry[],
): Promise<number> {
  if (entries.length === 0) return 0
  const { rowCount } = await client.query(
    `INSERT INTO alert_notice (alert_id, token_id, block_number, block_hash, matched_at, initial, facts, exit_key)
     SELECT a.id, e.token_id, $6, $7, $8, false, e.facts, e.exit_key
     FROM unnest($1::text[], $2::bigint[], $3::int[], $4::jsonb[], $5::text[]) WITH ORDINALITY
       AS e (alert_id, revision, token_id, facts, exit_key, place)
     JOIN alert a ON a.id = e.alert_id AND a.revision = e.revision AND a.status = 'active' ORDER BY e.place
     ON CONFLICT (alert_id, token_id, exit_key) WHERE message_id IS NULL DO NOTHING`,
    [
      entries.map(({ alertId }) => alertId),
      entries.map(({ revision }) => revision),
      entries.map(({ tokenId }) => tokenId),
      entries.map(({ facts }) => JSON.stringify(facts)),
      entries.map(({ exitKey }) => exitKey),
      head.number,
      head.hash,
      new Date(head.timeMs),
    ],
  )
  return rowCount ?? 0
}

/** Stores the blocks to which a reorganisation moved exits. */
export async function moveExits(
  client: SweepClient,
  moved: readonly { id: number; exitBlock: number }[],
): Promise<void> {
  if (moved.length === 0) return
  await client.query(
    `UPDATE alert_notice n SET facts = jsonb_set(n.facts, '{exit,block}', to_jsonb(m.block))
     FROM unnest($1::bigint[], $2::int[]) AS m (id, block) WHERE n.id = m.id`,
    [moved.map(({ id }) => id), moved.map(({ exitBlock }) => exitBlock)],
  )
}
