// The fields of a pool, over `pool p`, and of a holder, over `position p JOIN token t JOIN wallet w LEFT JOIN
// wallet_score s`. A new field that GraphQL shows as it is read is a row.
import { type NounField, type ShownOf, shownRowsOf } from './noun.ts'
import { WALLET_FIELDS } from './wallet.ts'

const POOL_FIELDS = {
  factory: { form: 'address', sql: 'p.factory', text: 'The factory of the pool.' },
  launchpad: {
    form: 'text',
    sql: 'p.launchpad',
    text: "The launch venue of the factory. Text, because the set is open: the chain's configuration names its venues.",
  },
  feePct: {
    form: 'percent',
    sql: 'p.fee / 10000::float8',
    nullable: true,
    text: 'The fee of a trade in percent; null if it changes from trade to trade.',
  },
  stable: { form: 'flag', sql: 'p.stable', text: 'Whether its reserves follow the stable curve x^3 y + y^3 x.' },
  hooks: {
    form: 'address',
    sql: 'p.hooks',
    nullable: true,
    text: 'The contract that the pool calls around each change; null without one.',
  },
  priceInQuote: {
    form: 'quote',
    sql: 'p.price',
    measured: true,
    text: 'The price of one whole token of the base side in whole tokens of the quote side.',
  },
  peakLiquidityUsd: { form: 'usd', sql: 'p.peak_liquidity_usd', text: 'The peak of its liquidity, in USD.' },
  createdAt: { form: 'time', sql: 'p.created_at', text: 'The time at which it was created.' },
  curveProgressPct: {
    form: 'percent',
    sql: `CASE WHEN p.kind = 'curve' AND p.offered > 0 THEN greatest(0, least(100, (100 - 100 * p.reserve0 / p.offered)))::float8 END`,
    nullable: true,
    text: 'Of a launch curve: the percentage of its tokens that are sold; at 100 the token graduates to an exchange. Null for other pools, and for an unknown total.',
  },
} as const satisfies Record<string, NounField>

export const SHOWN_POOL = shownRowsOf(POOL_FIELDS)
export type ShownPool = ShownOf<typeof POOL_FIELDS>

const { classification, reputationScore, reputationConfidence } = WALLET_FIELDS

const HOLDER_FIELDS = {
  address: { form: 'address', sql: 'w.address', text: 'The address of the holder.' },
  // A contract may log more than it says to exist.
  holdingPct: {
    form: 'percent',
    sql: 'coalesce(least(100 * p.balance::float8 / nullif(t.supply, 0)::float8, 100), 0)',
    measured: true,
    text: 'The share of the supply in percent.',
  },
  classification: {
    form: 'text',
    of: classification.of,
    sql: classification.sql,
    text: 'The behaviour of the wallet, or the kind of the address.',
  },
  reputationScore: { form: 'points', sql: reputationScore.sql, text: 'The reputation of the wallet, 0-100.' },
  reputationConfidence: {
    form: 'text',
    of: reputationConfidence.of,
    sql: reputationConfidence.sql,
    text: reputationConfidence.text,
  },
  firstAt: { form: 'time', sql: 'p.first_at', text: 'When the address first received or sent the token.' },
  lastAt: { form: 'time', sql: 'p.last_at', text: 'When the holding last changed.' },
} as const satisfies Record<string, NounField>

export const SHOWN_HOLDER = shownRowsOf(HOLDER_FIELDS)
export type ShownHolder = ShownOf<typeof HOLDER_FIELDS>
