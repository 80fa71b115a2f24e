// The trades of tokens in the windows that end at the block, many tokens in one statement. Counts and volumes are exact
// to the second. Whole hours come from the hours, the first part of an hour from candles of five minutes. The first
// part of five minutes comes from the swaps. The counts give the running number of a swap. A quote also has volume from
// swaps that are events of other tokens. Up to a day back it is in `token_block`; before that these swaps are added up.
import { type TrailingWindow, WINDOW_SECONDS, WINDOWS } from '../../base/interval.ts'
import { recordOf } from '../../base/keys-of.ts'
import { VOLUME_WINDOW_SECONDS } from '../../book/rows/windows.ts'
import type { Reading, SelectText } from './consistent-read.ts'
import { findStart } from './event.ts'

/** The trades of a token in one window. */
export interface WindowCounts {
  buyCount: number
  sellCount: number
  volumeUsd: number
}

/** The trades of a token in all windows. */
export interface TokenWindowsRow {
  id: number
  /** Of all time, which is the running number of the newest. */
  swapCount: number
  windows: Record<TrailingWindow, WindowCounts>
}

const STARTS = `unnest($2::text[], $3::float8[]) AS w (name, start)`

const COUNTS: SelectText = `SELECT t.id, t.swap_count AS "swapCount", w.name,
    (later.buys + coalesce(edge.buys, 0))::int AS "buyCount", (later.sells + coalesce(edge.sells, 0))::int AS "sellCount",
    (later.volume + coalesce(block.volume, edge.volume, 0))::float8 / 1e6 AS "volumeUsd",
    CASE WHEN block.volume IS NULL THEN greatest(cut.volume - coalesce(edge.whole, 0), 0)::float8 / 1e6 ELSE 0 END AS "restUsd"
  FROM token t CROSS JOIN ${STARTS}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(buy_count), 0) AS buys, coalesce(sum(sell_count), 0) AS sells, coalesce(sum(volume_micro_usd), 0) AS volume
    FROM (
      SELECT buy_count, sell_count, volume_micro_usd FROM token_hour
        WHERE token_id = t.id AND hour > floor(w.start / 3600)::int
      UNION ALL
      SELECT buy_count, sell_count, volume_micro_usd FROM token_five_minutes
        WHERE token_id = t.id AND slot > floor(w.start / 300)::int AND slot < 12 * floor(w.start / 3600)::int + 12
    ) whole
  ) later
  LEFT JOIN LATERAL (
    SELECT buy_count + sell_count AS swaps, volume_micro_usd AS volume FROM token_five_minutes
    WHERE token_id = t.id AND slot = floor(w.start / 300)::int
  ) cut ON true
  LEFT JOIN LATERAL (
    SELECT count(*) FILTER (WHERE inside AND direction = 1) AS buys, count(*) FILTER (WHERE inside AND direction = 2) AS sells,
      coalesce(sum(round(amount_usd * 1e6)) FILTER (WHERE inside), 0) AS volume, coalesce(sum(round(amount_usd * 1e6)), 0) AS whole
    FROM (SELECT *, time > to_timestamp(w.start) AS inside FROM event) e
    WHERE token_id = t.id AND type = 1 AND token_type_n > t.swap_count - later.buys - later.sells - cut.swaps
      AND token_type_n <= t.swap_count - later.buys - later.sells
  ) edge ON cut.swaps > 0
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(volume_micro_usd), 0) AS volume FROM token_block
    WHERE token_id = t.id AND time > to_timestamp(w.start) AND time < to_timestamp(300 * floor(w.start / 300) + 300)
  ) block ON w.start >= $4::float8 - ${VOLUME_WINDOW_SECONDS}
  WHERE t.id = ANY ($1::int[])`

const startsOf = (reading: Reading) =>
  WINDOWS.map((window) => reading.head.time.getTime() / 1000 - WINDOW_SECONDS[window])

