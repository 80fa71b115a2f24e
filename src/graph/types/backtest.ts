// The past month's matches of an alert's conditions, and the outcome of the tokens.
import { type BacktestMatch, createBacktest, MOST_MATCHES } from '../../alerts/backtest.ts'
import { walletsOf } from '../../alerts/traded.ts'
import { invalid } from '../../base/errors.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { BEFORE_HISTORY, HISTORY_DAYS, readHistoryRows } from '../../ledger/alerts/history.ts'
import { type MatchOutcome, readMatchOutcomes } from '../../ledger/alerts/outcomes.ts'
import { readNamedTokens, readPastTrades } from '../../ledger/alerts/trades.ts'
import type { GraphContext } from '../context.ts'
import { asLongAs, listOf, PART } from '../cost/list-size.ts'
import { readLimit } from '../cost/page-arguments.ts'
import { builder } from '../schema/builder.ts'
import { TokenObject } from '../schema/refs.ts'
import { type GivenScreen, parseConditions, TokenFilterInput } from './screen.ts'

const DAY_MS = 86_400_000
/** The longest period of a backtest. */
const MOST_DAYS = HISTORY_DAYS - 1
/** The price of a backtest. */
export const BACKTEST_REQUESTS = 5
/** A list of this many items has the same price. */
const ITEMS = BACKTEST_REQUESTS * MAX_LIMIT
const MATCHES = { usual: 50, most: 200 }

interface Judged extends BacktestMatch, MatchOutcome {}

interface Backtest {
  from: Date
  to: Date
  sinceMs: number | null
  exactSinceMs: number | null
  total: number
  /** The newest first. */
  judged: Judged[]
  nowMs: number
}

/** The change of a price in percent; null if one of the two is unknown. */
const toChange = (before: number, after: number | null): number | null =>
  before > 0 && after !== null ? 100 * (after / before - 1) : null

