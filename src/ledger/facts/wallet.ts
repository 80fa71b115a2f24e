// Identifiers of wallets -> their facts as of a block: flat statements for all of them, each bounded per wallet: 260
// weeks, the 400 newest tokens held, 200 newest swaps, of which the 50 newest buys are timed.
import { UNKNOWN, type WalletKind } from '../../base/vocabulary.ts'
import type { FactsBlock, WalletFacts, WalletSwapFacts } from '../facts.ts'
import { readPositions, readTerms, sumHoldings, type TokenTerms } from './holdings.ts'
import { createMemory, type Memory } from './memory.ts'
import { orNull, pushTo, type Reader, readColumns, readRows } from './query.ts'

const WALLETS = `SELECT w.id, w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id, w.event_count, w.swap_count,
  w.liquidity_add_count, w.liquidity_remove_count, w.transfer_count, w.bought_usd, w.sold_usd, w.sold_known_usd,
  w.realised_usd, w.closed_count, w.win_count, w.max_drawdown_usd, w.closed_token_count, w.bought_token_count,
  w.early_buy_count, w.snipe_count, w.deployed_count, date_part('epoch', w.last_trade_at),
  k.weeks, k.profitable
FROM wallet w
CROSS JOIN LATERAL (
  SELECT count(*)::int AS weeks, (count(*) FILTER (WHERE realised_usd > 0))::int AS profitable FROM (
    SELECT realised_usd FROM wallet_week WHERE wallet_id = w.id ORDER BY week DESC LIMIT 260) x
  WHERE realised_usd <> 0) k
WHERE w.id = ANY($1::int[]) ORDER BY w.id`

const SWAPS = `SELECT e.wallet_id, e.token_id, e.direction::int, e.amount_usd, date_part('epoch', e.time), e.block_number,
  CASE WHEN e.direction = 1 AND e.wallet_type_n > w.newest - 50 AND e.time <= to_timestamp($3) THEN (
    SELECT sum((buy_count + sell_count) * (close_usd * e.quantity > e.amount_usd)::int)::float8
      / nullif(sum(buy_count + sell_count), 0)
    FROM token_hour h
    WHERE h.token_id = e.token_id AND h.hour > floor(date_part('epoch', e.time) / 3600)::int
      AND h.hour <= floor(date_part('epoch', e.time) / 3600)::int + 72) END
FROM unnest($1::int[], $2::int[]) AS w(id, newest)
CROSS JOIN LATERAL (
  SELECT * FROM event WHERE wallet_id = w.id AND type = 1 AND wallet_type_n > w.newest - 200) e
ORDER BY e.wallet_id, e.wallet_type_n`

/** Seconds after which the outcome of a buy is known. */
const MATURITY_SECONDS = 3 * 86_400
/** It counts from the next midnight on, when the wallet is due: between the two, chance would decide who has been scored. */
const DAY_SECONDS = 86_400

/** Facts of the wallets, in order of their ids. `sectors`: labels by token address, which outrank launch venues. */
export async function loadWalletFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  sectors: Readonly<Record<string, string>> = {},
  memory: Memory = createMemory(),
): Promise<WalletFacts[]> {
  const rows = await readRows<[number, WalletKind, ...number[]]>(client, 'facts wallets', WALLETS, [ids])
  const positions = await readPositions(client, ids)
  const traded = rows.filter((row) => (row[5] ?? 0) > 0)
  const swaps = await readSwaps(client, new Map(traded.map((row) => [row[0], row[5] ?? 0])), block)
  const terms = await readTerms(client, [...positions[1], ...swaps[1]], sectors, memory)
  const holdings = sumHoldings(positions, terms)
  const lists = listSwaps(swaps, terms)
  return rows.map((row) =>
    Object.assign(toWallet(row as WalletRow, block), {
      holdingsUsd: holdings.get(row[0])?.holdingsUsd ?? 0,
      largestShare: holdings.get(row[0])?.largestShare ?? null,
      swaps: lists.get(row[0]) ?? [],
    }),
  )
}

/** Oldest first within each wallet; `counts` are the wallets' lifetime counts, which are also the newest running numbers. */
function readSwaps(client: Reader, counts: ReadonlyMap<number, number>, block: FactsBlock) {
  const matured = Math.floor(block.hourTime / DAY_SECONDS) * DAY_SECONDS - MATURITY_SECONDS
  const kinds = ['integer', 'integer', 'integer', 'double', 'double', 'integer', 'double'] as const
  const values = [[...counts.keys()], [...counts.values()], matured]
  return readColumns(client, 'facts wallet swaps', kinds, SWAPS, values)
}

function listSwaps(
  [walletId, tokenId, side, amountUsd, time, number, aboveShare]: Awaited<ReturnType<typeof readSwaps>>,
  terms: ReadonlyMap<number, TokenTerms>,
): Map<number, WalletSwapFacts[]> {
  const swaps = new Map<number, WalletSwapFacts[]>()
  for (let at = 0; at < walletId.length; at += 1) {
    const token = tokenId[at] as number
    pushTo(swaps, walletId[at] as number, {
      tokenId: token,
      direction: side[at] === 1 ? 'buy' : 'sell',
      amountUsd: amountUsd[at] as number,
      time: time[at] as number,
      block: number[at] as number,
      sector: terms.get(token)?.sector ?? UNKNOWN,
      aboveShare3d: orNull(aboveShare[at]),
    })
  }
  return swaps
}

type WalletRow = [
  id: number,
  kind: WalletKind,
  firstSeenAt: number,
  firstFunderId: number | null,
  eventCount: number,
  swapCount: number,
  liquidityAddCount: number,
  liquidityRemoveCount: number,
  transferCount: number,
  boughtUsd: number,
  soldUsd: number,
  soldKnownUsd: number,
  realisedUsd: number,
  closedCount: number,
  winCount: number,
  maxDrawdownUsd: number,
  closedTokenCount: number,
  boughtTokenCount: number,
  earlyBuyCount: number,
  snipeCount: number,
  deployedCount: number,
  lastTradeAt: number | null,
  weekCount: number,
  profitableWeekCount: number,
]

const toWallet = (row: WalletRow, block: FactsBlock) => ({
  id: row[0],
  block,
  kind: row[1],
  firstSeenAt: row[2],
  firstFunderId: row[3],
  eventCount: row[4],
  swapCount: row[5],
  liquidityAddCount: row[6],
  liquidityRemoveCount: row[7],
  transferCount: row[8],
  boughtUsd: row[9],
  soldUsd: row[10],
  soldKnownUsd: row[11],
  realisedUsd: row[12],
  closedCount: row[13],
  winCount: row[14],
  maxDrawdownUsd: row[15],
  closedTokenCount: row[16],
  boughtTokenCount: row[17],
  earlyBuyCount: row[18],
  snipeCount: row[19],
  deployedCount: row[20],
  lastTradeAt: row[21],
  weekCount: row[22],
  profitableWeekCount: row[23],
})
