// The baseline: a hand-written server for the same JSON. It uses node:http and one prepared statement per request,
// without keys, limits or validation, so that only the necessary work is left. Prints its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import type { Contribution } from '../../src/ledger/explanation.ts'
import {
  PACKED_REASONS,
  type PackedExplanation,
  type PackedReasons,
  unpackExplanation,
  unpackReasons,
} from '../../src/ledger/explanation-pack.ts'
import { whyUnchecked } from '../../src/ledger/first-check.ts'
import { toPnl } from '../../src/scoring/pnl.ts'
import { pickMain } from '../../src/verdict/settle.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })

const NOW = `(SELECT time FROM block ORDER BY number DESC LIMIT 1)`
const TOKEN = `t.address, t.name, t.symbol, t.market_cap_usd, t.volume_24h_micro_usd::float8 / 1e6 AS volume_24h_usd, t.liquidity_usd,
  t.holder_count, round(extract(epoch FROM ${NOW} - t.created_at) / 3600, 4)::float8 AS age_hours, t.risk_score, t.risk_flags, s.summary AS ai_summary, t.launchpad,
  nullif(t.price_usd, 0) AS price_usd, (SELECT 100 * (t.price_usd / nullif(close_usd, 0) - 1) FROM (
    (SELECT 1 AS rank, close_usd FROM token_five_minutes f WHERE f.token_id = t.id AND f.slot < floor((extract(epoch FROM ${NOW}) - 86400) / 300)::int ORDER BY f.slot DESC LIMIT 1)
    UNION ALL (SELECT 2, close_usd FROM token_hour h WHERE h.token_id = t.id AND h.hour < floor((extract(epoch FROM ${NOW}) - 86400) / 3600)::int ORDER BY h.hour DESC LIMIT 1)
    ORDER BY rank LIMIT 1) p) AS price_change_24h_pct,
  CASE WHEN t.price_usd > 0 AND t.market_cap_usd >= 0.999 * t.price_usd * ((t.supply - t.burned - t.locked) / 10::numeric ^ t.decimals)::float8
    THEN greatest(t.price_usd * ((t.supply - t.burned) / 10::numeric ^ t.decimals)::float8, t.market_cap_usd) END AS fdv_usd,
  s.confidence, ${PACKED_REASONS} AS reasons, (SELECT r.report::json FROM token_safety r WHERE r.token_id = t.id) AS report,
  ${whyUnchecked('t', '(SELECT chain FROM chain)')} AS why`
const EVENT = `e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0) AS id,
  CASE e.type WHEN 1 THEN 'swap' WHEN 2 THEN 'liquidity_add' WHEN 3 THEN 'liquidity_remove' ELSE 'transfer' END AS type,
  w.address AS wallet_address, t.address AS token_address, t.symbol AS token_symbol, e.amount_usd,
  CASE e.direction WHEN 1 THEN 'buy' WHEN 2 THEN 'sell' END AS direction, e.time AS timestamp, '0x' || encode(e.tx_hash, 'hex') AS tx_hash, e.quantity,
  CASE WHEN e.type = 1 AND e.quantity > 0 AND e.amount_usd >= 0.01 THEN e.amount_usd / e.quantity END AS price_usd, p.address AS pool, o.address AS counterparty`
const EVENT_SIDES = 'LEFT JOIN pool p ON p.id = e.pool_id LEFT JOIN wallet o ON o.id = e.counterparty_id'

const ORDERS: Record<string, string> = {
  trending: 't.trending_score DESC, t.liquidity_usd DESC, t.address',
  newest: 't.created_at DESC, t.address',
  liquidity: 't.liquidity_usd DESC, t.address',
  volume: 't.volume_24h_micro_usd DESC, t.address',
  risk_asc: 't.risk_score, t.liquidity_usd DESC, t.address',
}

async function query<T extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<T[]> {
  const { rows } = await pool.query<T>({ name, text, values })
  return rows
}

