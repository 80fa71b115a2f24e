// The exported table `events`: swaps, changes of liquidity and transfers of final blocks, in the order of the chain.
import { StartupError } from '../base/errors.ts'
import type { Reader } from '../database/column-query.ts'
import { EVENT_ROWS } from '../fields/event.ts'
import { POOL_ADDRESS } from '../ledger/pool-address.ts'
import { attachHistoryOn } from '../ledger/segments.ts'
import { columnsOfNoun } from './column.ts'
import { findFirst } from './find-first.ts'
import type { ExportedTable, RowSource, TimeRange } from './table.ts'

const COLUMNS = columnsOfNoun(EVENT_ROWS, {
  poolAddress: `(SELECT ${POOL_ADDRESS} FROM pool WHERE pool.id = e.pool_id)`,
})

const TIME_OF = `SELECT n AS key, time FROM event WHERE n >= $1 ORDER BY n LIMIT 1`

/** The number of the first event that is not before the time. */
async function findFirstEvent({ reader, history: store }: RowSource, time: Date): Promise<number> {
  const history = await attachHistoryOn(reader, store)
  const last = history?.segments.at(-1)
  if (!history || !last || time > last.lastTime) return findFirst(reader, TIME_OF, time)
  // A start in time is excluded.
  const since = new Date(time.getTime() - 1)
  const start = { of: 'all' as const, id: 0, type: null, below: last.lastN, since, after: null }
  const [before = 0] = await history.store.findStarts(history.segments, [start])
  return before + 1
}

/** Throws if events of the range were deleted to save room: its file would lack them without a word. */
async function requireKept(reader: Reader, { from }: TimeRange): Promise<void> {
  const { rows } = await reader.query<{ since: Date | null }>('SELECT events_since AS since FROM chain')
  const since = rows[0]?.since
  if (since && since > from)
    throw new StartupError(
      `Events before ${since.toISOString()} were deleted during the export: run the same command again.`,
    )
}

const JOINED = 'e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id'

export const EVENT_TABLE: ExportedTable = {
  columns: COLUMNS,
  source: `event ${JOINED}`,
  olderSource: JOINED,
  range: 'e.n >= $1 AND e.n < $2',
  key: ['e.n'],
  history: {
    periodSeconds: 1,
    findOldest: async (reader) => {
      const { rows } = await reader.query<{ time: Date }>(
        `SELECT coalesce((SELECT events_since FROM chain), (SELECT min(first_time) FROM history_segment), e.time) AS time
          FROM event e ORDER BY n LIMIT 1`,
      )
      return rows[0]?.time ?? null
    },
    findBounds: async (source, span) => {
      await requireKept(source.reader, span)
      return [await findFirstEvent(source, span.from), await findFirstEvent(source, span.to)]
    },
  },
}