/** The dollars of these swaps, by their running numbers, that are volume of these quotes and events of other tokens. */
const OF_QUOTES: SelectText = `SELECT p.quote_id AS id, sum(round(e.amount_usd * 1e6))::float8 / 1e6 AS usd
  FROM event e JOIN pool p ON p.id = e.pool_id
  WHERE e.type = 1 AND e.type_n > $2::bigint AND e.type_n <= $3::bigint AND p.quote_id = ANY ($1::int[]) AND e.token_id <> p.quote_id
  GROUP BY p.quote_id`

/** The volume of quotes in the first five minutes of a window, from its beginning on. */
async function readQuoteVolumes(
  reading: Reading,
  ids: readonly number[],
  window: TrailingWindow,
): Promise<ReadonlyMap<number, number>> {
  const start = reading.head.time.getTime() / 1000 - WINDOW_SECONDS[window]
  const swaps = {
    tokenId: null,
    walletId: null,
    type: 'swap',
    total: reading.head.countByType.swap,
    after: null,
  } as const
  const bounds = [start, 300 * Math.floor(start / 300) + 299]
  const numbers = await findStart(
    reading,
    bounds.map((seconds) => ({ ...swaps, since: new Date(seconds * 1000) })),
  )
  const rows = await reading.query<{ id: number; usd: number }>({
    name: 'quote volumes',
    text: OF_QUOTES,
    values: [ids, ...numbers],
  })
  return new Map(rows.map(({ id, usd }) => [id, usd]))
}

interface CountsRow extends WindowCounts {
  id: number
  swapCount: number
  name: TrailingWindow
  /**
   * The volume from swaps of other tokens in its first five minutes, from their beginning on: not yet in `volumeUsd`.
   */
  restUsd: number | null
}

/** Sums of doubles, in whole micro-dollars. */
const toMicro = (usd: number): number => Math.round(usd * 1e6) / 1e6

/** Adds it to the rows of quotes: only a few tokens of a chain have such volume. */
async function addQuoteVolumes(reading: Reading, rows: readonly CountsRow[]): Promise<void> {
  const short = rows.filter(({ restUsd }) => (restUsd ?? 0) > 0)
  await Promise.all(
    [...new Set(short.map(({ name }) => name))].map(async (window) => {
      const own = short.filter(({ name }) => name === window)
      const ids = own.map(({ id }) => id)
      const volumes = await readQuoteVolumes(reading, ids, window)
      for (const row of own)
        row.volumeUsd = toMicro(row.volumeUsd + Math.min(volumes.get(row.id) ?? 0, row.restUsd ?? 0))
    }),
  )
}

/** Tokens by identifier, in any order. */
export async function readTokenWindows(reading: Reading, ids: readonly number[]): Promise<TokenWindowsRow[]> {
  const rows = await reading.query<CountsRow>({
    name: 'token windows',
    text: COUNTS,
    values: [ids, WINDOWS, startsOf(reading), reading.head.time.getTime() / 1000],
  })
  await addQuoteVolumes(reading, rows)
  const tokens = new Map<number, TokenWindowsRow>()
  for (const { id, swapCount, name, restUsd: _, ...counts } of rows) {
    const token = tokens.get(id) ?? { id, swapCount, windows: {} as TokenWindowsRow['windows'] }
    token.windows[name] = counts
    tokens.set(id, token)
  }
  return [...tokens.values()]
}

/** The price of a token when each window began; null: not priced then. */
export interface PricesBeforeRow extends Record<TrailingWindow, number | null> {
  id: number
}

/** The close of the last five minutes that had ended by then. If those are deleted, it is that of the last hour. */
const closeBefore = (token: string, start: string) =>
  `(SELECT 1 AS rank, close_usd FROM token_five_minutes
      WHERE token_id = ${token} AND slot < floor(${start} / 300)::int ORDER BY slot DESC LIMIT 1)
    UNION ALL
    (SELECT 2, close_usd FROM token_hour
      WHERE token_id = ${token} AND hour < floor(${start} / 3600)::int ORDER BY hour DESC LIMIT 1)
    ORDER BY rank LIMIT 1`

