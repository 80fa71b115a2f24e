// Loaders: one statement reads the rows that many places of a query ask for, whatever the page's size.
import DataLoader from 'dataloader'
import { formatEventId, parseEventId } from '../base/event-id.ts'
import { recordOf } from '../base/keys-of.ts'
import { toRiskLevel } from '../base/risk-level.ts'
import type { RiskLevel } from '../base/vocabulary.ts'
import type { BoardFeed } from '../board/feed.ts'
import type { ClusterLink } from '../ledger/clusters.ts'
import { type CandleRange, readCandles } from '../ledger/read/candle.ts'
import { readChain } from '../ledger/read/chain.ts'
import { readClusterMaps, readLinkBlocks } from '../ledger/read/cluster.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import { type EarlierTokenRange, readDeployerRecordRows, readEarlierTokens } from '../ledger/read/deployer-record.ts'
import { readEventsAt } from '../ledger/read/event.ts'
import { type HistoryRange, readHistories } from '../ledger/read/history.ts'
import { type HolderRange, readHolders } from '../ledger/read/holder.ts'
import { readHolderDays } from '../ledger/read/holder-days.ts'
import { type HourRange, readHours } from '../ledger/read/hour.ts'
import { readWalletLabels } from '../ledger/read/label.ts'
import { readLaunches } from '../ledger/read/launch.ts'
import { readLaunchFacts } from '../ledger/read/launch-groups.ts'
import { type LiquidityPositionRow, readLiquidityPositions } from '../ledger/read/liquidity-position.ts'
import { type PoolRange, readPools, readPoolsByAddress, readPoolsById } from '../ledger/read/pool.ts'
import {
  type PositionRow,
  readPortfolios,
  readPositionCounts,
  readPositionSums,
  readPositionsOf,
} from '../ledger/read/position.ts'
import {
  type PositionPageQuestion,
  readPositionPages,
  readTopTraders,
  TRADER_ORDERS,
  type TraderRange,
} from '../ledger/read/position-list.ts'
import { readRoundTrips } from '../ledger/read/round-trip.ts'
import { readSafety, readSellChecks } from '../ledger/read/safety.ts'
import { readScoresAt, type ScoreAtQuestion, type ScoreAtRow } from '../ledger/read/score-at.ts'
import { readScoreSeries, type ScoreSeriesRange } from '../ledger/read/score-series.ts'
import { readSparklines, type SparklineRange } from '../ledger/read/sparkline.ts'
import { readTokensByAddress, readTokensById, type TokenRow } from '../ledger/read/token.ts'
import { readTokenDetails } from '../ledger/read/token-detail.ts'
import { readTokenLocks, type TokenLockRange } from '../ledger/read/token-lock.ts'
import {
  readTokenScoreDetails,
  readTokenScores,
  readTokenScoresByAddress,
  readVerdicts,
  type StoredVerdict,
} from '../ledger/read/token-score.ts'
import { countTraders, readPricesBefore, readTokenWindows, type TokenWindowsRow } from '../ledger/read/token-window.ts'
import { readWalletsByAddress, readWalletsById } from '../ledger/read/wallet.ts'
import { readWalletResults } from '../ledger/read/wallet-days.ts'
import { readWalletWeeks } from '../ledger/read/wallet-list.ts'
import { readWalletExplanations, readWalletScores, readWalletScoresByAddress } from '../ledger/read/wallet-score.ts'
import { measureLaunch } from '../scoring/launch-groups.ts'
import { toPnl } from '../scoring/pnl.ts'
import { LAUNCH_RULES } from '../scoring/weights.ts'
import { type Alike, findAlike } from '../verdict/alike.ts'
import { NOT_JUDGED } from '../verdict/finding.ts'
import { listUnknown } from '../verdict/unknown.ts'
import { createEventLoader } from './event-loader.ts'
import type { RowBatch, SharedRows } from './shared-rows.ts'

export type Loaders = ReturnType<typeof createLoaders>
export type Lists = ReturnType<typeof createLists>