const GROWTH =
  'round(100 * (t.funded_holder_count - t.funded_holder_count_1h_ago)::numeric / greatest(t.funded_holder_count_1h_ago, 1), 4)'

interface TokenRow {
  market_cap_usd: number | null
  price_usd: number | null
  reasons: PackedReasons
  report: {
    sellCheck: { status: string; sellable: boolean | null; sellTaxPct: number | null; reason: string | null }
    checkedAt: number
  } | null
  why: string
}

/** The form of a token in an answer. */
function tokenOf({ report, why, reasons, ...row }: TokenRow): object {
  const unpriced = row.price_usd === null
  return {
    ...row,
    market_cap_usd: unpriced ? 0 : row.market_cap_usd,
    reasons: pickMain(unpackReasons(reasons)).map(toReason),
    sell_check: {
      status: report?.sellCheck.status ?? 'not_checked',
      sellable: report?.sellCheck.sellable ?? null,
      sell_tax_pct: report?.sellCheck.sellTaxPct ?? null,
      checked_at: report && new Date(report.checkedAt * 1000),
      reason: report ? report.sellCheck.reason : why,
    },
    unknown: unpriced ? ['market_cap_usd'] : [],
  }
}

const toReason = ({ kind, text, points }: { kind: string; text: string; points: number }) => ({ kind, text, points })
const toParts = (parts: readonly Contribution[]) =>
  parts.map(({ name, value, weight, contribution }) => ({ name, value, weight, contribution }))

/** What each filter asks of a token; `?` is its value. */
const FILTERS: Record<string, string> = {
  min_liquidity_usd: 't.liquidity_usd >= ?',
  min_market_cap_usd: 't.market_cap_usd >= ?',
  max_market_cap_usd: 't.market_cap_usd <= ?',
  max_risk_score: 't.risk_score <= ?',
  min_holder_growth_1h_pct: `${GROWTH} >= ?`,
  max_age_hours: `round(extract(epoch FROM ${NOW} - t.created_at) / 3600, 4) <= ?`,
  exclude_flags: "NOT t.risk_flags && string_to_array(?, ',')",
}

async function tokens(query_: URLSearchParams): Promise<unknown> {
  const sort = query_.get('sort') ?? 'trending'
  const page = Number(query_.get('page') ?? 1)
  const limit = Number(query_.get('limit') ?? 50)
  const filters = Object.keys(FILTERS).filter((name) => query_.has(name))
  const where = filters.map((name, at) => ` AND ${FILTERS[name]?.replace('?', `$${at + 3}`)}`).join('')
  const total =
    filters.length === 0
      ? '(SELECT token_count FROM block ORDER BY number DESC LIMIT 1)'
      : `(SELECT count(*) FROM token t WHERE t.indexed${where})`
  const rows = await query<TokenRow & { total: number }>(
    `tokens ${sort} ${filters.join(' ')}`,
    `SELECT ${TOKEN}, ${total} AS total FROM token t JOIN token_score s ON s.token_id = t.id
     WHERE t.indexed${where} ORDER BY ${ORDERS[sort]} LIMIT $2 OFFSET $1`,
    [(page - 1) * limit, limit, ...filters.map((name) => query_.get(name))],
  )
  return { data: rows.map(({ total: _, ...row }) => tokenOf(row)), total: rows[0]?.total ?? 0, page, limit }
}

