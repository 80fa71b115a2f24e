// Which tokens and wallets changed since a block, by address: those whose rows were kept for undoing in it or later, and those
// whose summary is another. In the block itself too, since its scores come after it.
import type { pg } from '../database/client.ts'

/** Changed rows that are looked at: after more, everything counts as changed. */
const MOST_ROWS = 20_000

/** What goes into the next question: the newest reorganisation, and wallets that count as changed once more. */
export interface ChangeMark {
  reorg: number
  shown: readonly number[]
}

interface Row {
  rows: number
  isKnown: boolean
  reorg: number
  tokens: string | null
  wallets: string | null
  shownAddresses: string | null
  shown: number[]
}

/** Stands for what a list of holders shows of a wallet: its class and reputation, which few of its doings change. */
export const shownOf = (address: string): string => `shown ${address}`

// Images are kept of every row that a block changes while it is not final, and forgotten when it is. So they tell all of
// it where the block asked from was not final yet, and is still on the chain. A model's summary has no image.
const TEXT = `WITH u AS MATERIALIZED (
    SELECT entity, key1, key2, CASE entity WHEN 'token_score' THEN before -> 'cluster_wallet_ids' END AS cluster,
      CASE entity WHEN 'wallet' THEN before ->> 'kind' WHEN 'wallet_score' THEN before ->> 'classification' END AS class,
      CASE entity WHEN 'wallet_score' THEN (before ->> 'reputation_score')::float8 END AS reputation
    FROM undo WHERE block_number >= $1 LIMIT ${MOST_ROWS + 1}),
  t AS MATERIALIZED (
    SELECT key1 AS id FROM u WHERE entity IN ('token', 'token_score', 'position')
    UNION SELECT id FROM token WHERE indexed AND updated_block >= $1::int
    UNION SELECT id FROM token JOIN token_summary m ON m.token_id = id WHERE indexed AND updated_block = $1::int - 1),
  w AS MATERIALIZED (
    SELECT key1 AS id FROM u WHERE entity IN ('wallet', 'wallet_score') UNION SELECT key2 FROM u WHERE entity = 'position'),
  s AS MATERIALIZED (
    SELECT key1 AS id FROM u LEFT JOIN wallet_score ON wallet_id = key1
    WHERE entity = 'wallet_score' AND (reputation, class) IS DISTINCT FROM (reputation_score, classification)
    UNION SELECT key1 FROM u JOIN wallet ON id = key1 WHERE entity = 'wallet' AND class IS DISTINCT FROM kind
    UNION SELECT unnest(cluster_wallet_ids) FROM token_score
    WHERE token_id IN (SELECT key1 FROM u WHERE entity = 'token_score') AND cluster_wallet_ids <> '{}'
    UNION SELECT json_array_elements_text(cluster)::int FROM u WHERE json_typeof(cluster) = 'array')
  SELECT (SELECT count(*) FROM u)::int AS rows, coalesce((SELECT max(id) FROM reorg), 0) AS reorg,
    (SELECT finalized FROM chain) < $1 AND EXISTS (SELECT FROM block WHERE number = $1 AND hash = $2) AS "isKnown",
    (SELECT string_agg(address, ',') FROM token WHERE id IN (SELECT id FROM t)) AS tokens,
    (SELECT string_agg(address, ',') FROM wallet WHERE id IN (SELECT id FROM w)) AS wallets,
    (SELECT string_agg(address, ',') FROM wallet WHERE id IN (SELECT id FROM s UNION SELECT unnest($3::int[]))) AS "shownAddresses",
    ARRAY(SELECT id FROM s) AS shown`

const listOf = (addresses: string | null): string[] => (addresses === null ? [] : addresses.split(','))

/** What changed in this block and after it; `changes` is null where that is not known, and so may be anything. `mark`: of the last answer. */
export async function readChanges(
  pool: pg.Pool,
  since: { number: number; hash: string },
  mark: ChangeMark | null,
): Promise<{ changes: readonly string[] | null; mark: ChangeMark | null }> {
  const values = [since.number, since.hash, mark?.shown ?? []]
  const { rows } = await pool.query<Row>({ name: 'changes', text: TEXT, values })
  const [row] = rows
  if (!row) return { changes: null, mark: null }
  const { reorg, shown } = row
  const isTold = row.isKnown && row.rows <= MOST_ROWS && mark?.reorg === reorg
  const shownAddresses = listOf(row.shownAddresses)
  const changes = [...listOf(row.tokens), ...listOf(row.wallets), ...shownAddresses, ...shownAddresses.map(shownOf)]
  return { changes: isTold ? changes : null, mark: { reorg, shown } }
}

/** Addresses that are remembered; after more, everything counts as changed. */
const MOST_ADDRESSES = 50_000

/** What changed when, by versions that grow. Pure. */
export function createChangeLog(most = MOST_ADDRESSES) {
  const versions = new Map<string, number>()
  /** Everything changed then. */
  let floor = 0
  return {
    /** These tokens and wallets are others since this version; null: all may be. */
    note(addresses: readonly string[] | null, version: number): void {
      const isTooMuch = addresses === null || versions.size + addresses.length > most
      if (isTooMuch) {
        versions.clear()
        floor = version
      } else for (const address of addresses) versions.set(address, version)
    },
    /** Whether what was read of these at a version still holds. */
    holds: (addresses: readonly string[], version: number): boolean =>
      version >= floor && addresses.every((address) => (versions.get(address) ?? 0) <= version),
  }
}
