// Identifiers of wallets -> their facts as of a block: flat statements for all of them, each bounded per wallet: 260
// weeks, the 400 newest tokens held, 200 newest swaps, of which the 50 newest buys are timed.
import type { WalletKind } from '../../base/vocabulary.ts'
import { type ColumnLists, orNull, parseList, type Reader, readColumns } from '../../database/column-query.ts'
import type { Outcomes } from './buy-outcomes.ts'
import type { FactsBlock, WalletFacts } from './facts.ts'
import { type Holdings, readPositions, readTerms, sumHoldings } from './holdings.ts'
import type { Memory } from './memory.ts'
import { listWalletSwaps, readOutcomes, readWalletSwaps, type Trader, type WalletSwaps } from './wallet-swaps.ts'

const WALLETS = `SELECT w.id, w.kind, date_part('epoch', w.first_seen_at), w.first_funder_id::float8, w.event_count, w.swap_count,
  w.liquidity_add_count, w.liquidity_remove_count, w.transfer_count, w.bought_usd, w.sold_usd, w.sold_known_usd,
  w.realised_usd, w.closed_count, w.win_count, w.max_drawdown_usd, w.closed_token_count, w.bought_token_count,
  w.early_buy_count, w.snipe_count, w.deployed_count, date_part('epoch', w.last_trade_at),
  k.weeks, k.profitable, coalesce(o.known_n, 0), o.shares::text
FROM wallet w
LEFT JOIN wallet_outcome o ON o.wallet_id = w.id
CROSS JOIN LATERAL (
  SELECT count(*)::int AS weeks, (count(*) FILTER (WHERE realised_usd > 0))::int AS profitable FROM (
    SELECT realised_usd FROM wallet_week WHERE wallet_id = w.id ORDER BY week DESC LIMIT 260) x
  WHERE realised_usd <> 0) k
WHERE w.id = ANY($1::int[]) ORDER BY w.id`

/** As the statement's columns. */
const KINDS = [
  'integer',
  'text',
  'double',
  'double',
  'integer',
  'integer',
  'integer',
  'integer',
  'integer',
  'double',
  'double',
  'double',
  'double',
  'integer',
  'integer',
  'double',
  'integer',
  'integer',
  'integer',
  'integer',
  'integer',
  'double',
  'integer',
  'integer',
  'integer',
  'text',
] as const

/** Facts of a wallet, and what of them is to be kept. */
export interface LoadedWallet extends WalletFacts {
  ripe: Outcomes | null
}

/** Facts of the wallets, in order of their ids, each made when it is asked for. `sectors`: labels by token address, which outrank launch venues. */
export async function loadWalletFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  sectors: Readonly<Record<string, string>> = {},
  memory: Memory,
): Promise<Iterable<LoadedWallet>> {
  const [rows, positions] = await Promise.all([
    readColumns(client, 'facts wallets', KINDS, WALLETS, [ids]),
    readPositions(client, ids),
  ])
  const traders = toTraders(rows)
  const swaps = await readWalletSwaps(client, traders)
  const [terms, outcomes] = await Promise.all([
    readTerms(client, [positions[1], swaps[2]], sectors, memory),
    readOutcomes(client, swaps, traders, block, memory),
  ])
  return toWallets(rows, traders, sumHoldings(positions, terms), listWalletSwaps(swaps, outcomes, terms, block), block)
}

function* toWallets(
  rows: WalletRows,
  traders: ReadonlyMap<number, Trader>,
  holdingsOf: (id: number) => Holdings,
  swapsOf: (id: number, trader: Trader) => WalletSwaps,
  block: FactsBlock,
): Generator<LoadedWallet> {
  let at = 0
  for (const [id, trader] of traders)
    yield Object.assign(toWallet(rows, at++, block), holdingsOf(id), swapsOf(id, trader))
}

function toTraders(rows: WalletRows): Map<number, Trader> {
  const [ids, , , , , swapCounts] = rows
  const [knownN, shares] = [rows[24], rows[25]]
  return new Map(
    Array.from(ids, (id, at) => [
      id,
      { swapCount: swapCounts[at] as number, knownN: knownN[at] as number, shares: parseList(shares[at]) },
    ]),
  )
}

type WalletRows = ColumnLists<typeof KINDS>

/** Field by field, as the statement selects them. */
function toWallet(rows: WalletRows, at: number, block: FactsBlock) {
  const number = (column: number) => rows[column]?.[at] as number
  return {
    id: number(0),
    block,
    kind: rows[1][at] as WalletKind,
    firstSeenAt: number(2),
    firstFunderId: orNull(number(3)),
    eventCount: number(4),
    swapCount: number(5),
    liquidityAddCount: number(6),
    liquidityRemoveCount: number(7),
    transferCount: number(8),
    boughtUsd: number(9),
    soldUsd: number(10),
    soldKnownUsd: number(11),
    realisedUsd: number(12),
    closedCount: number(13),
    winCount: number(14),
    maxDrawdownUsd: number(15),
    closedTokenCount: number(16),
    boughtTokenCount: number(17),
    earlyBuyCount: number(18),
    snipeCount: number(19),
    deployedCount: number(20),
    lastTradeAt: orNull(number(21)),
    weekCount: number(22),
    profitableWeekCount: number(23),
  }
}
