// Stores scores in bulk. All changes of a chunk are written in the transaction that read its facts, after undo images
// of the rows. A rollback therefore restores scores too. Statements are sent in this order without waiting for each
// other: the connection is pipelined.

import { UNSCORED } from '../../base/unscored.ts'
import { type Column, createSheet, rowsOf } from '../../database/binary-arrays.ts'
import type { pg } from '../../database/client.ts'
import { toSnake } from '../../fields/field.ts'
import { SCORED_NUMBERS } from '../../fields/token.ts'
import { DIMENSION_ROWS } from '../../fields/wallet.ts'
import type { TokenScore, WalletScore } from '../explanation.ts'
import { packExplanation } from '../explanation-pack.ts'
import { payableUsd, shareUsd, uncostedShares, unitWorth } from '../present.ts'
import { SCORE_KINDS, type ScoreKind } from '../score-kinds.ts'
import { keepImages } from '../undo.ts'
import type { ScoreBlock } from './score-block.ts'

/** Collects the scores of a chunk as packed columns. An explanation is some hundred objects, so only few are kept alive at once. */
export interface ScoreSheet<Score> {
  add(score: Score): void
  /** Stores the scores at the block. Nothing may be added afterwards. */
  save(client: pg.ClientBase, block: ScoreBlock): Promise<void>
}

/** A sheet of token scores. It also copies scores into the rows of `token`, by which lists are filtered and ordered. */
export function createTokenSheet(): ScoreSheet<TokenScore> {
  const ids: number[] = []
  const copies = createSheet(TOKEN, { together: TOGETHER })
  const sheet = createScoreSheet<TokenScore>(
    'token',
    TOKEN_SCORE,
    (score) => score.tokenId,
    (token) => ({
      score: token.riskScore,
      level: token.riskLevel,
      details: detailsOf(token),
      flags: token.flags.join(','),
      begins: true,
    }),
  )
  return {
    add: (score) => {
      ids.push(score.tokenId)
      copies.add(score)
      sheet.add(score)
    },
    save: async (client, block) => {
      const values = copies.take()
      await Promise.all([
        sheet.save(client, block),
        keep(client, block, 'token', ids),
        values && client.query({ name: 'score tokens', text: UPDATE_TOKEN, values: [...values, block.number] }),
      ])
    },
  }
}

/** A sheet of wallet scores. A history does not begin with the score of a wallet without evidence. */
export const createWalletSheet = (): ScoreSheet<WalletScore> =>
  createScoreSheet<WalletScore>(
    'wallet',
    WALLET_SCORE,
    (score) => score.walletId,
    ({ reputationScore, level, explanation }) => ({
      score: reputationScore,
      level,
      details: [],
      flags: null,
      begins: explanation.evidence > 0 || reputationScore !== UNSCORED.reputation,
    }),
  )

/** `pointOf` returns the score's point of the history. */
function createScoreSheet<Score>(
  kind: ScoreKind,
  columns: readonly Column<Score>[],
  idOf: (score: Score) => number,
  pointOf: (score: Score) => Omit<Point, 'id'>,
): ScoreSheet<Score> {
  const ids: number[] = []
  const scores = createSheet(columns, { together: TOGETHER })
  const points = createSheet(POINT, { together: TOGETHER })
  return {
    add: (score) => {
      const id = idOf(score)
      ids.push(id)
      scores.add(score)
      points.add({ id, ...pointOf(score) })
    },
    save: async (client, block) => {
      const table = `${kind}_score`
      await Promise.all([
        keep(client, block, table, ids),
        upsert(client, block, { table, columns }, scores.take()),
        savePoints(client, block, kind, points.take()),
      ])
    },
  }
}

const TOKEN_SCORE: readonly Column<TokenScore>[] = [
  ['token_id', 'integer', (score) => score.tokenId],
  ['risk_score', 'double', (score) => score.riskScore],
  ['confidence', 'text', (score) => score.confidence],
  ['holder_concentration_score', 'double', (score) => score.holderConcentrationScore],
  ['liquidity_stability_score', 'double', (score) => score.liquidityStabilityScore],
  ['wash_trade_score', 'double', (score) => score.washTradeScore],
  ['smart_money_flow_score', 'double', (score) => score.smartMoneyFlowScore],
  ['early_mover_count', 'integer', (score) => score.earlyMoverCount],
  ['early_mover_net_activity', 'text', (score) => score.earlyMoverNetActivity],
  ['avg_reputation_top10', 'double', (score) => score.avgReputationTop10],
  ['summary', 'text', (score) => score.summary],
  ['summary_source', 'text', (score) => score.summarySource],
  ['held_until', 'time', (score) => score.heldUntil],
  ['withdrawer_id', 'integer', (score) => score.withdrawerId],
  ['organic_volume_24h_usd', 'double', (score) => score.organicVolume24hUsd],
  ['cluster_wallet_ids', 'text', (score) => `{${score.clusterWalletIds.join(',')}}`],
  ['clusters', 'text', (score) => score.clusterMap && JSON.stringify(score.clusterMap)],
  ['explanation', 'text', (score) => JSON.stringify(packExplanation(score.explanation))],
]

