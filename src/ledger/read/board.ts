// The columns of the board of tokens. Input: a connection with a snapshot of one block. The board has these columns and
// nothing else.
import { recordOf } from '../../base/keys-of.ts'
import type { UnitPrices } from '../../base/present.ts'
import { CONFIDENCES, RISK_FLAGS } from '../../base/vocabulary.ts'
import type { pg } from '../../database/client.ts'
import {
  defineRead,
  double,
  integer,
  type Reader,
  type RowsOf,
  type Selected,
  text,
} from '../../database/column-query.ts'
import { toSnake } from '../../fields/field.ts'
import {
  BOARD_COUNTS,
  BOARD_DOUBLES,
  type BoardCount,
  type BoardDouble,
  SCORED_NUMBERS,
  type ScoredNumber,
} from '../../fields/token.ts'
import { toUnits, type UnitColumns } from '../head.ts'
import { keptCap, keptPrice, unitOf } from '../present.ts'

const flagBits = RISK_FLAGS.map(
  (flag, bit) => `CASE WHEN '${flag}' = ANY (t.risk_flags) THEN ${1 << bit} ELSE 0 END`,
).join(' + ')
const confidence = `CASE s.confidence ${CONFIDENCES.map((word, place) => `WHEN '${word}' THEN ${place}`).join(' ')} ELSE 0 END`

/** Numbers with columns of another form. */
const SQL: Partial<Record<BoardDouble | BoardCount | ScoredNumber, string>> = {
  volume24hUsd: 't.volume_24h_micro_usd::float8 / 1e6',
}
const numbers = <Name extends BoardCount | BoardDouble | ScoredNumber, List>(
  names: readonly Name[],
  as: (sql: string) => Selected<List>,
) => recordOf(names, (name) => as(SQL[name] ?? `t.${toSnake(name)}`))

const COLUMNS = {
  ...numbers(BOARD_DOUBLES, double),
  ...numbers(SCORED_NUMBERS, double),
  ...numbers(BOARD_COUNTS, integer),
  id: integer('t.id'),
  address: text('t.address'),
  launchpad: text('t.launchpad'),
  // Folded by `foldCase`.
  symbol: text(`lower(t.symbol COLLATE "C")`),
  name: text(`lower(t.name COLLATE "C")`),
  createdAt: double(`date_part('epoch', t.created_at) * 1000`),
  // Price and market cap are in whole ones of this token; 0: in dollars.
  unit: integer(unitOf('t')),
  price: double(keptPrice('t')),
  marketCap: double(keptCap('t')),
  trendingScore: double('t.trending_score'),
  riskScore: double('t.risk_score'),
  flagBits: integer(flagBits),
  confidence: integer(confidence),
  contractMarks: integer('coalesce(c.marks, 0)'),
}

const FROM =
  'FROM token t LEFT JOIN token_score s ON s.token_id = t.id LEFT JOIN token_safety c ON c.token_id = t.id WHERE t.indexed AND'

/** The indexed ones among tokens with identifiers after the first value, up to the second. */
export const readBoardRange = defineRead(
  'board range',
  COLUMNS,
  (columns) => `SELECT ${columns} ${FROM} t.id > $1 AND t.id <= $2`,
)

/** The indexed ones among tokens with these identifiers. */
export const readBoardTokens = defineRead(
  'board tokens',
  COLUMNS,
  (columns) => `SELECT ${columns} ${FROM} t.id = ANY ($1::int[])`,
)

const readChanged = defineRead(
  'board changes',
  { ids: integer('t.id') },
  (columns) => `SELECT ${columns} FROM token t WHERE t.indexed AND t.updated_block >= $1`,
)

/** Tokens that changed in or after the block; in it too, because its scores come after it. */
export const readChangedIds = async (client: Reader, block: number): Promise<Int32Array> =>
  (await readChanged(client, [block])).ids

/** Rows of the board, a list per column. */
export type BoardRows = RowsOf<typeof readBoardRange>

/** A block that the board can be at. */
export interface BoardBlock {
  number: number
  hash: string
  timeMs: number
  /** Indexed tokens. */
  tokenCount: number
  units: UnitPrices
  lastTokenId: number
  /** Whether it was final when it was read. */
  isFinal: boolean
}

/** The newest block; null before the first. */
export async function readBoardBlock(client: Pick<pg.ClientBase, 'query'>): Promise<BoardBlock | null> {
  const { rows } = await client.query<Omit<BoardBlock, 'units'> & UnitColumns>({
    name: 'board block',
    text: `SELECT number, hash, date_part('epoch', time) * 1000 AS "timeMs", token_count AS "tokenCount", unit_ids, unit_usd,
      last_token_id AS "lastTokenId", number <= (SELECT finalized FROM chain) AS "isFinal"
      FROM block ORDER BY number DESC LIMIT 1`,
  })
  if (!rows[0]) return null
  const { unit_ids, unit_usd, ...block } = rows[0]
  return { ...block, units: toUnits({ unit_ids, unit_usd }) }
}

/** The hashes of the blocks with these numbers that are still known. */
export async function readHashes(
  client: Pick<pg.ClientBase, 'query'>,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ number: number; hash: string }>({
    name: 'board hashes',
    text: 'SELECT number, hash FROM block WHERE number = ANY ($1::int[])',
    values: [numbers],
  })
  return new Map(rows.map(({ number, hash }) => [number, hash]))
}