async function profile(address: string): Promise<unknown> {
  const [row] = await query<TokenRow>(
    'profile',
    `SELECT ${TOKEN}, (SELECT json_agg(h) FROM (
       SELECT w.address, 100 * p.balance::float8 / t.supply::float8 AS holding_pct, ws.classification, ws.reputation_score,
         CASE WHEN p.first_at >= n.week THEN 'accumulating' WHEN p.last_at < n.week OR o.held IS NULL THEN 'neutral'
           WHEN p.balance::float8 / 1e18 <= 0.01 * o.held THEN 'inactive' WHEN p.balance::float8 / 1e18 > 1.05 * o.held THEN 'accumulating'
           WHEN p.balance::float8 / 1e18 < 0.95 * o.held THEN 'distributing' ELSE 'neutral' END AS net_activity
       FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN wallet_score ws ON ws.wallet_id = w.id
         CROSS JOIN (SELECT date_trunc('day', ${NOW}, 'UTC') - interval '7 days' AS week) n
         LEFT JOIN LATERAL (SELECT held FROM unnest(p.opening_days, p.openings) AS o (day, held)
           WHERE day >= extract(epoch FROM n.week) / 86400 ORDER BY day LIMIT 1) o ON true
       WHERE p.token_id = t.id AND p.balance > 0 ORDER BY p.balance DESC, p.wallet_id LIMIT 10) h) AS top_holders, t.created_at
     FROM token t JOIN token_score s ON s.token_id = t.id WHERE t.address = $1`,
    [address],
  )
  return row && tokenOf(row)
}

async function events(query_: URLSearchParams): Promise<unknown> {
  const page = Number(query_.get('page') ?? 1)
  const rows = await query<{ total: number }>(
    'events',
    `SELECT e.*, b.event_count AS total FROM (SELECT event_count FROM block ORDER BY number DESC LIMIT 1) b
     CROSS JOIN LATERAL (SELECT ${EVENT} FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id ${EVENT_SIDES}
       WHERE e.n <= b.event_count - $1 ORDER BY e.n DESC LIMIT 50) e`,
    [(page - 1) * 50],
  )
  return { data: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0, page, limit: 50 }
}

async function eventsOfToken(address: string): Promise<unknown> {
  const rows = await query<{ total: number }>(
    'events of a token',
    `SELECT ${EVENT}, t.event_count AS total FROM token t JOIN event e ON e.token_id = t.id JOIN wallet w ON w.id = e.wallet_id ${EVENT_SIDES}
     WHERE t.address = $1 ORDER BY e.token_n DESC LIMIT 50`,
    [address],
  )
  return pageOf(rows)
}

async function eventsOfWallet(address: string): Promise<unknown> {
  const rows = await query<{ total: number; wallet_address: string; type: string; counterparty: string | null }>(
    'events of a wallet',
    `SELECT ${EVENT}, w.event_count AS total FROM wallet w JOIN event e ON e.wallet_id = w.id JOIN token t ON t.id = e.token_id ${EVENT_SIDES}
     WHERE w.address = $1 ORDER BY e.wallet_n DESC LIMIT 50`,
    [address],
  )
  return pageOf(
    rows.map(({ wallet_address: sender, ...row }) => {
      if (row.type !== 'transfer') return { ...row, transfer_direction: null }
      const isOut = sender === address
      return { ...row, counterparty: isOut ? row.counterparty : sender, transfer_direction: isOut ? 'out' : 'in' }
    }),
  )
}

const pageOf = (rows: { total: number }[]) => ({
  data: rows.map(({ total: _, ...row }) => row),
  total: rows[0]?.total ?? 0,
  page: 1,
  limit: 50,
})

async function wallet(address: string): Promise<unknown> {
  const [row] = await query<{ sums: Parameters<typeof toPnl>[0] | null }>(
    'wallet',
    `SELECT w.address, s.classification, s.reputation_score, s.confidence AS reputation_confidence,
       coalesce((SELECT json_agg(h) FROM (SELECT t.address AS token_address, t.symbol AS token_symbol, p.balance::float8 / 1e18 AS quantity,
         p.balance::float8 / 1e18 * t.price_usd AS value_usd FROM position p JOIN token t ON t.id = p.token_id
         WHERE p.wallet_id = w.id AND p.balance > 0 ORDER BY 4 DESC, t.address LIMIT 200) h), '[]') AS portfolio,
       (SELECT json_build_object('realisedUsd', sum(p.realised_usd), 'openUsd', sum(p.cost_quantity * t.price_usd - p.cost_usd),
         'soldUsd', sum(p.sold_usd), 'soldKnownUsd', sum(p.sold_known_usd), 'traded', bool_or(p.bought_usd > 0), 'swapped', bool_or(p.bought_usd > 0), 'pulled', bool_or(coalesce(p.pulled_usd > 0, false)),
         'pricedUsd', sum(p.balance::float8 / 1e18 * t.price_usd), 'unpricedCostUsd', 0, 'leftCostUsd', 0)
         FROM position p JOIN token t ON t.id = p.token_id WHERE p.wallet_id = w.id HAVING count(*) > 0) AS sums,
       s.sector_preference, w.swap_count AS trade_count, w.first_seen_at AS first_seen
     FROM wallet w JOIN wallet_score s ON s.wallet_id = w.id WHERE w.address = $1`,
    [address],
  )
  if (!row) return row
  const { sums, ...rest } = row
  const { pnlEstimateUsd, pnlConfidence } = toPnl(sums ?? NOTHING_HELD)
  return { ...rest, pnl_estimate_usd: pnlEstimateUsd, pnl_confidence: pnlConfidence }
}

