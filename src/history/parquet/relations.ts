// Reads events by what they relate: a wallet and a token, swaps of one time, the newest swaps of wallets, a segment.

import type { HistoryReader, HistorySwap, Segment } from '../history.ts'
import { chunksOf, numbersIn, segmentsAt, whole } from '../numbers.ts'
import { toOldEvent } from './events.ts'
import { ORDERS, type Order, wantOf } from './orders.ts'
import type { SegmentReading } from './reading.ts'
import { AMOUNT, EVENT_FIELDS, inMeeting } from './sql.ts'

type Relations = Pick<
  HistoryReader,
  'countMeetings' | 'readMeetings' | 'readSwapsAt' | 'readWalletNumbers' | 'readTraders' | 'isComplete'
>

const ofWallets = (segments: readonly Segment[], ids: readonly number[]) => ({
  segments,
  order: 'wallets' as const,
  wanted: wantOf('reader_id', ids),
})

export const createRelations = (reading: SegmentReading): Relations => ({
  ...createMeetings(reading),
  ...createNumbers(reading),
})

const createMeetings = ({ ask }: SegmentReading): Pick<Relations, 'countMeetings' | 'readMeetings'> => ({
  countMeetings: async (segments, meeting) => {
    const [row] = await ask(
      ofWallets(segments, [meeting.walletId]),
      (from) => `SELECT count(DISTINCT n)::DOUBLE AS n FROM ${from} WHERE ${inMeeting(meeting)}`,
    )
    return (row?.n as number | undefined) ?? 0
  },
  readMeetings: async (segments, meeting, { offset, limit, oldestFirst }) => {
    if (limit <= 0) return []
    const order = oldestFirst ? 'ASC' : 'DESC'
    // A wallet that sends to itself has two rows.
    const rows = await ask(
      ofWallets(segments, [meeting.walletId]),
      (from) => `SELECT * FROM (SELECT DISTINCT ${EVENT_FIELDS} FROM ${from} WHERE ${inMeeting(meeting)})
        ORDER BY n ${order} LIMIT ${whole(limit)} OFFSET ${whole(offset)}`,
    )
    return rows.map(toOldEvent)
  },
})

const createNumbers = ({ ask, countHashes }: SegmentReading): Omit<Relations, 'countMeetings' | 'readMeetings'> => ({
  readSwapsAt: async (segments, { tokenIds, times }) => {
    if (tokenIds.length === 0) return []
    const rows = await ask(
      {
        segments: segmentsAt(segments, times),
        order: 'tokens',
        wanted: wantOf('token_id', tokenIds),
      },
      (from) => `SELECT ${EVENT_FIELDS} FROM ${from}
        WHERE token_id IN (${numbersIn(tokenIds)}) AND type = 1 AND epoch_us(time) IN (${numbersIn(times)})`,
    )
    return rows.map(toOldEvent)
  },
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
    const counts = await Promise.all([
      ...ORDERS.map(async (order) => {
        const [row] = await ask({ segments: [segment], order, wanted: null }, (from) => rowsText(from, order))
        return row?.rows
      }),
      countHashes(segment),
    ])
    return counts.every((count) => count === size)
  },
  readTraders: async (segments, traders) => {
    const above = new Map(traders.map((trader) => [trader.walletId, trader.above]))
    const lists = await Promise.all(
      chunksOf([...above.keys()]).map((ids) => {
        const bounds = ids.map((id) => `WHEN ${whole(id)} THEN ${whole(above.get(id) ?? 0)}`).join(' ')
        return ask(
          ofWallets(segments, ids),
          (from) => `SELECT reader_id AS "walletId", type_number AS n, token_id AS "tokenId", pool_id AS "poolId",
            direction, quantity, ${AMOUNT} AS "amountUsd", epoch(time) AS time, block_number AS block
          FROM ${from} WHERE reader_id IN (${numbersIn(ids)}) AND type = 1 AND NOT received
            AND type_number > CASE reader_id ${bounds} END ORDER BY reader_id, type_number`,
        )
      }),
    )
    return lists.flat() as unknown as HistorySwap[]
  },
})

/** Counts events: a transfer is twice among those of wallets. */
const rowsText = (from: string, order: Order): string =>
  `SELECT count(n)::DOUBLE AS rows FROM ${from}${order === 'wallets' ? ' WHERE NOT received' : ''}`
