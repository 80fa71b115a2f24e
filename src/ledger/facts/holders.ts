// The hundred largest holders of many tokens, with what is known of each, and the same of wallets that only traded.
import type { Classification, Confidence, WalletKind } from '../../base/vocabulary.ts'
import type { FactsBlock, HolderFacts, TraderFacts } from '../facts.ts'
import { pushTo, type Reader, readRows } from './query.ts'

const OF_WALLET = `w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id,
  s.reputation_score, s.confidence, s.classification`

const HOLDERS = `SELECT t.id, p.wallet_id, ${OF_WALLET}, p.balance::float8, p.buy_rank,
  date_part('epoch', p.first_buy_at), date_part('epoch', p.first_at), date_part('epoch', p.last_at),
  CASE WHEN p.last_at >= to_timestamp($2) THEN p.opening_days::text END,
  CASE WHEN p.last_at >= to_timestamp($2) THEN p.openings::text END
FROM unnest($1::int[]) AS t(id)
CROSS JOIN LATERAL (
  SELECT * FROM position WHERE token_id = t.id AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT 100) p
JOIN wallet w ON w.id = p.wallet_id
LEFT JOIN wallet_score s ON s.wallet_id = p.wallet_id
ORDER BY t.id, p.balance DESC, p.wallet_id`

/** Reputation from which a trader's balance is read: nothing asks for that of others. */
const BALANCE_FROM = 50

const TRADERS = `SELECT v.token_id, v.wallet_id, ${OF_WALLET},
  (SELECT p.balance::float8 FROM position p
    WHERE p.token_id = v.token_id AND p.wallet_id = v.wallet_id AND s.reputation_score >= ${BALANCE_FROM})
FROM unnest($1::int[], $2::int[]) AS v(token_id, wallet_id)
JOIN wallet w ON w.id = v.wallet_id
LEFT JOIN wallet_score s ON s.wallet_id = v.wallet_id`

type OfWallet = [WalletKind, number, number | null, number | null, Confidence | null, Classification | null]
type HolderRow = [
  number,
  number,
  ...OfWallet,
  number,
  number | null,
  number | null,
  number,
  number,
  string | null,
  string | null,
]
type TraderRow = [number, number, ...OfWallet, number | null]

/** What a token's quantities are measured in. */
export interface Scale {
  /** Raw units of one whole token. */
  unit: number
  /** Whole tokens in being, burned ones left out. */
  circulating: number
}

/** Largest first, by token; only of tokens with a scale. */
export async function readHolders(
  client: Reader,
  scales: ReadonlyMap<number, Scale>,
  block: FactsBlock,
): Promise<Map<number, HolderFacts[]>> {
  const weekAgo = Math.floor(block.hourTime / 86_400) - 7
  const rows = await readRows<HolderRow>(client, 'facts holders', HOLDERS, [[...scales.keys()], weekAgo * 86_400])
  const holders = new Map<number, HolderFacts[]>()
  for (const row of rows) {
    const { unit, circulating } = scales.get(row[0]) ?? { unit: 1, circulating: 0 }
    const balance = row[8] / unit
    const before = (day: number) => openingOf(day, balance, row[11], row[13], row[14])
    pushTo(holders, row[0], {
      ...toTrader(row, balance),
      balance,
      share: circulating > 0 ? Math.min(1, balance / circulating) : 0,
      dayAgo: before(Math.floor((block.hourTime - 86_400) / 86_400)),
      weekAgo: before(weekAgo),
      buyRank: row[9],
      firstBuyAt: row[10],
      lastAt: row[12],
    })
  }
  return holders
}

/** Wallets by token and wallet, for pairs of both. */
export async function readTraders(
  client: Reader,
  pairs: readonly (readonly [tokenId: number, walletId: number])[],
  scales: ReadonlyMap<number, Scale>,
): Promise<Map<number, TraderFacts[]>> {
  const values = [pairs.map(([tokenId]) => tokenId), pairs.map(([, walletId]) => walletId)]
  const rows = await readRows<TraderRow>(client, 'facts traders', TRADERS, values)
  const traders = new Map<number, TraderFacts[]>()
  for (const row of rows) {
    const unit = scales.get(row[0])?.unit
    const known = unit !== undefined && (row[5] ?? 0) >= BALANCE_FROM
    pushTo(traders, row[0], toTrader(row, known ? (row[8] ?? 0) / unit : null))
  }
  return traders
}

function toTrader(row: HolderRow | TraderRow, balance: number | null): TraderFacts {
  const [, id, kind, firstSeenAt, firstFunderId, reputation, confidence, classification] = row
  return { id, kind, firstSeenAt, firstFunderId, reputation, confidence, classification, balance }
}

/** Whole tokens held at the start of a day: what the first change since then found; without one what is held now. */
function openingOf(
  day: number,
  balance: number,
  firstAt: number,
  days: string | null,
  openings: string | null,
): number {
  if (Math.floor(firstAt / 86_400) >= day) return 0
  if (days === null || openings === null) return balance
  const at = days
    .slice(1, -1)
    .split(',')
    .findIndex((text) => text !== '' && Number(text) >= day)
  return at < 0 ? balance : Number(openings.slice(1, -1).split(',')[at])
}
