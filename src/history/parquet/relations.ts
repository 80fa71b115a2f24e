// Reads events by what they relate: a wallet and a token, swaps of one time, the newest swaps of wallets, a segment.

import type { HistoryMeeting, HistoryReader, HistorySwap, Segment } from '../history.ts'
import { chunksOf, numbersIn, segmentsAt, whole } from '../numbers.ts'
import type { EngineRow } from './engine.ts'
import { type Newest, targetOfPlace, targetOfTime } from './newest.ts'
import { ORDERS, type Order, wantOf } from './orders.ts'
import type { SegmentReading } from './reading.ts'
import { EVENT_FIELDS, inMeeting, type NumberBounds, timestampOf } from './sql.ts'

type Relations = Pick<
  HistoryReader,
  'countMeetings' | 'readMeetings' | 'readSwapsAt' | 'readWalletNumbers' | 'readTraders' | 'isComplete'
>

const ofWallets = (segments: readonly Segment[], ids: readonly number[]) => ({
  segments,
  order: 'wallets' as const,
  wanted: wantOf('reader_id', ids),
})

export const createRelations = (reading: SegmentReading, newest: Newest): Relations => ({
  ...createMeetings(reading, newest),
  ...createSwaps(reading, newest),
  ...createCounts(reading),
})

function createMeetings(
  { ask, askEvents }: SegmentReading,
  { findNewest }: Newest,
): Pick<Relations, 'countMeetings' | 'readMeetings'> {
  const boundsOf = async (
    segments: readonly Segment[],
    { since, after, until, upTo }: HistoryMeeting,
  ): Promise<NumberBounds> => {
    const targetsOf = (time: Date | null, place: HistoryMeeting['after']) =>
      Promise.all(
        [...(time ? [targetOfTime(time)] : []), ...(place ? [targetOfPlace(place)] : [])].map((target) =>
          findNewest(segments, target),
        ),
      )
    const [above, most] = await Promise.all([targetsOf(since, after), targetsOf(until, upTo)])
    return [Math.max(0, ...above), Math.min(segments.at(-1)?.lastN ?? 0, ...most)]
  }
  return {
    countMeetings: async (segments, meeting) => {
      const bounds = await boundsOf(segments, meeting)
      const [row] = await ask(
        ofWallets(segments, [meeting.walletId]),
        (from) => `SELECT count(DISTINCT n)::DOUBLE AS n FROM ${from} WHERE ${inMeeting(meeting, bounds)}`,
      )
      return (row?.n as number | undefined) ?? 0
    },
    readMeetings: async (segments, meeting, { offset, limit, oldestFirst }) => {
      if (limit <= 0) return []
      const bounds = await boundsOf(segments, meeting)
      const order = oldestFirst ? 'ASC' : 'DESC'
      // A wallet that sends to itself has two rows.
      return askEvents(
        ofWallets(segments, [meeting.walletId]),
        (from) => `SELECT * FROM (SELECT DISTINCT ${EVENT_FIELDS} FROM ${from} WHERE ${inMeeting(meeting, bounds)})
          ORDER BY n ${order} LIMIT ${whole(limit)} OFFSET ${whole(offset)}`,
      )
    },
  }
}

const createSwaps = (
  { ask, askEvents, complete }: SegmentReading,
  { findRows }: Newest,
): Pick<Relations, 'readSwapsAt' | 'readTraders'> => ({
  readSwapsAt: async (segments, { tokenIds, times }) => {
    if (tokenIds.length === 0) return []
    const among = segmentsAt(segments, times)
    const wanted = { key: 'n', ranges: await findRows(among, times) }
    const instants = [...new Set(times)].map((time) => timestampOf(BigInt(time)))
    return askEvents(
      { segments: among, order: 'events', wanted },
      (from) => `SELECT ${EVENT_FIELDS} FROM ${from}
        WHERE time IN (${instants.join(', ')}) AND token_id IN (${numbersIn(tokenIds)}) AND type = 1`,
    )
  },
  readTraders: async (segments, traders) => {
    const above = new Map(traders.map((trader) => [trader.walletId, trader.above]))
    const lists = await Promise.all(
      chunksOf([...above.keys()]).map((ids) => {
        const bounds = ids.map((id) => `WHEN ${whole(id)} THEN ${whole(above.get(id) ?? 0)}`).join(' ')
        return ask(
          ofWallets(segments, ids),
          (from) => `SELECT n::DOUBLE AS n, reader_id, type_number, token_id, pool_id, direction, quantity, amount_usd,
            epoch_us(time)::DOUBLE AS time, block_number
          FROM ${from} WHERE reader_id IN (${numbersIn(ids)}) AND type = 1 AND NOT received
            AND type_number > CASE reader_id ${bounds} END ORDER BY reader_id, type_number`,
        )
      }),
    )
    const rows = lists.flat()
    await complete(segments, rows)
    return rows.map(toSwap)
  },
})

const toSwap = (row: EngineRow): HistorySwap => ({
  walletId: Number(row.reader_id),
  n: Number(row.type_number),
  tokenId: Number(row.token_id),
  poolId: Number(row.pool_id),
  direction: Number(row.direction),
  quantity: Number(row.quantity),
  amountUsd: Number(row.amount_usd),
  time: Number(row.time) / 1_000_000,
  block: Number(row.block_number),
})

const createCounts = ({ ask, requireLast }: SegmentReading): Pick<Relations, 'readWalletNumbers' | 'isComplete'> => ({
  readWalletNumbers: async (segments, walletId, ns) => {
    const rows = await ask(
      ofWallets(segments, [walletId]),
      (from) => `SELECT n::DOUBLE AS n, number FROM ${from}
        WHERE reader_id = ${whole(walletId)} AND NOT received AND n IN (${numbersIn(ns)})`,
    )
    return new Map(rows.map(({ n, number }) => [n as number, number as number]))
  },
  isComplete: async (segment) => {
    const size = segment.lastN - segment.firstN + 1
    await requireLast(segment)
    const counts = await Promise.all(
      ORDERS.map(async (order) => {
        const [row] = await ask({ segments: [segment], order, wanted: null }, (from) => rowsText(from, order))
        return row?.rows
      }),
    )
    return counts.every((count) => count === size)
  },
})

/** Counts events: a transfer is twice among those of wallets. */
const rowsText = (from: string, order: Order): string =>
  `SELECT count(n)::DOUBLE AS rows FROM ${from}${order === 'wallets' ? ' WHERE NOT received' : ''}`