/** Loaders with one row per key. Answers share them: one statement for many answers is still short. */
export function createLoaders(reading: Reading, board: BoardFeed, { share }: SharedRows) {
  const tokenById = optional(reading, readTokensById, (row) => row.id)
  return {
    tokenById,
    lookalike: createLookalikeLoader(board, tokenById),
    tokenByAddress: optional(reading, readTokensByAddress, (row) => row.address),
    clusters: optional(reading, readClusterMaps, (row) => row.id),
    deployerRecord: optional(reading, readDeployerRecordRows, (row) => row.id),
    tokenDetail: keyed(reading, readTokenDetails, (row) => row.id),
    tokenWindows: keyed(reading, readTokenWindows, (row) => row.id),
    pricesBefore: keyed(reading, share('pricesBefore', readPricesBefore, idOf), idOf),
    tokenScore: keyed(reading, share('score', readTokenScores, idOf), idOf),
    tokenScoreDetail: keyed(reading, readTokenScoreDetails, idOf),
    verdict: keyed(reading, share('verdict', verdictsOf, idOf), idOf),
    tokenScoreByAddress: optional(reading, readTokenScoresByAddress, (row) => row.address),
    walletById: keyed(reading, readWalletsById, (row) => row.id),
    walletByAddress: optional(reading, readWalletsByAddress, (row) => row.address),
    walletScore: keyed(reading, readWalletScores, (row) => row.id),
    walletExplanation: keyed(reading, readWalletExplanations, (row) => row.id),
    walletScoreByAddress: optional(reading, readWalletScoresByAddress, (row) => row.address),
    roundTrip: keyed(reading, readRoundTrips, (row) => row.n),
    eventById: optional(
      reading,
      (_, ids: readonly string[]) =>
        readEventsAt(
          reading,
          ids.flatMap((id) => parseEventId(id) ?? []),
        ),
      formatEventId,
    ),
    poolById: optional(reading, readPoolsById, (row) => row.id),
    poolByAddress: optional(reading, readPoolsByAddress, (row) => row.address),
    position: optional(reading, readPositionsOf, (row) => row.pair),
    launch: optional(reading, readLaunches, (row) => row.tokenId),
    launchGroups: keyed(reading, launchGroupsOf, tokenIdOf),
    safety: optional(reading, readSafety, (row) => row.tokenId),
    sellCheck: optional(reading, share('sellCheck', readSellChecks, tokenIdOf), tokenIdOf),
    chain: new DataLoader(async (keys: readonly 0[]) => {
      const chain = await readChain(reading)
      return keys.map(() => chain)
    }),
    tokenScoreAt: scoresAt(reading, 'token'),
    walletScoreAt: scoresAt(reading, 'wallet'),
    positionCount: new DataLoader(async (ids: readonly number[]) => {
      const counts = new Map((await readPositionCounts(reading, ids)).map(({ id, count }) => [id, count]))
      return ids.map((id) => counts.get(id) ?? 0)
    }),
    walletLabels: new DataLoader((addresses: readonly string[]) => readWalletLabels(reading, addresses)),
    walletWeeks: optional(reading, readWalletWeeks, (row) => row.id),
    walletResults: optional(reading, readWalletResults, (row) => row.id),
    pnl: createPnlLoader(reading),
  }
}

/**
 * Loaders of lists. Only few answers share them, because all of them would wait for a statement that reads the lists of
 * many.
 */
export function createLists(reading: Reading, { tokenDetail }: Loaders) {
  return {
    holders: ranged((ranges: readonly HolderRange[]) => readHolders(reading, ranges), keyOfHolders),
    holderDays: ranged((ids: readonly number[]) => readHolderDays(reading, ids), String),
    portfolio: ranged(
      (ranges: readonly HistoryRange[]): Promise<PositionRow[][]> => readPortfolios(reading, ranges),
      keyOfRange,
    ),
    liquidityPositions: ranged(
      (ranges: readonly HistoryRange[]): Promise<LiquidityPositionRow[][]> => readLiquidityPositions(reading, ranges),
      keyOfRange,
    ),
    positions: ranged(
      (questions: readonly PositionPageQuestion[]) => readPositionPages(reading, questions),
      (q) => `${q.walletId} ${q.status} ${q.order} ${q.offset} ${q.limit}`,
    ),
    topTraders: recordOf(TRADER_ORDERS, (order) =>
      ranged(
        (ranges: readonly TraderRange[]) => readTopTraders(reading, order, ranges),
        (r) => `${r.tokenId} ${r.limit}`,
      ),
    ),
    pools: ranged((ranges: readonly PoolRange[]) => readPools(reading, ranges), keyOfHolders),
    locks: ranged((ranges: readonly TokenLockRange[]) => readTokenLocks(reading, ranges), keyOfRange),
    candles: ranged(
      (ranges: readonly CandleRange[]) => readCandles(reading, ranges),
      (r) => `${r.id} ${r.interval} ${r.first} ${r.last} ${r.fill}`,
    ),
    riskSeries: ranged((ranges: readonly ScoreSeriesRange[]) => readScoreSeries(reading, 'token', ranges), keyOfScores),
    pnlSeries: ranged((ranges: readonly ScoreSeriesRange[]) => readScoreSeries(reading, 'wallet', ranges), keyOfScores),
    sparklines: ranged(
      (ranges: readonly SparklineRange[]) => readSparklines(reading, ranges),
      (r) => `${r.id} ${r.points}`,
    ),
    traders: ranged(
      (tokens: readonly TokenWindowsRow[]) => countTraders(reading, tokens),
      (row) => `${row.id}`,
    ),
    earlierTokens: ranged((ranges: readonly EarlierTokenRange[]) => readEarlierTokens(reading, ranges), keyOfRange),
    linkBlocks: ranged(
      (links: readonly ClusterLink[]) => readLinkBlocks(reading, links),
      ({ fromId, toId, kind }) => `${fromId} ${toId} ${kind}`,
    ),
    hours: ranged((ranges: readonly HourRange[]) => readHours(reading, ranges), keyOfRange),
    tokenHistory: ranged((ranges: readonly HistoryRange[]) => readHistories(reading, 'token', ranges), keyOfRange),
    walletHistory: ranged((ranges: readonly HistoryRange[]) => readHistories(reading, 'wallet', ranges), keyOfRange),
    events: createEventLoader(reading, tokenDetail),
  }
}