const PRICES: SelectText = `SELECT k.id, json_object_agg(k.name, p.close_usd) AS prices
  FROM (SELECT id, name, start FROM unnest($1::int[]) AS t (id) CROSS JOIN ${STARTS}) k
  LEFT JOIN LATERAL (
    ${closeBefore('k.id', 'k.start')}
  ) p ON true GROUP BY k.id`

/** By identifier, in any order. */
export async function readPricesBefore(reading: Reading, ids: readonly number[]): Promise<PricesBeforeRow[]> {
  const rows = await reading.query<{ id: number; prices: Record<TrailingWindow, number | null> }>({
    name: 'prices before',
    text: PRICES,
    values: [ids, WINDOWS, startsOf(reading)],
  })
  return rows.map(({ id, prices }) => ({ id, ...prices }))
}

const MOVERS: SelectText = `SELECT t.id FROM unnest($1::int[]) AS k (id) JOIN token t ON t.id = k.id
  CROSS JOIN LATERAL (
    ${closeBefore('k.id', '$2::float8')}
  ) p
  WHERE t.price_usd > 0 AND p.close_usd > 0 ORDER BY t.price_usd / p.close_usd * $3::int, t.address`

/** The tokens that have a price and had one when the window began, in the order of their change. */
export async function readMovers(
  reading: Reading,
  ids: readonly number[],
  { window, descending }: { window: TrailingWindow; descending: boolean },
): Promise<number[]> {
  const start = reading.head.time.getTime() / 1000 - WINDOW_SECONDS[window]
  const rows = await reading.query<{ id: number }>({
    name: 'movers',
    text: MOVERS,
    values: [ids, start, descending ? -1 : 1],
  })
  return rows.map(({ id }) => id)
}

/** The most swaps of a window for which traders are counted, because each swap is read for it. */
const MOST_COUNTED = 2_000

const TRADERS: SelectText = `SELECT k.id, ${WINDOWS.map((_, at) => `count(DISTINCT e.wallet_id) FILTER (WHERE e.token_type_n > k.newest - k.c${at})::int AS n${at}`).join(', ')}
  FROM unnest($1::int[], $2::int[], ${WINDOWS.map((_, at) => `$${at + 3}::int[]`).join(', ')}) AS k (id, newest, ${WINDOWS.map((_, at) => `c${at}`).join(', ')})
  LEFT JOIN event e ON e.token_id = k.id AND e.type = 1
    AND e.token_type_n > k.newest - greatest(${WINDOWS.map((_, at) => `k.c${at}`).join(', ')})
  GROUP BY k.id`

/** How many wallets traded a token in each window; null: more swaps than the bound. */
export async function countTraders(
  reading: Reading,
  tokens: readonly TokenWindowsRow[],
): Promise<Record<TrailingWindow, number | null>[]> {
  const swapsOf = ({ windows }: TokenWindowsRow, window: TrailingWindow) =>
    windows[window].buyCount + windows[window].sellCount
  const counted = (token: TokenWindowsRow, window: TrailingWindow) =>
    swapsOf(token, window) > MOST_COUNTED ? 0 : swapsOf(token, window)
  const rows = await reading.query<{ id: number } & Record<string, number>>({
    name: 'window traders',
    text: TRADERS,
    values: [
      tokens.map(({ id }) => id),
      tokens.map(({ swapCount }) => swapCount),
      ...WINDOWS.map((window) => tokens.map((token) => counted(token, window))),
    ],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return tokens.map((token) => {
    const row = byId.get(token.id)
    const count = (window: TrailingWindow, at: number) =>
      swapsOf(token, window) > MOST_COUNTED ? null : (row?.[`n${at}`] ?? 0)
    return recordOf(WINDOWS, count)
  })
}
