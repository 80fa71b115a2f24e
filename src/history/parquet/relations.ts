// Reads events by what they relate: a wallet and a token, swaps of one block, the newest swaps of wallets, a segment.

import type { HistoryReader, HistorySwap } from '../history.ts'
import { chunksOf, numbersIn, whole } from '../numbers.ts'
import { toOldEvent } from './events.ts'
import { type Files, SEGMENT_FILES } from './files.ts'
import { AMOUNT, EVENT_FIELDS, inMeeting } from './sql.ts'

type Relations = Pick<
  HistoryReader,
  'countMeetings' | 'readMeetings' | 'readBlockSwaps' | 'readWalletNumbers' | 'readTraders' | 'isComplete'
>

export const createRelations = ({ ask, of }: Files): Relations => ({
  countMeetings: async (segments, meeting) => {
    if (segments.length === 0) return 0
    const [row] = await ask(
      `SELECT count(DISTINCT n)::DOUBLE AS n FROM ${of(segments, 'wallets')} WHERE ${inMeeting(meeting)}`,
    )
    return (row?.n as number | undefined) ?? 0
  },
  readMeetings: async (segments, meeting, { offset, limit, oldestFirst }) => {
    if (segments.length === 0 || limit <= 0) return []
    const order = oldestFirst ? 'ASC' : 'DESC'
    // A wallet that sends to itself has two rows.
    const rows = await ask(`SELECT * FROM (
        SELECT DISTINCT ${EVENT_FIELDS} FROM ${of(segments, 'wallets')} WHERE ${inMeeting(meeting)})
      ORDER BY n ${order} LIMIT ${whole(limit)} OFFSET ${whole(offset)}`)
    return rows.map(toOldEvent)
  },
  readBlockSwaps: async (segments, { tokenIds, blocks }) => {
    const [least, most] = [Math.min(...blocks), Math.max(...blocks)]
    const asked = segments.filter(({ firstBlock, lastBlock }) => firstBlock <= most && lastBlock >= least)
    if (asked.length === 0 || tokenIds.length === 0) return []
    const rows = await ask(`SELECT ${EVENT_FIELDS} FROM ${of(asked, 'tokens')}
      WHERE token_id IN (${numbersIn(tokenIds)}) AND type = 1 AND block_number IN (${numbersIn(blocks)})`)
    return rows.map(toOldEvent)
  },
  readWalletNumbers: async (segments, walletId, ns) => {
    const rows = await ask(`SELECT n::DOUBLE AS n, number FROM ${of(segments, 'wallets')}
      WHERE reader_id = ${whole(walletId)} AND NOT received AND n IN (${numbersIn(ns)})`)
    return new Map(rows.map(({ n, number }) => [n as number, number as number]))
  },
  isComplete: async (segment) => {
    const size = segment.lastN - segment.firstN + 1
    const counts = SEGMENT_FILES.map(
      (file) => `SELECT count(n) AS rows FROM ${of([segment], file)}${file === 'wallets' ? ' WHERE NOT received' : ''}`,
    )
    const rows = await ask(`SELECT rows::DOUBLE AS rows FROM (${counts.join(' UNION ALL ')})`)
    return rows.every((row) => row.rows === size)
  },
  readTraders: async (segments, traders) => {
    if (segments.length === 0) return []
    const above = new Map(traders.map((trader) => [trader.walletId, trader.above]))
    const lists = await Promise.all(
      chunksOf([...above.keys()]).map((ids) => {
        const bounds = ids.map((id) => `WHEN ${whole(id)} THEN ${whole(above.get(id) ?? 0)}`).join(' ')
        return ask(`SELECT reader_id AS "walletId", type_number AS n, token_id AS "tokenId", pool_id AS "poolId",
            direction, quantity, ${AMOUNT} AS "amountUsd", epoch(time) AS time, block_number AS block
          FROM ${of(segments, 'wallets')} WHERE reader_id IN (${numbersIn(ids)}) AND type = 1 AND NOT received
            AND type_number > CASE reader_id ${bounds} END ORDER BY reader_id, type_number`)
      }),
    )
    return lists.flat() as unknown as HistorySwap[]
  },
})