const keyOfScores = ({ id, interval, first, last }: ScoreSeriesRange) => `${id} ${interval} ${first} ${last}`

const keyOfHolders = ({ tokenId, offset, limit }: HolderRange | PoolRange) => `${tokenId} ${offset} ${limit}`

const keyOfRange = ({ id, limit }: { id: number; limit: number }) => `${id} ${limit}`

const scoresAt = (reading: Reading, kind: 'token' | 'wallet') =>
  new DataLoader<ScoreAtQuestion, ScoreAtRow | null, string>((questions) => readScoresAt(reading, kind, questions), {
    cacheKeyFn: ({ id, block }) => `${id} ${block}`,
  })

/** The verdicts of the newest scores; null before the first one. */
const verdictsOf = async (reading: Reading, ids: readonly number[]) =>
  (await readVerdicts(reading, ids)).map(({ id, verdict }) => {
    if (!verdict) return { id, verdict }
    const level = toRiskLevel(verdict.riskScore)
    const alike = alikeOf(verdict, level, reading.head.time)
    return { id, verdict: { ...verdict, level, unknown: listUnknown(verdict.gaps), alike } }
  })

/** The launch groups of the tokens, from the facts of their launches. */
const launchGroupsOf = async (reading: Reading, ids: readonly number[]) =>
  (await readLaunchFacts(reading, ids, LAUNCH_RULES)).map((facts) => ({
    tokenId: facts.tokenId,
    ...measureLaunch(facts),
  }))

/**
 * Null for money of the chain, which nobody judges, and for a token that never had liquidity. Null for one that was
 * pulled, too: how often such tokens are pulled is no news of it.
 */
function alikeOf(verdict: StoredVerdict, level: RiskLevel, headTime: Date): Alike | null {
  const { chainId, headline, findings, firstLiquidityAt } = verdict
  if (firstLiquidityAt === null || headline === NOT_JUDGED) return null
  if (findings.some(({ name }) => name === 'liquidity_pulled')) return null
  return findAlike(chainId, level, (headTime.getTime() / 1_000 - firstLiquidityAt) / 3_600)
}

const idOf = ({ id }: { id: number }) => id
const tokenIdOf = ({ tokenId }: { tokenId: number }) => tokenId

/** One row per key; null if there is none. */
function optional<K, R extends object>(reading: Reading, batch: RowBatch<K, R>, keyOf: (row: R) => K) {
  return new DataLoader<K, R | null>(async (keys) => {
    const rows = new Map((await batch(reading, keys)).map((row) => [keyOf(row), row]))
    return keys.map((key) => rows.get(key) ?? null)
  })
}

/** One row per key. A key without a row is an error: the row that names it was read at another block. */
function keyed<K, R extends object>(reading: Reading, batch: RowBatch<K, R>, keyOf: (row: R) => K) {
  return new DataLoader<K, R>(async (keys) => {
    const rows = new Map((await batch(reading, keys)).map((row) => [keyOf(row), row]))
    return keys.map((key) => rows.get(key) ?? new Error(`no row for ${String(key)}`))
  })
}

/** A list per key. `nameOf` returns a different name for each key. */
const ranged = <K, R>(batch: (keys: readonly K[]) => Promise<(R | Error)[]>, nameOf: (key: K) => string) =>
  new DataLoader<K, R, string>(batch, { cacheKeyFn: nameOf })

const NO_POSITIONS = {
  realisedUsd: 0,
  openUsd: 0,
  soldUsd: 0,
  soldKnownUsd: 0,
  traded: false,
  swapped: false,
  pulled: false,
  pricedUsd: 0,
  unpricedCostUsd: 0,
  sellableUsd: 0,
  leftCostUsd: 0,
}

/** Profit and loss by wallet. */
const createPnlLoader = (reading: Reading) =>
  new DataLoader(async (ids: readonly number[]) => {
    const rows = new Map((await readPositionSums(reading, ids)).map((row) => [row.walletId, row]))
    return ids.map((id) => {
      const { sellableUsd, ...sums } = rows.get(id) ?? NO_POSITIONS
      return { ...toPnl(sums), sellableUsd }
    })
  })

/** For each token the one that its symbol may be mistaken for: one walk over the symbols in memory for all. */
const createLookalikeLoader = (board: BoardFeed, tokenById: DataLoader<number, TokenRow | null>) =>
  new DataLoader(
    async (tokens: readonly { id: number; symbol: string; liquidityUsd: number }[]) => {
      return Promise.all(
        board
          .newest()
          .lookalikes(tokens)
          .map((id) => (id === null ? null : tokenById.load(id))),
      )
    },
    { cacheKeyFn: ({ id }) => id },
  )
