// The track record: what became of tokens after their level was said, summed over the newest weeks.
import type { pg } from '../../database/client.ts'
import { RECORD_WEEKS, type RecordSum } from '../../verdict/track-record.ts'
import type { Reading, SelectText } from './consistent-read.ts'

export interface TrackRecord {
  /** Null: no week was judged. */
  judgedUntil: Date | null
  sums: RecordSum[]
}

const RECORD: SelectText = `SELECT horizon_days AS "horizonDays", age_hours AS "ageHours", level, sum(tokens)::int AS tokens,
    sum(pulled)::int AS pulled, sum(priced)::int AS priced, sum(lost)::int AS lost, sum(sellable)::int AS sellable,
    sum(unsellable)::int AS unsellable
  FROM track_record WHERE week_end > (SELECT judged_until FROM chain) - ${RECORD_WEEKS} * interval '7 days'
  GROUP BY horizon_days, age_hours, level ORDER BY horizon_days, age_hours, level`
const UNTIL: SelectText = 'SELECT judged_until AS "judgedUntil" FROM chain'

/** The newest weeks together. */
export async function readTrackRecord(reading: Pick<Reading, 'query'>): Promise<TrackRecord> {
  const [[state], sums] = await Promise.all([
    reading.query<{ judgedUntil: Date | null }>({ name: 'track record until', text: UNTIL }),
    reading.query<RecordSum>({ name: 'track record', text: RECORD }),
  ])
  return { judgedUntil: state?.judgedUntil ?? null, sums }
}

/** For a process that has no `Reading`. */
export async function readRecordSums(pool: Pick<pg.Pool, 'query'>): Promise<RecordSum[]> {
  return (await pool.query<RecordSum>(RECORD)).rows
}
