// The part of an answer's events that is in the history. A reader takes from the database what it has. It asks here for
// missing running numbers, which have no gaps, or for the events up to `lastN`.
import { EVENT_TYPE_ID, type EventType } from '../../base/vocabulary.ts'
import type { HistoryScope, OldEvent } from '../../history/history.ts'
import { addHashes, rowsIn, toRows } from '../old-rows.ts'
import { attachHistory, type OpenHistory, SEGMENTS } from '../segments.ts'
import type { Reading } from './consistent-read.ts'

/** The histories of readings: each reads the names of the segments once. */
const opened = new WeakMap<Reading, Promise<OpenHistory | null>>()

/** Null: the database has all events. */
export function findHistory(reading: Reading): Promise<OpenHistory | null> {
  if (!reading.head.historyN) return NONE
  const known = opened.get(reading)
  if (known) return known
  const opening = attachHistory(reading.history, () => reading.query({ name: 'history segments', text: SEGMENTS }))
  opened.set(reading, opening)
  return opening
}

const NONE = Promise.resolve(null)

/** A scope: a token or a wallet, by id (both null: all events), and one type (null: all). */
interface Scope {
  tokenId: number | null
  walletId: number | null
  type: EventType | null
}

export const toHistoryScope = ({ tokenId, walletId, type }: Scope): HistoryScope => ({
  of: tokenId !== null ? 'token' : walletId !== null ? 'wallet' : 'all',
  id: tokenId ?? walletId ?? 0,
  type: type === null ? null : EVENT_TYPE_ID[type],
})

/** Rows of the history, selected as from the table, newest first. */
export async function selectOld<Row extends object>(
  reading: Reading,
  history: OpenHistory,
  events: readonly OldEvent[],
  { name, columns, joins }: { name: string; columns: string; joins: string },
): Promise<Row[]> {
  if (events.length === 0) return []
  return reading.query<Row>({
    name,
    text: `SELECT ${columns} FROM ${rowsIn(1)} e ${joins} ORDER BY e.n DESC`,
    values: [toRows(await addHashes(history, events))],
  })
}