const TOKEN: readonly Column<TokenScore>[] = [
  ['id', 'integer', (score) => score.tokenId],
  ['risk_score', 'double', (score) => score.riskScore],
  ['flags', 'text', (score) => score.flags.join(',')],
  ['trending_score', 'double', (score) => score.trendingScore],
  ...SCORED_NUMBERS.map(
    (name): Column<TokenScore> => [
      toSnake(name),
      'double',
      (score) => (score.shares ? score.shares[name] : Number.NaN),
    ],
  ),
]

// `updated_block` tells alert sweeps, and boards in memory, that the token or its score changed.
// NaN stands for a number that stays as it is.
const SCORED = SCORED_NUMBERS.map(toSnake).map((column) => ({
  column,
  next: `CASE WHEN v.${column} = 'NaN' THEN t.${column} ELSE v.${column} END`,
}))
const UPDATE_TOKEN = `UPDATE token t SET risk_score = v.risk_score, risk_flags = string_to_array(v.flags, ','),
  trending_score = v.trending_score, ${SCORED.map(({ column, next }) => `${column} = ${next}, `).join('')}
  updated_block = $${TOKEN.length + 1}
FROM ${rowsOf(TOKEN)} v
WHERE t.id = v.id
  AND (t.updated_block, t.risk_score, t.risk_flags, t.trending_score${SCORED.map(({ column }) => `, t.${column}`).join('')})
    IS DISTINCT FROM ($${TOKEN.length + 1}, v.risk_score, string_to_array(v.flags, ','), v.trending_score${SCORED.map(({ next }) => `, ${next}`).join('')})`

const WALLET_SCORE: readonly Column<WalletScore>[] = [
  ['wallet_id', 'integer', (score) => score.walletId],
  ['block_number', 'integer', (score) => score.block],
  ['updated_at', 'time', (score) => score.time],
  ['classifications', 'text', (score) => score.classifications.join(',')],
  ['reputation_score', 'double', (score) => score.reputationScore],
  ['confidence', 'text', (score) => score.confidence],
  ['classification', 'text', (score) => score.classification],
  ...DIMENSION_ROWS.map(([name]): Column<WalletScore> => [toSnake(name), 'double', (score) => score[name]]),
  ['sector_preference', 'text', (score) => score.sectorPreference],
  ['explanation', 'text', (score) => JSON.stringify(packExplanation(score.explanation))],
]

/** How many rows are packed at once. Packing more is faster, but keeps objects alive for longer. */
const TOGETHER = 16

/** A row of the history, `score_point`. */
interface Point {
  id: number
  score: number
  level: string
  details: readonly (number | null)[]
  /** With commas between; null: a wallet has none. */
  flags: string | null
  /** Whether a history may begin with it. */
  begins: boolean
}

/** The dimensions of the contract in the form of the history, then 1 if holders can sell, 0 if not. */
const detailsOf = (score: TokenScore): Point['details'] => [
  score.holderConcentrationScore,
  score.liquidityStabilityScore,
  score.washTradeScore,
  score.smartMoneyFlowScore,
  score.sellable === null ? null : Number(score.sellable),
]

const POINT: readonly Column<Point>[] = [
  ['id', 'integer', (point) => point.id],
  ['score', 'double', (point) => point.score],
  ['level', 'text', (point) => point.level],
  ['details', 'text', (point) => `{${point.details.map((value) => value ?? 'NULL').join(',')}}`],
  ['flags', 'text', (point) => point.flags],
  ['begins', 'boolean', (point) => point.begins],
]

/** The most tokens of a wallet whose value the history counts, the newest first: the same as in a score. */
const VALUED_TOKENS = 400

/**
 * The details of a point of the history, summed in a fixed order, because sums of doubles depend on it. A wallet's
 * details are computed only for stored points, one a day.
 */