const NOTHING_HELD = {
  ...{ realisedUsd: 0, openUsd: 0, soldUsd: 0, soldKnownUsd: 0, pricedUsd: 0, unpricedCostUsd: 0, leftCostUsd: 0 },
  traded: false,
  swapped: false,
  pulled: false,
}

async function walletScore(address: string): Promise<unknown> {
  const [row] = await query<{ explanation: PackedExplanation }>(
    'wallet score',
    `SELECT w.address, s.reputation_score, s.confidence, s.classification, json_build_object('win_rate', s.win_rate,
       'entry_timing_score', s.entry_timing_score, 'consistency_score', s.consistency_score, 'risk_drawdown_score', s.risk_drawdown_score) AS dimensions,
       w.swap_count AS trade_count, s.updated_at, s.explanation::json AS explanation
     FROM wallet w JOIN wallet_score s ON s.wallet_id = w.id WHERE w.address = $1`,
    [address],
  )
  if (!row) return row
  const { explanation, ...score } = row
  return { ...score, contributions: toParts(unpackExplanation(explanation).contributions), unknown: [] }
}

async function tokenScore(address: string): Promise<unknown> {
  const [row] = await query<Record<string, number> & { packed: PackedExplanation }>(
    'score',
    `SELECT t.address, t.risk_score, t.risk_flags AS flags, s.*, s.explanation::json AS packed FROM token t JOIN token_score s ON s.token_id = t.id WHERE t.address = $1`,
    [address],
  )
  if (!row) return row
  const { base, reasons, contributions } = unpackExplanation(row.packed)
  return {
    address: row.address,
    risk_score: row.risk_score,
    risk_level: toRiskLevel(Number(row.risk_score)),
    flags: row.flags,
    dimensions: {
      holder_concentration_score: row.holder_concentration_score,
      liquidity_stability_score: row.liquidity_stability_score,
      wash_trade_score: row.wash_trade_score,
      smart_money_flow_score: row.smart_money_flow_score,
    },
    top_holder_summary: {
      early_mover_count: row.early_mover_count,
      early_mover_net_activity: row.early_mover_net_activity,
      avg_reputation_top10: row.avg_reputation_top10,
    },
    updated_at: row.updated_at,
    confidence: row.confidence,
    base,
    reasons: reasons.map(toReason),
    contributions: toParts(contributions),
    unknown: [],
  }
}

function answerOf(asked: URLSearchParams, route: string, address: string, more: string): Promise<unknown> {
  if (route === 'tokens') return address === '' ? tokens(asked) : profile(address)
  if (route === 'wallets') return more === 'events' ? eventsOfWallet(address) : wallet(address)
  if (route === 'scores') return address === 'wallet' ? walletScore(more) : tokenScore(more)
  const token = asked.get('token_address')
  return token === null ? events(asked) : eventsOfToken(token)
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const [, , route = '', address = '', more = ''] = url.pathname.split('/')
  const answer = await answerOf(url.searchParams, route, address, more)
  const body = JSON.stringify(answer)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
