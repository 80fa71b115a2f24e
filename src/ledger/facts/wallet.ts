// Reads the facts of wallets at a block, in a fixed number of statements for all wallets. Per wallet they read at most
// 260 weeks, the 400 newest tokens held, and the 200 newest swaps. Outcomes are computed for the buys among the newest
// 50.
import { float64At, int32At, itemAt } from '../../base/item-at.ts'
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
import type { HistoryReader } from '../../history/history.ts'
import { IS_SERVICE } from '../labels.ts'
import type { Outcomes } from './buy-outcomes.ts'
import type { FactsBlock, WalletFacts } from './facts.ts'
import { type Holdings, readPositions, readTerms, sumHoldings } from './holdings.ts'
import type { Memory } from './memory.ts'
import { listWalletSwaps, readOutcomes, readWalletSwaps, type Trader, type WalletSwaps } from './wallet-swaps.ts'

const WASHED = `(SELECT array_agg(token_id)::text FROM (
  SELECT token_id FROM wash_mark WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) x)`

/** A wallet dumps a token that it deployed when its sales exceed its purchases by this many dollars [G]. */
const DUMPED_USD = 10_000

const DUMPED = `CASE WHEN w.deployed_count > 0 THEN (SELECT count(*)::int FROM (
  SELECT token_id, sold_usd - bought_usd AS net FROM position WHERE wallet_id = w.id ORDER BY token_id DESC LIMIT 400) x
  JOIN token t ON t.id = x.token_id WHERE t.deployer_id = w.id AND t.kind = 'erc20' AND x.net >= ${DUMPED_USD}) ELSE 0 END`

const readWalletRows = defineRead(
  'facts wallets',
  {
    id: integer('w.id'),
    kind: text<WalletKind>('w.kind'),
    isService: integer(`(${IS_SERVICE})::int`),
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
    relayedCount: integer('coalesce(w.relayed_count, 0)'),
    pulledCount: integer('w.pulled_count'),
    dumpedCount: integer(DUMPED),
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
  {
    block,
    sectors,
    history,
  }: {
    block: FactsBlock
    sectors: Readonly<Record<string, string>>
    /** What left the database; none: nothing did. */
    history?: HistoryReader | null | undefined
  },
  memory: Memory,
): Promise<Iterable<LoadedWallet>> {
  const [rows, positions] = await Promise.all([readWalletRows(client, [ids]), readPositions(client, ids)])
  const traders = toTraders(rows)
  const swaps = await readWalletSwaps(client, traders, history)
  const [terms, outcomes] = await Promise.all([
    readTerms(client, [positions.tokenId, swaps.tokenId], sectors, memory),
    readOutcomes(client, swaps, { traders, block }, memory),
  ])
  const holdingsOf = sumHoldings(positions, terms, memory.rules.whaleHoldingUsd)
  const swapsOf = listWalletSwaps(swaps, outcomes, terms, block)
  return toWallets(rows, traders, { holdingsOf, swapsOf, block })
}

interface PartsOfWallet {
  holdingsOf: (id: number) => Holdings
  swapsOf: (id: number, trader: Trader) => WalletSwaps
  block: FactsBlock
}

function* toWallets(
  rows: WalletRows,
  traders: ReadonlyMap<number, Trader>,
  { holdingsOf, swapsOf, block }: PartsOfWallet,
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
      { swapCount: int32At(swapCount, at), knownN: int32At(knownN, at), shares: parseList(shares[at]) },
    ]),
  )
}

/** Rows of an earlier version do not say when they changed: as of now. */
const toChanged = (number: number, time: number | null, block: FactsBlock): WalletFacts['changed'] =>
  time === null ? { number: block.number, time: block.time } : { number, time }

function toWallet(rows: WalletRows, at: number, block: FactsBlock) {
  return {
    id: int32At(rows.id, at),
    block,
    kind: itemAt(rows.kind, at),
    isService: rows.isService[at] === 1,
    firstSeenAt: float64At(rows.firstSeenAt, at),
    firstFunderId: orNull(rows.firstFunderId[at]),
    eventCount: int32At(rows.eventCount, at),
    swapCount: int32At(rows.swapCount, at),
    liquidityAddCount: int32At(rows.liquidityAddCount, at),
    liquidityRemoveCount: int32At(rows.liquidityRemoveCount, at),
    transferCount: int32At(rows.transferCount, at),
    boughtUsd: float64At(rows.boughtUsd, at),
    soldUsd: float64At(rows.soldUsd, at),
    soldKnownUsd: float64At(rows.soldKnownUsd, at),
    realisedUsd: float64At(rows.realisedUsd, at),
    closedCount: int32At(rows.closedCount, at),
    winCount: int32At(rows.winCount, at),
    exitCount: int32At(rows.exitCount, at),
    exitWinCount: int32At(rows.exitWinCount, at),
    maxDrawdownUsd: float64At(rows.maxDrawdownUsd, at),
    closedTokenCount: int32At(rows.closedTokenCount, at),
    boughtTokenCount: int32At(rows.boughtTokenCount, at),
    earlyBuyCount: int32At(rows.earlyBuyCount, at),
    snipeCount: int32At(rows.snipeCount, at),
    deployedCount: int32At(rows.deployedCount, at),
    relayedCount: int32At(rows.relayedCount, at),
    pulledCount: int32At(rows.pulledCount, at),
    dumpedCount: int32At(rows.dumpedCount, at),
    washedTokenIds: parseList(rows.washedTokenIds[at]),
    changed: toChanged(int32At(rows.changedBlock, at), orNull(rows.changedAt[at]), block),
    lastTradeAt: orNull(rows.lastTradeAt[at]),
    weekCount: int32At(rows.weekCount, at),
    profitableWeekCount: int32At(rows.profitableWeekCount, at),
  }
}