const DETAILS: Readonly<Record<ScoreKind, string>> = {
  token: 'v.details::double precision[]',
  wallet: `(SELECT ARRAY[w.realised_usd,
      coalesce(sum((h.cost_quantity - ${uncostedShares('h', 'l')}) * u.usd - h.cost_usd ORDER BY h.token_id), 0),
      coalesce(sum(least(q.quantity * t.price_usd, q.payable) ORDER BY h.token_id), 0)]
    FROM wallet w LEFT JOIN LATERAL (
      SELECT * FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT ${VALUED_TOKENS}) h ON true
    LEFT JOIN token t ON t.id = h.token_id
    LEFT JOIN pool l ON t.kind = 'lp' AND l.lp_token_id = t.id
    LEFT JOIN LATERAL (SELECT coalesce(h.balance::float8 / 10::float8 ^ t.decimals, 0) AS quantity, ${payableUsd('t')} AS payable) q ON true
    LEFT JOIN LATERAL (SELECT CASE WHEN t.kind = 'lp' THEN ${shareUsd('h', 't', 'l')}
      ELSE ${unitWorth('q.quantity', 't.price_usd', 'q.payable')} END AS usd) u ON true
    WHERE w.id = v.id GROUP BY w.id)`,
}

/** Columns that are sent as text and cast to their type. */
const CASTS: Readonly<Record<string, string>> = { cluster_wallet_ids: '::int[]' }

/** Inserts or replaces rows. The first column is the key. */
async function upsert<Score>(
  client: pg.ClientBase,
  block: ScoreBlock,
  { table, columns }: { table: string; columns: readonly Column<Score>[] },
  arrays: readonly Buffer[] | null,
): Promise<void> {
  if (!arrays) return
  const names = columns.map(([name]) => name)
  const cells = names.map((name) => `v.${name}${CASTS[name] ?? ''}`)
  // A wallet's score has its own block and time.
  const hasOwnTime = names.includes('updated_at')
  const [into, from] = hasOwnTime ? ['', ''] : ['block_number, updated_at, ', '$1, to_timestamp($2), ']
  const changed = [...(hasOwnTime ? [] : ['block_number', 'updated_at']), ...names.slice(1)]
  const text = `INSERT INTO ${table} (${into}${names.join(', ')})
    SELECT ${from}${cells.join(', ')} FROM ${rowsOf(columns, hasOwnTime ? 1 : 3)} v
    ON CONFLICT (${names[0]}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`
  const values = hasOwnTime ? arrays : [block.number, block.time, ...arrays]
  await client.query({ name: `score ${table}`, text, values: [...values] })
}

/** Stores undo images of the rows, unless the block has them already. */
async function keep(client: pg.ClientBase, block: ScoreBlock, table: string, ids: readonly number[]): Promise<void> {
  if (!block.revocable) return
  await Promise.all(keepImages(block.number, table, [ids]).map((statement) => client.query(statement)))
}

/** The place of a token's sale check among the details, from 1. */
export const SALE_DETAIL = 5

/**
 * Adds to the history each change of level, flags or sale, and otherwise the first score of a day. A second score at a block
 * replaces the first. A rollback deletes the points of undone blocks.
 */
async function savePoints(
  client: pg.ClientBase,
  block: ScoreBlock,
  kind: ScoreKind,
  points: readonly Buffer[] | null,
): Promise<void> {
  if (!points) return
  const text = `INSERT INTO score_point (kind, id, block_number, time, score, level, details, flags)
    SELECT $1::smallint, v.id, $2::int, to_timestamp($3::float8), v.score, v.level, ${DETAILS[kind]},
      string_to_array(v.flags, ',')
    FROM ${rowsOf(POINT, 4)} v
    LEFT JOIN LATERAL (
      SELECT p.level, p.score, p.time, p.flags, p.block_number, p.details[${SALE_DETAIL}] AS sale FROM score_point p WHERE p.kind = $1 AND p.id = v.id
      ORDER BY p.block_number DESC LIMIT 1) last ON true
    WHERE (last.level IS NULL AND v.begins) OR last.level <> v.level OR last.flags <> string_to_array(v.flags, ',')
      OR (v.details::double precision[])[${SALE_DETAIL}] IS DISTINCT FROM last.sale
      OR (last.score <> v.score AND last.block_number = $2::int)
      OR (last.score <> v.score AND floor(date_part('epoch', last.time) / 86400) < floor($3::float8 / 86400))
    ON CONFLICT (kind, id, block_number) DO UPDATE SET score = excluded.score, level = excluded.level, details = excluded.details,
      flags = excluded.flags`
  const values = [SCORE_KINDS[kind], block.number, block.time, ...points]
  await client.query({ name: `${kind} score points`, text, values })
}