const change24h = (match: Judged) => toChange(match.priceUsd, match.price24hUsd)
/** The deepest fall of the price; 0 if it never fell. */
const fallOf = (match: Judged) => {
  const change = toChange(match.priceUsd, match.lowestUsd)
  return change === null ? null : Math.min(change, 0)
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

const isOver = ({ nowMs }: Backtest, match: Judged): boolean => match.timeMs + DAY_MS <= nowMs

/** The matches that had a price when they began, and none a day later. */
const withoutPrice = (backtest: Backtest): number =>
  backtest.judged.filter((match) => isOver(backtest, match) && match.priceUsd > 0 && match.price24hUsd === null).length

const pulledOf = ({ judged }: Backtest): number => judged.filter(({ isPulled }) => isPulled).length
const unsellableOf = ({ judged }: Backtest): number => judged.filter(({ sellable }) => sellable === false).length
const changesOf = ({ judged }: Backtest): number[] => known(judged.map(change24h))

/** What prints as zero has no sign. */
function toPercent(change: number): string {
  const shown = Number(change.toFixed(Math.abs(change) < 10 ? 1 : 0))
  return `${shown > 0 ? '+' : ''}${shown === 0 ? 0 : shown} %`
}

/** The conclusion in one line. */
function summarise(backtest: Backtest): string {
  const { from, to, total, judged, sinceMs } = backtest
  if (from > to) return 'Nothing is kept of that time.'
  if (sinceMs === null) return 'Nothing is known yet: alerts have not been matched since the index began.'
  if (total === 0) return 'No token would have begun to match.'
  const changes = changesOf(backtest)
  const [median, gone] = [medianOf(changes), withoutPrice(backtest)]
  const young = judged.filter((match) => !isOver(backtest, match)).length
  const unsellable = unsellableOf(backtest)
  const parts = [
    `${total} ${total === 1 ? 'match' : 'matches'}${total > judged.length ? `, of which the newest ${judged.length} were followed` : ''}`,
    `${pulledOf(backtest)} pulled`,
    ...(unsellable > 0 ? [`${unsellable} cannot be sold`] : []),
    ...(median === null ? [] : [`median ${toPercent(median)} after a day (${changes.length} with a price)`]),
    ...(gone > 0 ? [`${gone} without a price after a day`] : []),
    ...(young > 0 ? [`${young} began less than a day ago`] : []),
  ]
  return `${parts.join(', ')}.`
}

const BacktestMatchObject = builder.objectRef<Judged>('BacktestMatch').implement({
  extensions: PART,
  description: 'A token that would have begun to match, and its outcome.',
  fields: (t) => ({
    tokenAddress: t.expose('address', { type: 'Address', description: 'The address of the token contract.' }),
    tokenSymbol: t.exposeString('symbol', { description: 'The symbol from the contract: anyone can choose it.' }),
    tokenName: t.exposeString('name', { description: 'The name from the contract: anyone can choose it.' }),
    blockNumber: t.exposeInt('blockNumber', { description: 'The block in which it began to match.' }),
    matchedAt: t.field({
      type: 'DateTime',
      description: 'The time of that block.',
      resolve: ({ timeMs }) => new Date(timeMs),
    }),
    exact: t.exposeBoolean('isExact', {
      description:
        'Whether an alert would have fired at this block. Otherwise the block ends a day of the first indexing, in which the token began to match.',
    }),
    priceUsd: t.float({
      nullable: true,
      description: 'The price in USD at that block; null when it was not priced.',
      resolve: ({ priceUsd }) => priceUsd || null,
    }),
    priceAfter1hUsd: t.exposeFloat('price1hUsd', {
      nullable: true,
      description: 'The price in USD an hour later; null if that time has not come, or if it had no price then.',
    }),
    priceAfter24hUsd: t.exposeFloat('price24hUsd', {
      nullable: true,
      description: 'The price in USD a day later; null if that time has not come, or if it had no price then.',
    }),
    priceAfter7dUsd: t.exposeFloat('price7dUsd', {
      nullable: true,
      description: 'The price in USD seven days later; null if that time has not come, or if it had no price then.',
    }),
    changeAfter24hPct: t.float({
      nullable: true,
      description: 'The change of the price in the day after, in percent; null if one of the prices is unknown.',
      resolve: change24h,
    }),
    worstFallPct: t.float({
      nullable: true,
      description:
        'The deepest fall of the price in the seven days after, in percent: 0 or less. It covers the days that are over; null if unknown.',
      resolve: fallOf,
    }),
    token: t.field({
      type: TokenObject,
      nullable: true,
      description: 'The token as it is now, with the verdict on it; null if it is no longer indexed.',
      resolve: ({ tokenId }, _, { loaders }) => loaders.tokenById.load(tokenId),
    }),
    pulled: t.exposeBoolean('isPulled', { description: 'Whether its liquidity is pulled by now.' }),
    sellable: t.exposeBoolean('sellable', {
      nullable: true,
      description: 'Whether holders can sell it, by the newest check of its contract; null if unknown.',
    }),
  }),
})

const BacktestObject = builder.objectRef<Backtest>('Backtest').implement({
  extensions: PART,
  description: 'The matches that an alert would have had in a past period.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'The beginning of the period.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The end of the period.' }),
    keptSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The time from which the values of tokens are kept; null when there are none yet. No earlier match is found.',
      resolve: ({ sinceMs }) => (sinceMs === null ? null : new Date(sinceMs)),
    }),
    exactSince: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The time from which alerts were matched at each block; null when never in this period. Before it, only the end of each day is known.',
      resolve: ({ exactSinceMs }) => (exactSinceMs === null ? null : new Date(exactSinceMs)),
    }),
    summary: t.string({ description: 'The conclusion in one sentence.', resolve: summarise }),
    matchCount: t.exposeInt('total', { description: 'How many times a token would have begun to match.' }),
    followedCount: t.int({
      description: `How many of them were followed, the newest ones, ${MOST_MATCHES} at most: all other numbers are of these.`,
      resolve: ({ judged }) => judged.length,
    }),
    pulledCount: t.int({ description: 'How many of these tokens were pulled by now.', resolve: pulledOf }),
    unsellableCount: t.int({
      description: 'How many of these tokens cannot be sold, by the newest checks.',
      resolve: unsellableOf,
    }),
    pricedAfter24hCount: t.int({
      description: 'How many had a price at first and a day later.',
      resolve: (backtest) => changesOf(backtest).length,
    }),
    unpricedAfter24hCount: t.int({
      description: 'How many had a price at first and none a day later.',
      resolve: withoutPrice,
    }),
    medianChangeAfter24hPct: t.float({
      nullable: true,
      description:
        'The median change of the price in the day after, in percent, of the known ones; null if none is known.',
      resolve: (backtest) => medianOf(changesOf(backtest)),
    }),
    medianWorstFallPct: t.float({
      nullable: true,
      description: 'The median of the deepest falls in percent, of the known ones; null if none is known.',
      resolve: ({ judged }) => medianOf(known(judged.map(fallOf))),
    }),
    matches: t.field({
      type: [BacktestMatchObject],
      description: 'The matches, the newest first.',
      args: {
        limit: t.arg.int({ defaultValue: MATCHES.usual, description: `How many at most, 1 to ${MATCHES.most}.` }),
      },
      extensions: listOf('limit', MATCHES.most),
      resolve: ({ judged }, { limit }) => judged.slice(0, readLimit(limit, MATCHES.usual, MATCHES.most)),
    }),
  }),
})

