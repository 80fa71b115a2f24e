// The exported table `tokens`: the indexed tokens, as they are at the newest block.

import { RISK_CUTS } from '../base/risk-level.ts'
import { CONFIDENCES, RISK_LEVELS } from '../base/vocabulary.ts'
import { type FieldRow, listWords, toSnake, type Unit } from '../fields/field.ts'
import { HOLDER_FIELDS } from '../fields/token-holders.ts'
import { LAUNCH_FIELDS } from '../fields/token-launch.ts'
import { MARKET_FIELDS } from '../fields/token-market.ts'
import { capAtHead, priceAtHead } from '../ledger/present.ts'
import { column, type ExportColumn } from './column.ts'
import type { ExportedTable } from './table.ts'

const PRICE = priceAtHead('t')
const ifPriced = (sql: string) => `CASE WHEN ${PRICE} > 0 THEN ${sql} END`
const VOLUME = 't.volume_24h_micro_usd::float8 / 1e6'
const LEVEL = `CASE WHEN t.risk_score < ${RISK_CUTS.low} THEN 'low' WHEN t.risk_score < ${RISK_CUTS.medium} THEN 'medium'
  WHEN t.risk_score < ${RISK_CUTS.high} THEN 'high' ELSE 'critical' END`

/** Numbers with columns of another form. */
const SQL: Readonly<Record<string, string>> = {
  volume24hUsd: VOLUME,
  fundedHolderCount: ifPriced('t.funded_holder_count'),
}

const MAKERS = {
  ...{ count: column.count, USD: column.usd, percent: column.percent, 'points, 0-100': column.points },
  ...{ hours: column.hours, none: column.number },
} as const satisfies Record<Unit, unknown>

/** The columns of the rows of `src/fields` that have a meaning in exports. */
const columnsOf = (rows: Readonly<Record<string, FieldRow>>): ExportColumn[] =>
  Object.entries(rows).flatMap(([name, { exported, unit, scored }]) => {
    if (exported === undefined || unit === undefined) return []
    const wire = toSnake(name)
    return [(scored ? column.points : MAKERS[unit])(wire, SQL[name] ?? `t.${wire}`, exported)]
  })

const IDENTITY = [
  column.text('address', 't.address', 'the token contract'),
  column.text('name', 't.name', 'its name, which its deployer wrote'),
  column.text('symbol', 't.symbol', 'its symbol, which its deployer wrote'),
  column.whole('decimals', 't.decimals', 'decimal places of a whole token; null if the contract does not say'),
  column.text('launchpad', 't.launchpad', 'the launch venue, or `unknown`'),
  column.text(
    'deployer_address',
    '(SELECT w.address FROM wallet w WHERE w.id = t.deployer_id)',
    'the wallet that deployed it; null if unknown',
  ),
  column.time('created_at', 't.created_at', 'the time of its first log'),
  column.whole('created_block', 't.created_block', 'the block of that log'),
  column.time('listed_at', 't.listed_at', 'the time of its first pool; null without one, or if it may be older'),
  column.flag(
    'partial',
    't.partial OR coalesce(t.unlogged <> 0, false)',
    'whether part of its supply is older than the first indexed block, or was made without a log',
  ),
]

const MARKET = [
  column.usd('price_usd', `nullif(${PRICE}, 0)`, 'the price at the block; null without a price'),
  column.usd('last_price_usd', 'nullif(t.price_usd, 0)', 'the price when its pools last changed; null without one'),
  column.time('priced_at', 't.priced_at', 'when its pools last changed; null if they never did'),
  column.count('price_pool_count', 't.price_pool_count', 'pools that agree on the price'),
  column.usd(
    'depth_2pct_usd',
    'CASE WHEN t.price_pool_count > 0 AND t.depth_2pct_usd > 0 THEN t.depth_2pct_usd END',
    'the trade that moves the price by 2 %; null if unknown',
  ),
  column.usd('market_cap_usd', ifPriced(capAtHead('t')), 'price x supply in circulation; null without a price'),
  ...columnsOf(MARKET_FIELDS),
  column.usd(
    'organic_volume_24h_usd',
    `CASE WHEN s.organic_volume_24h_usd IS NOT NULL THEN least(s.organic_volume_24h_usd, ${VOLUME}) END`,
    'the part without wash trades at the newest score; null if unknown',
  ),
  column.raw('raw_supply', 't.supply::text', 'the supply, exactly'),
  column.raw('raw_burned', 't.burned::text', 'the part at burn addresses, exactly'),
  column.raw('raw_locked', 't.locked::text', 'the part with known lockers, exactly'),
]

const ACTIVITY = [
  ...columnsOf(HOLDER_FIELDS),
  ...columnsOf(LAUNCH_FIELDS),
  column.count('liquidity_add_count', 't.liquidity_add_count', 'additions of liquidity'),
  column.count('liquidity_remove_count', 't.liquidity_remove_count', 'removals of liquidity'),
  column.count('transfer_count', 't.transfer_count', 'transfers'),
]

const SCORE = [
  column.points('risk_score', 't.risk_score', 'the risk; higher is riskier'),
  column.text('risk_level', LEVEL, `its band: ${listWords(RISK_LEVELS)}`),
  column.texts('risk_flags', 't.risk_flags', 'the risk flags that apply'),
  column.text('confidence', `coalesce(s.confidence, 'low')`, `how much evidence it has: ${listWords(CONFIDENCES)}`),
  column.time('scored_at', 's.updated_at', 'the block time of the newest score; null: not scored, the risk is a prior'),
  column.points('holder_concentration_score', 's.holder_concentration_score', 'null if unknown'),
  column.points('liquidity_stability_score', 's.liquidity_stability_score', 'null if unknown'),
  column.points('wash_trade_score', 's.wash_trade_score', 'null if unknown'),
  column.points('smart_money_flow_score', 's.smart_money_flow_score', 'null if unknown'),
  column.text('ai_summary', 's.summary', 'the summary in words; null if not scored'),
]

export const TOKEN_TABLE: ExportedTable = {
  columns: [...IDENTITY, ...MARKET, ...ACTIVITY, ...SCORE],
  source: 'token t LEFT JOIN token_score s ON s.token_id = t.id',
  range: 't.indexed AND t.id >= $1::bigint AND t.id < $2::bigint',
  key: ['t.id'],
  history: null,
}
