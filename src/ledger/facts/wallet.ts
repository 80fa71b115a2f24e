// Identifiers of wallets -> their facts as of a block: flat statements for all of them, each bounded per wallet: 260
// weeks, the 400 newest tokens held, 200 newest swaps, of which the 50 newest buys are timed.
import { UNKNOWN, type WalletKind } from '../../base/vocabulary.ts'
import type { FactsBlock, WalletFacts, WalletSwapFacts } from '../facts.ts'
import { createMemory, type Memory, recall } from './memory.ts'
import { pushTo, type Reader, readRows } from './query.ts'

/** A token with so much liquidity has whales. */
const WHALE_LIQUIDITY_USD = 100_000

const WALLETS = `SELECT w.id, w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id, w.event_count, w.swap_count,
  w.liquidity_add_count, w.liquidity_remove_count, w.transfer_count, w.bought_usd, w.sold_usd, w.sold_known_usd,
  w.realised_usd, w.closed_count, w.win_count, w.max_drawdown_usd, w.closed_token_count, w.bought_token_count,
  w.early_buy_count, w.snipe_count, w.deployed_count, date_part('epoch', w.last_trade_at),
  k.weeks, k.profitable, h.usd, h.share
FROM wallet w
CROSS JOIN LATERAL (
  SELECT count(*)::int AS weeks, (count(*) FILTER (WHERE realised_usd > 0))::int AS profitable FROM (
    SELECT realised_usd FROM wallet_week WHERE wallet_id = w.id ORDER BY week DESC LIMIT 260) x
  WHERE realised_usd <> 0) k
CROSS JOIN LATERAL (
  SELECT coalesce(sum(p.balance::float8 / 10 ^ t.decimals * t.price_usd), 0) AS usd,
    max(p.balance::float8 / nullif((t.supply - t.burned)::float8, 0)) FILTER (WHERE t.liquidity_usd >= ${WHALE_LIQUIDITY_USD}) AS share
  FROM (SELECT token_id, balance FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) p
  JOIN token t ON t.id = p.token_id AND t.price_usd > 0 AND t.decimals IS NOT NULL
  WHERE p.balance > 0) h
WHERE w.id = ANY($1::int[]) ORDER BY w.id`

const SWAPS = `SELECT e.wallet_id, e.token_id, e.pool_id, e.direction, e.quantity, e.amount_usd, date_part('epoch', e.time),
  e.block_number, CASE WHEN e.direction = 1 AND e.wallet_type_n > w.newest - 50 AND e.time <= to_timestamp($3) THEN (
    SELECT sum((buy_count + sell_count) * (close_usd * e.quantity > e.amount_usd)::int)::float8
      / nullif(sum(buy_count + sell_count), 0)
    FROM token_hour h
    WHERE h.token_id = e.token_id AND h.hour > floor(date_part('epoch', e.time) / 3600)::int
      AND h.hour <= floor(date_part('epoch', e.time) / 3600)::int + 72) END
FROM unnest($1::int[], $2::int[]) AS w(id, newest)
CROSS JOIN LATERAL (
  SELECT * FROM event WHERE wallet_id = w.id AND type = 1 AND wallet_type_n > w.newest - 200) e
ORDER BY e.wallet_id, e.wallet_type_n`

const SECTORS = `SELECT id, address, launchpad FROM token WHERE id = ANY($1::int[])`

type SwapRow = [number, number, number | null, number, number, number, number, number, number | null]

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
  const traded = rows.filter((row) => (row[5] ?? 0) > 0)
  const swaps = await readSwaps(client, new Map(traded.map((row) => [row[0], row[5] ?? 0])), block, sectors, memory)
  return rows.map((row) => ({ ...toWallet(row as WalletRow, block), swaps: swaps.get(row[0]) ?? [] }))
}

async function readSwaps(
  client: Reader,
  counts: ReadonlyMap<number, number>,
  block: FactsBlock,
  sectors: Readonly<Record<string, string>>,
  memory: Memory,
): Promise<Map<number, WalletSwapFacts[]>> {
  const matured = Math.floor(block.hourTime / DAY_SECONDS) * DAY_SECONDS - MATURITY_SECONDS
  const values = [[...counts.keys()], [...counts.values()], matured]
  const rows = await readRows<SwapRow>(client, 'facts wallet swaps', SWAPS, values)
  const tokenIds = rows.map((row) => row[1])
  const labels = await readSectors(client, tokenIds, sectors, memory)
  const swaps = new Map<number, WalletSwapFacts[]>()
  for (const [walletId, tokenId, poolId, side, quantity, amountUsd, time, number, aboveShare3d] of rows) {
    const direction = side === 1 ? 'buy' : 'sell'
    const sector = labels.get(tokenId) ?? UNKNOWN
    pushTo(swaps, walletId, {
      tokenId,
      poolId,
      direction,
      quantity,
      amountUsd,
      time,
      block: number,
      sector,
      aboveShare3d,
    })
  }
  return swaps
}

const readSectors = (
  client: Reader,
  tokenIds: readonly number[],
  sectors: Readonly<Record<string, string>>,
  memory: Memory,
): Promise<Map<number, string>> =>
  recall(memory.sectors, tokenIds, async (missing) => {
    const rows = await readRows<[number, string, string]>(client, 'facts sectors', SECTORS, [missing])
    return new Map(rows.map(([id, address, launchpad]) => [id, sectors[address] ?? launchpad]))
  })

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
  holdingsUsd: number,
  largestShare: number | null,
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
  holdingsUsd: row[24],
  largestShare: row[25],
})
