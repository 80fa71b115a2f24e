// Lists of positions: pages of a wallet's, open or closed, and the traders of a token, by profit or volume.
import { type Fault, invalid } from '../../base/errors.ts'
import { weekAgo } from '../head.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'
import { type PositionRow, positionsWhere } from './position.ts'

/** Whether a wallet still holds the token. */
export const POSITION_STATUSES = ['open', 'closed', 'all'] as const
export type PositionStatus = (typeof POSITION_STATUSES)[number]

export const POSITION_ORDERS = ['value_usd', 'realised_usd', 'last_at'] as const
export type PositionOrder = (typeof POSITION_ORDERS)[number]

/** A page of a wallet's positions. */
export interface PositionPageQuestion {
  walletId: number
  status: PositionStatus
  order: PositionOrder
  offset: number
  limit: number
}

/**
 * The most positions of one wallet that are sorted for a page. Contracts that everybody sends to have more; no trader
 * does.
 */
const MOST_POSITIONS = 20_000

const STATUS = `CASE k.status WHEN 0 THEN p.balance > 0 WHEN 1 THEN p.balance = 0 ELSE true END`

const COUNT: SelectText = `SELECT k.key, c.* FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (wallet_id, status, key)
  CROSS JOIN LATERAL (
    SELECT count(*) AS positions, count(*) FILTER (WHERE t.indexed AND ${STATUS}) AS total
    FROM (SELECT * FROM position WHERE wallet_id = k.wallet_id LIMIT ${MOST_POSITIONS + 1}) p LEFT JOIN token t ON t.id = p.token_id
  ) c`

// The order ends in the token's address, so that no two positions of a wallet tie.
const SORT = `CASE k.sort WHEN 0 THEN p."valueUsd" WHEN 1 THEN p."realisedUsd" ELSE date_part('epoch', p."lastAt") END DESC, p."tokenAddress"`
const PAGES: SelectText = `SELECT k.key, p.*
  FROM unnest($1::int[], $2::int[], $3::int[], $4::int[], $5::int[]) WITH ORDINALITY AS k (wallet_id, status, sort, skip, take, key)
  CROSS JOIN LATERAL (
    SELECT * FROM (${positionsWhere(`p.wallet_id = k.wallet_id AND ${STATUS}`, '$6')}) p ORDER BY ${SORT} LIMIT k.take OFFSET k.skip
  ) p ORDER BY k.key, ${SORT}`

const tooMany: Fault = {
  location: 'argument',
  field: 'positions',
  message: `positions of a wallet with more than ${MOST_POSITIONS} are not listed, since each page would sort them all: read its events, or portfolio`,
}

/** The pages with their totals, in the order of the questions. Throws INVALID_PARAMS for a wallet with too many positions. */
export async function readPositionPages(
  reading: Reading,
  questions: readonly PositionPageQuestion[],
): Promise<({ items: PositionRow[]; total: number } | Error)[]> {
  const statusOf = ({ status }: PositionPageQuestion) => POSITION_STATUSES.indexOf(status)
  const counts = await readLists<{ positions: number; total: number }>(reading, questions.length, {
    name: 'position counts',
    text: COUNT,
    values: [questions.map((q) => q.walletId), questions.map(statusOf)],
  })
  const totalOf = (at: number) => counts[at]?.[0]?.total ?? 0
  const isTooLong = (at: number) => (counts[at]?.[0]?.positions ?? 0) > MOST_POSITIONS
  const asked = questions
    .map((question, at) => ({ question, at }))
    .filter(({ question, at }) => !isTooLong(at) && question.offset < totalOf(at))
  const lists =
    asked.length === 0
      ? []
      : await readLists<PositionRow>(reading, asked.length, {
          name: 'position pages',
          text: PAGES,
          values: [
            asked.map(({ question }) => question.walletId),
            asked.map(({ question }) => statusOf(question)),
            asked.map(({ question }) => POSITION_ORDERS.indexOf(question.order)),
            asked.map(({ question }) => question.offset),
            asked.map(({ question }) => question.limit),
            weekAgo(reading.head),
          ],
        })
  const items = new Map(asked.map(({ at }, index) => [at, lists[index] ?? []]))
  return questions.map((_, at) =>
    isTooLong(at) ? invalid([tooMany]) : { total: totalOf(at), items: items.get(at) ?? [] },
  )
}

/** The orders of the traders of a token; each is an index. */
export const TRADER_ORDERS = ['realised_usd', 'realised_loss_usd', 'volume_usd'] as const
export type TraderOrder = (typeof TRADER_ORDERS)[number]

const TRADER_SORT: Record<TraderOrder, string> = {
  realised_usd: 'realised_usd DESC, wallet_id',
  realised_loss_usd: 'realised_usd, wallet_id DESC',
  volume_usd: '(bought_usd + sold_usd) DESC, wallet_id',
}

/** Asks for the first `limit` traders of a token. */
export interface TraderRange {
  tokenId: number
  limit: number
}

/** The positions of the traders of each range, in the order of the ranges. */
export function readTopTraders(
  reading: Reading,
  order: TraderOrder,
  ranges: readonly TraderRange[],
): Promise<PositionRow[][]> {
  const text: SelectText = `SELECT k.key, p.* FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (token_id, take, key)
    CROSS JOIN LATERAL (
      SELECT token_id, wallet_id, row_number() OVER (ORDER BY ${TRADER_SORT[order]}) AS place FROM position
      WHERE token_id = k.token_id AND swap_count > 0 ORDER BY ${TRADER_SORT[order]} LIMIT k.take
    ) first
    CROSS JOIN LATERAL (${positionsWhere('p.token_id = first.token_id AND p.wallet_id = first.wallet_id', '$3')}) p
    ORDER BY k.key, first.place`
  return readLists(reading, ranges.length, {
    name: `top traders ${order}`,
    text,
    values: [ranges.map((range) => range.tokenId), ranges.map((range) => range.limit), weekAgo(reading.head)],
  })
}
