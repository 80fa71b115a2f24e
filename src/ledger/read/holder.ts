// Reads the holders of a token: pages by share, of many tokens in one statement. Equal holders are ordered by address.
// The index orders them by number, so a second statement orders equal holders that reach beyond a page.
import type { WalletKind } from '../../base/vocabulary.ts'
import { selectOf } from '../../fields/noun.ts'
import { SHOWN_HOLDER, type ShownHolder } from '../../fields/pool.ts'
import { weekAgo } from '../head.ts'
import { payableUsd, priceAtHead } from '../present.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A wallet's share of a token, with facts about the wallet. */
export interface HolderRow extends ShownHolder {
  tokenId: number
  walletId: number
  kind: WalletKind
  ownClasses: string | null
  /** Whole tokens; raw ones if `hasDecimals` is false, like the openings. */
  quantity: number
  /** Whether the token has decimals. */
  hasDecimals: boolean
  /** At most the sum that the pools of the token could pay. In whole micro-dollars. */
  valueUsd: number
  payableUsd: number
  /** The basis of the token's price. */
  priceUsd: number
  depth2PctUsd: number
  /** Days since 1970 on which the balance changed, and whole tokens held at the start of each. Null: no change for a week. */
  openingDays: number[] | null
  openings: number[] | null
}

/** Asks for a range of a token's holders, ordered by share, the largest first. */
export interface HolderRange {
  tokenId: number
  offset: number
  limit: number
}

/** A holder, with the key that separates equal ones: the exact raw balance. */
type Stored = HolderRow & { balance: string }

/** The most equal holders that are ordered: an airdrop can make a million. More keep the order of their first log. */
export const MOST_TIED = 5_000

/** Holders of `k` in the range of `page`: rows of position and wallet. $1 is the time of a week ago. */
const holdersOf = (k: string, page: string, order: string): SelectText => `SELECT k.key, p.balance::text AS balance,
    t.id AS "tokenId", w.id AS "walletId", w.kind, s.classifications AS "ownClasses", ${selectOf(SHOWN_HOLDER)},
    CASE WHEN p.last_at >= $1 THEN p.opening_days END AS "openingDays", CASE WHEN p.last_at >= $1 THEN p.openings END AS openings,
    p.quantity, t.decimals IS NOT NULL AS "hasDecimals", round(least(p.quantity * v.price, v.payable) * 1e6) / 1e6 AS "valueUsd", v.payable AS "payableUsd",
    v.price AS "priceUsd", t.depth_2pct_usd AS "depth2PctUsd"
  FROM ${k}
  JOIN token t ON t.id = k.token_id
  CROSS JOIN LATERAL (SELECT ${priceAtHead('t')} AS price, ${payableUsd('t')} AS payable) v
  CROSS JOIN LATERAL (
    SELECT *, balance::float8 / 10::float8 ^ coalesce(t.decimals, 0) AS quantity FROM (${page}) held
  ) p
  JOIN wallet w ON w.id = p.wallet_id
  LEFT JOIN wallet_score s ON s.wallet_id = w.id
  WHERE $1::timestamptz IS NOT NULL
  ORDER BY k.key, ${order}`

const PAGES = holdersOf(
  'unnest($2::int[], $3::int[], $4::int[]) WITH ORDINALITY AS k (token_id, skip, take, key)',
  `SELECT * FROM position WHERE token_id = k.token_id AND balance > 0
    ORDER BY balance DESC, wallet_id LIMIT k.take OFFSET k.skip`,
  'p.balance DESC, p.wallet_id',
)

const EQUAL = 'SELECT * FROM position WHERE token_id = k.token_id AND balance = k.balance::numeric AND balance > 0'
// `skip`: how many hold more, or as much and come before. Zero rows for too many equal ones, which are not read then.
const TIED = holdersOf(
  'unnest($2::int[], $3::text[], $4::int[], $5::int[]) WITH ORDINALITY AS k (token_id, balance, skip, take, key)',
  `SELECT e.* FROM (
      ${EQUAL} LIMIT CASE WHEN (SELECT count(*) FROM (${EQUAL} LIMIT ${MOST_TIED + 1}) c) > ${MOST_TIED} THEN 0 END
    ) e JOIN wallet o ON o.id = e.wallet_id ORDER BY o.address LIMIT k.take
    OFFSET greatest(0, k.skip - (SELECT count(*) FROM position
      WHERE token_id = k.token_id AND balance > k.balance::numeric AND balance > 0))`,
  'w.address',
)

interface HolderPage {
  /** The number of holders before it. */
  offset: number
  rows: Stored[]
  /** The same rows from `start` on, with those beside the page. */
  list: readonly Stored[]
  start: number
}

/** Replaces equal holders at the edges of pages by the right ones. */
async function orderEdges(reading: Reading, pages: readonly HolderPage[]): Promise<void> {
  const edges = pages.flatMap((page) => {
    const { list, start, rows, offset } = page
    const beside = new Set([start > 0 ? list[start - 1]?.balance : undefined, list[start + rows.length]?.balance])
    return runsOf(rows).flatMap((run) => {
      const [first] = run
      return first && beside.has(first.balance) ? [{ page, run, first, skip: offset + rows.indexOf(first) }] : []
    })
  })
  if (edges.length === 0) return
  const found = await readLists<Stored>(reading, edges.length, {
    name: 'holders tied',
    text: TIED,
    values: [
      weekAgo(reading.head),
      edges.map(({ first }) => first.tokenId),
      edges.map(({ first }) => first.balance),
      edges.map(({ skip }) => skip),
      edges.map(({ run }) => run.length),
    ],
  })
  for (const [at, { page, run, first }] of edges.entries()) {
    const ordered = found[at] ?? []
    if (ordered.length === run.length) page.rows.splice(page.rows.indexOf(first), run.length, ...ordered)
  }
}

/** The holders of each range, in the order of the ranges. */
export async function readHolders(reading: Reading, ranges: readonly HolderRange[]): Promise<HolderRow[][]> {
  // One more on either side shows whether equal holders reach beyond the page.
  const starts = ranges.map(({ offset }) => Math.max(offset - 1, 0))
  const lists = await readLists<Stored>(reading, ranges.length, {
    name: 'holders',
    text: PAGES,
    values: [
      weekAgo(reading.head),
      ranges.map(({ tokenId }) => tokenId),
      starts,
      ranges.map(({ offset, limit }, at) => offset + limit + 1 - (starts[at] ?? 0)),
    ],
  })
  const pages = ranges.map(({ offset, limit }, at) => {
    const start = offset - (starts[at] ?? 0)
    return { offset, rows: lists[at]?.slice(start, start + limit) ?? [], list: lists[at] ?? [], start }
  })
  await orderEdges(reading, pages)
  return pages.map(({ rows }) => runsOf(rows).flatMap((run) => run.sort((a, b) => (a.address < b.address ? -1 : 1))))
}

/** Neighbours with equal balances. */
function runsOf(rows: readonly Stored[]): Stored[][] {
  const runs: Stored[][] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.[0]?.balance === row.balance) last.push(row)
    else runs.push([row])
  }
  return runs
}
