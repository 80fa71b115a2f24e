// Reads the facts of wallets as of a block, in a fixed number of statements for all wallets. Per wallet they read at most
// 260 weeks, the 400 newest tokens held, and the 200 newest swaps; outcomes are computed for the buys among the newest 50.
import type { WalletKind } from '../../base/vocabulary.ts'
import {
  defineRead,
  double,
  integer,
  orNull,
  parseList,
  type Reader,
  type RowsOf,
  seconds,
  text,
} from '../../database/column-query.ts'
import type { Outcomes } from './buy-outcomes.ts'
import type { FactsBlock, WalletFacts } from './facts.ts'
import { type Holdings, readPositions, readTerms, sumHoldings } from './holdings.ts'
import type { Memory } from './memory.ts'
import { listWalletSwaps, readOutcomes, readWalletSwaps, type Trader, type WalletSwaps } from './wallet-swaps.ts'

const WASHED = `(SELECT array_agg(token_id)::text FROM (
  SELECT token_id FROM wash_mark WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) x)`

const readWalletRows = defineRead(
  'facts wallets',
  {
    id: integer('w.id'),
    kind: text<WalletKind>('w.kind'),
    firstSeenAt: seconds('w.first_seen_at'),
    firstFunderId: double('w.first_funder_id::float8'),
    eventCount: integer('w.event_count'),
    swapCount: integer('w.swap_count'),
    liquidityAddCount: integer('w.liquidity_add_count'),
    liquidityRemoveCount: integer('w.liquidity_remove_count'),
    transferCount: integer('w.transfer_count'),
    boughtUsd: double('w.bought_usd'),
    soldUsd: double('w.sold_usd'),
    soldKnownUsd: double('w.sold_known_usd'),
    realisedUsd: double('w.realised_usd'),
    closedCount: integer('w.closed_count'),
    winCount: integer('w.win_count'),
    exitCount: integer('w.exit_count'),
    exitWinCount: integer('w.exit_win_count'),
    maxDrawdownUsd: double('w.max_drawdown_usd'),
    closedTokenCount: integer('w.closed_token_count'),
    boughtTokenCount: integer('w.bought_token_count'),
    earlyBuyCount: integer('w.early_buy_count'),
    snipeCount: integer('w.snipe_count'),
    deployedCount: integer('w.deployed_count'),
    pulledCount: integer('w.pulled_count'),
    washedTokenIds: text<string | null>(WASHED),
    changedBlock: integer('w.updated_block'),
    changedAt: seconds('w.updated_at'),
    lastTradeAt: seconds('w.last_trade_at'),
    weekCount: integer('k.weeks'),
    profitableWeekCount: integer('k.profitable'),
    knownN: integer('coalesce(o.known_n, 0)'),
    shares: text<string | null>('o.shares::text'),
  },
  (columns) => `SELECT ${columns}
    FROM wallet w
    LEFT JOIN wallet_outcome o ON o.wallet_id = w.id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS weeks, (count(*) FILTER (WHERE realised_usd > 0))::int AS profitable FROM (
        SELECT realised_usd FROM wallet_week WHERE wallet_id = w.id ORDER BY week DESC LIMIT 260) x
      WHERE realised_usd <> 0) k
    WHERE w.id = ANY($1::int[]) ORDER BY w.id`,
)

type WalletRows = RowsOf<typeof readWalletRows>

/** The facts of a wallet, and the outcomes of its buys to store. */
export interface LoadedWallet extends WalletFacts {
  ripe: Outcomes | null
}

/** The facts of the wallets, in ascending order of id. Each wallet's facts are made when the iterator reaches it. `sectors` has labels by token address; a token without one gets its launch venue. */
export async function loadWalletFacts(
  client: Reader,
  ids: readonly number[],
  block: FactsBlock,
  sectors: Readonly<Record<string, string>> = {},
  memory: Memory,
): Promise<Iterable<LoadedWallet>> {
  const [rows, positions] = await Promise.all([readWalletRows(client, [ids]), readPositions(client, ids)])
  const traders = toTraders(rows)
  const swaps = await readWalletSwaps(client, traders)
  const [terms, outcomes] = await Promise.all([
    readTerms(client, [positions.tokenId, swaps.tokenId], sectors, memory),
    readOutcomes(client, swaps, traders, block, memory),
  ])
  return toWallets(
    rows,
    traders,
    sumHoldings(positions, terms, memory.rules.whaleHoldingUsd),
    listWalletSwaps(swaps, outcomes, terms, block),
    block,
  )
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
  const { id: ids, swapCount, knownN, shares } = rows
  return new Map(
    Array.from(ids, (id, at) => [
      id,
      { swapCount: swapCount[at] as number, knownN: knownN[at] as number, shares: parseList(shares[at]) },
    ]),
  )
}

/** Rows of an earlier version do not say when they changed: as of now. */
const toChanged = (number: number, time: number | null, block: FactsBlock): WalletFacts['changed'] =>
  time === null ? { number: block.number, time: block.time } : { number, time }

function toWallet(rows: WalletRows, at: number, block: FactsBlock) {
  return {
    id: rows.id[at] as number,
    block,
    kind: rows.kind[at] as WalletKind,
    firstSeenAt: rows.firstSeenAt[at] as number,
    firstFunderId: orNull(rows.firstFunderId[at]),
    eventCount: rows.eventCount[at] as number,
    swapCount: rows.swapCount[at] as number,
    liquidityAddCount: rows.liquidityAddCount[at] as number,
    liquidityRemoveCount: rows.liquidityRemoveCount[at] as number,
    transferCount: rows.transferCount[at] as number,
    boughtUsd: rows.boughtUsd[at] as number,
    soldUsd: rows.soldUsd[at] as number,
    soldKnownUsd: rows.soldKnownUsd[at] as number,
    realisedUsd: rows.realisedUsd[at] as number,
    closedCount: rows.closedCount[at] as number,
    winCount: rows.winCount[at] as number,
    exitCount: rows.exitCount[at] as number,
    exitWinCount: rows.exitWinCount[at] as number,
    maxDrawdownUsd: rows.maxDrawdownUsd[at] as number,
    closedTokenCount: rows.closedTokenCount[at] as number,
    boughtTokenCount: rows.boughtTokenCount[at] as number,
    earlyBuyCount: rows.earlyBuyCount[at] as number,
    snipeCount: rows.snipeCount[at] as number,
    deployedCount: rows.deployedCount[at] as number,
    pulledCount: rows.pulledCount[at] as number,
    washedTokenIds: parseList(rows.washedTokenIds[at]),
    changed: toChanged(rows.changedBlock[at] as number, orNull(rows.changedAt[at]), block),
    lastTradeAt: orNull(rows.lastTradeAt[at]),
    weekCount: rows.weekCount[at] as number,
    profitableWeekCount: rows.profitableWeekCount[at] as number,
  }
}