const argumentFault = (field: string, message: string) => ({
  location: 'argument' as const,
  field,
  message: `${field} ${message}`,
})

/** The conditions and the period. Throws INVALID_PARAMS with every fault. */
function readQuestion(
  given: { filter: GivenScreen; from?: Date | null | undefined; to?: Date | null | undefined },
  nowMs: number,
) {
  const { filter, faults } = parseConditions(given.filter, 'filter')
  const { from, to } = given
  if (from && to && from > to) faults.push(argumentFault('from', 'must not be after `to`'))
  if (faults.length > 0) throw invalid(faults)
  const earliestMs = nowMs - MOST_DAYS * DAY_MS
  const toMs = Math.min(to?.getTime() ?? nowMs, nowMs)
  return { filter, fromMs: Math.max(from?.getTime() ?? earliestMs, earliestMs), toMs }
}

/** Reads page after page, so that other answers can run in between; a statement fails when nobody waits any more. */
async function run(question: ReturnType<typeof readQuestion>, { reading }: GraphContext): Promise<Backtest> {
  const { filter, fromMs, toMs } = question
  const nowMs = reading.head.time.getTime()
  const wallets = walletsOf(filter)
  const addresses = filter.tokens ? await readNamedTokens(reading.queryPrimary, filter.tokens) : new Map()
  const trades = wallets.length > 0 ? await readPastTrades(reading.queryPrimary, wallets, fromMs) : []
  const backtest = createBacktest(filter, fromMs, { addresses, trades })
  for (let after = BEFORE_HISTORY; fromMs <= toMs; ) {
    const rows = await readHistoryRows(reading.queryPrimary, after, toMs)
    for (const row of rows) backtest.add(row)
    const last = rows.at(-1)
    if (!last) break
    after = last.id
  }
  const { total, sinceMs, exactSinceMs, matches } = backtest.result()
  const outcomes = await readMatchOutcomes(reading.queryPrimary, matches, nowMs)
  const judged = matches.flatMap((match, at) => {
    const outcome = outcomes[at]
    return outcome ? [{ ...match, ...outcome }] : []
  })
  const parts = { from: new Date(fromMs), to: new Date(toMs), sinceMs, exactSinceMs, total, nowMs }
  return { ...parts, judged: judged.reverse() }
}

builder.queryFields((t) => ({
  backtest: t.field({
    type: BacktestObject,
    description: `What an alert with these conditions would have told: which tokens would have begun to match, and what became of them. It equals what an alert that was made at \`from\` sent. A week or a month costs the same: ${BACKTEST_REQUESTS} requests.`,
    args: {
      filter: t.arg({ type: TokenFilterInput, required: true, description: 'The conditions of the alert.' }),
      from: t.arg({
        type: 'DateTime',
        description: `The beginning; ${MOST_DAYS} days before the newest block if left out, which is also the earliest.`,
      }),
      to: t.arg({ type: 'DateTime', description: 'The end; the time of the newest block if left out.' }),
    },
    extensions: asLongAs(ITEMS),
    resolve: (_, given, context) => {
      context.markUncacheable()
      const question = readQuestion(given, context.reading.head.time.getTime())
      return context.backtests(() => run(question, context))
    },
  }),
}))
