// Scores at an earlier block, of many tokens or wallets in one statement. A block that can still be rolled back has the
// score that a rollback would restore. It is the score's row, or the oldest image of the row kept after the block. For
// an older block it is the newest point of the history up to it.
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A score at a block. */
export interface ScoreAtRow {
  /** The block of its computation, and its time. */
  blockNumber: number
  time: Date
  /** 0-100. */
  score: number
  /** Of a token the four dimensions of the contract; null for a wallet. */
  details: (number | null)[] | null
}

/** Asks for the score of a token or wallet at a block that is indexed. */
export interface ScoreAtQuestion {
  id: number
  block: number
}

/** The most blocks whose images are read: one look-up each. */
const MOST_IMAGES = 1_000

const [TOKEN_DETAILS, WALLET_DETAILS] = [
  `ARRAY[r.holder_concentration_score, r.liquidity_stability_score, r.wash_trade_score, r.smart_money_flow_score]`,
  'NULL::float8[]',
]

interface ScoreColumns {
  kind: number
  table: string
  key: string
  score: string
  details: string
}

const textOf = ({ kind, table, key, score, details }: ScoreColumns): SelectText =>
  `SELECT k.key, s.*
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (id, block, key)
  CROSS JOIN (SELECT greatest(finalized, $3::int - ${MOST_IMAGES}) AS from_block FROM chain) c
  LEFT JOIN LATERAL (
    SELECT u.before, true AS is_kept FROM generate_series(k.block + 1, $3::int) AS n
    CROSS JOIN LATERAL (SELECT before FROM undo
      WHERE block_number = n AND entity = '${table}' AND key1 = k.id AND key2 = 0 AND key3 = 0) u
    WHERE k.block >= c.from_block ORDER BY n LIMIT 1
  ) u ON true
  CROSS JOIN LATERAL (
    SELECT r.block_number AS "blockNumber", r.updated_at AS time, r.${score} AS score, ${details} AS details
    FROM ${table} r WHERE r.${key} = k.id AND k.block >= c.from_block AND u.is_kept IS NULL
    UNION ALL
    SELECT r.block_number, r.updated_at, r.${score}, ${details}
    FROM json_populate_record(NULL::${table}, u.before) r WHERE u.before IS NOT NULL
    UNION ALL
    (SELECT p.block_number, p.time, p.score, p.details FROM score_point p
      WHERE k.block < c.from_block AND p.kind = ${kind} AND p.id = k.id AND p.block_number <= k.block
      ORDER BY p.block_number DESC LIMIT 1)
  ) s`

const TEXTS = {
  token: textOf({ kind: 1, table: 'token_score', key: 'token_id', score: 'risk_score', details: TOKEN_DETAILS }),
  wallet: textOf({
    kind: 2,
    table: 'wallet_score',
    key: 'wallet_id',
    score: 'reputation_score',
    details: WALLET_DETAILS,
  }),
}

/** In the order of the questions; null: it had no score then. */
export async function readScoresAt(
  reading: Reading,
  kind: keyof typeof TEXTS,
  questions: readonly ScoreAtQuestion[],
): Promise<(ScoreAtRow | null)[]> {
  const lists = await readLists<ScoreAtRow>(reading, questions.length, {
    name: `${kind} scores at`,
    text: TEXTS[kind],
    values: [questions.map(({ id }) => id), questions.map(({ block }) => block), reading.head.number],
  })
  return lists.map(([score]) => score ?? null)
}
