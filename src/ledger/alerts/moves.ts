// What moved into and out of wallets, for alerts that mirror their sales: each block with the position before and
// after it.
import { EVENT_TYPE_ID } from '../../base/vocabulary.ts'
import type { SweepClient } from './sweep.ts'

/** The most events that a sweep reads, the newest ones. */
const MOST_MOVES = 100_000

/** One event of a wallet with a token. */
export interface Move {
  /** The hash of the transaction. */
  tx: string
  how: 'swap' | 'liquidity' | 'transfer'
  isIn: boolean
  /** In whole tokens. */
  quantity: number
  usd: number
}

/** The moves of a token of a wallet in one block. */
export interface MovedBlock {
  tokenId: number
  wallet: string
  block: number
  timeMs: number
  /** Oldest first. */
  moves: Move[]
  decimals: number
  /** The position at the start of the block in raw units. Null: the block was final at once, so no row was kept. */
  before: bigint | null
  /** The position at the end of the block in raw units; null: it is known only by later moves. */
  after: bigint | null
}

/** How tokens left a wallet: by a sale, into a pool as liquidity, or to another address. */
export const EXIT_KINDS = ['sale', 'liquidity', 'transfer'] as const
export type ExitKind = (typeof EXIT_KINDS)[number]

export interface WalletExit {
  wallet: string
  kind: ExitKind
  /** Of the position before it, 0-100, to four decimals; null: not known. 100: nothing was left. */
  sharePct: number | null
  /** In whole tokens. */
  quantity: number
  /** The whole tokens that it has left at the end of the block; null: not known. */
  leftQuantity: number | null
  usd: number
  block: number
  timeMs: number
  /** The newest transaction of it in the block. */
  tx: string
}

/** The position as of a row that was kept before a block changed it: an absent row held nothing. */
const keptAt = (which: string) =>
  `(SELECT coalesce(u.before->>'balance', '0') FROM undo u
    WHERE u.entity = 'position' AND u.key1 = m.token_id AND u.key2 = m.of_id AND u.key3 = 0 AND u.block_number ${which}
    ORDER BY u.block_number LIMIT 1)`

const TEXT = `WITH followed AS MATERIALIZED (SELECT id, address FROM wallet WHERE address = ANY($2::text[])),
  newest AS MATERIALIZED (SELECT * FROM event
    WHERE n > coalesce((SELECT event_count FROM block WHERE number <= $1 ORDER BY number DESC LIMIT 1), 0)
      AND block_number > $1 ORDER BY n DESC LIMIT ${MOST_MOVES}),
  moved AS (
    SELECT e.*, w.id AS of_id, w.address,
      e.type = ${EVENT_TYPE_ID.liquidity_remove} OR coalesce(e.direction = 1, false) AS is_in
    FROM newest e JOIN followed w ON w.id = e.wallet_id WHERE e.counterparty_id IS DISTINCT FROM e.wallet_id
    UNION ALL
    SELECT e.*, w.id, w.address, true
    FROM newest e JOIN followed w ON w.id = e.counterparty_id WHERE e.counterparty_id <> e.wallet_id),
  m AS (
    SELECT token_id, of_id, address, block_number, max(time) AS time,
      json_agg(json_build_object('tx', '0x' || encode(tx_hash, 'hex'), 'how', CASE type WHEN ${EVENT_TYPE_ID.swap} THEN 'swap'
        WHEN ${EVENT_TYPE_ID.transfer} THEN 'transfer' ELSE 'liquidity' END, 'isIn', is_in, 'quantity', quantity,
        'usd', amount_usd) ORDER BY n) AS moves
    FROM moved GROUP BY token_id, of_id, address, block_number)
  SELECT m.token_id AS "tokenId", m.address AS wallet, m.block_number AS block, m.moves,
    extract(epoch FROM m.time)::float8 * 1000 AS "timeMs", coalesce(t.decimals, 0)::int AS decimals,
    ${keptAt('= m.block_number')} AS before,
    coalesce(${keptAt('> m.block_number')}, CASE WHEN row_number() OVER last = 1 THEN p.balance::text END) AS after
  FROM m JOIN token t ON t.id = m.token_id AND t.indexed
  LEFT JOIN position p ON p.token_id = m.token_id AND p.wallet_id = m.of_id
  WINDOW last AS (PARTITION BY m.token_id, m.of_id ORDER BY m.block_number DESC)
  ORDER BY m.block_number, m.token_id, m.address`

type Row = Omit<MovedBlock, 'before' | 'after'> & { before: string | null; after: string | null }

const toRaw = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

/** The moves of wallets in the blocks after `sinceBlock`, oldest first. */
export async function readMoves(
  client: SweepClient,
  sinceBlock: number,
  wallets: readonly string[],
): Promise<MovedBlock[]> {
  if (wallets.length === 0) return []
  const { rows } = await client.query<Row>(TEXT, [sinceBlock, wallets])
  return rows.map(({ before, after, ...row }) => ({ ...row, before: toRaw(before), after: toRaw(after) }))
}

/** That an alert reported a token as bought by a wallet. */
export interface Report {
  alertId: string
  tokenId: number
  wallet: string
  /** The oldest block of it. */
  block: number
}

/** What alerts reported as bought, of some tokens. */
export async function readReports(
  client: SweepClient,
  alertIds: readonly string[],
  tokenIds: readonly number[],
): Promise<Report[]> {
  const { rows } = await client.query<Report>(
    `SELECT n.alert_id AS "alertId", n.token_id AS "tokenId", t->>'wallet' AS wallet, min((t->>'block')::int) AS block
     FROM alert_notice n CROSS JOIN jsonb_array_elements(n.facts->'trades') t
     WHERE n.alert_id = ANY($1::text[]) AND n.token_id = ANY($2::int[]) AND n.exit_key = '' AND t->>'direction' = 'buy'
     GROUP BY n.alert_id, n.token_id, t->>'wallet'`,
    [alertIds, tokenIds],
  )
  return rows
}
