// Finds where a time or a place is among all events. The bounds of row groups tell the group; then DuckDB reads it.
import { LRUCache } from 'lru-cache'
import type { HistoryPlace, Segment } from '../history.ts'
import { whole } from '../numbers.ts'
import type { SegmentReading } from './reading.ts'
import { notAfterPlace, notAfterTime } from './sql.ts'

/** Segments whose row groups are remembered. */
const MOST_KNOWN = 1_000

interface Group {
  firstN: number
  lastN: number
  block: number
  /** In milliseconds. */
  time: number
}

const bound = (column: string, which: 'min' | 'max') =>
  `max(stats_${which}_value) FILTER (path_in_schema = '${column}')`

/** The bounds of each row group, in order. `metadata`: what follows FROM. */
const groupsText = (metadata: string) =>
  `SELECT ${bound('n', 'min')}::DOUBLE AS "firstN", ${bound('n', 'max')}::DOUBLE AS "lastN",
    ${bound('block_number', 'min')}::INTEGER AS block, epoch_ms(${bound('time', 'min')}::TIMESTAMP)::DOUBLE AS time
  FROM ${metadata} GROUP BY file_name, row_group_id ORDER BY "firstN"`

/** Which segments and row groups may have the time or the place, and which of their events are not after it. */
interface Target {
  mayHave(segment: Segment): boolean
  mayHaveRows(group: Group): boolean
  condition: string
}

export const targetOfTime = (since: Date): Target => ({
  mayHave: ({ firstTime }) => firstTime <= since,
  mayHaveRows: ({ time }) => time <= since.getTime(),
  condition: notAfterTime(since),
})

export const targetOfPlace = (after: HistoryPlace): Target => ({
  mayHave: ({ firstBlock }) => firstBlock <= after[0],
  mayHaveRows: ({ block }) => block <= after[0],
  condition: notAfterPlace(after),
})

export interface Newest {
  /** The running number of the newest event of all that is not after the target; 0: every event is. */
  findNewest(segments: readonly Segment[], target: Target): Promise<number>
  /** The running numbers of row groups that may have events of these times, in microseconds since 1970. */
  findRows(segments: readonly Segment[], times: readonly number[]): Promise<[from: number, to: number][]>
}

export function createNewest({ ask, askBounds }: Pick<SegmentReading, 'ask' | 'askBounds'>): Newest {
  const groups = new LRUCache<string, Promise<Group[]>>({ max: MOST_KNOWN })

  const groupsOf = (segment: Segment): Promise<Group[]> => {
    const known = groups.get(segment.name)
    if (known) return known
    const reading = askBounds({ segments: [segment], order: 'events', wanted: null }, groupsText).then(
      (rows) => rows as unknown as Group[],
    )
    groups.set(segment.name, reading)
    reading.catch(() => groups.delete(segment.name))
    return reading
  }

  return {
    findNewest: async (segments, target) => {
      const segment = segments.findLast(target.mayHave)
      if (!segment) return 0
      const all = await groupsOf(segment)
      const at = all.findLastIndex(target.mayHaveRows)
      // A block may have begun in the group before.
      const [first, last] = [all[Math.max(0, at - 1)], all[at]]
      if (!first || !last) return segment.firstN - 1
      const wanted = { key: 'n', ranges: [[first.firstN, last.lastN]] as const }
      const [row] = await ask(
        { segments: [segment], order: 'events', wanted },
        (from) => `SELECT max(n)::DOUBLE AS n FROM ${from}
          WHERE n >= ${whole(first.firstN)} AND n <= ${whole(last.lastN)} AND ${target.condition}`,
      )
      return typeof row?.n === 'number' ? row.n : first.firstN - 1
    },
    findRows: async (segments, times) => {
      const ms = times.map((time) => Math.floor(time / 1_000))
      const lists = await Promise.all(segments.map(groupsOf))
      return lists.flatMap((all) =>
        all.flatMap(({ firstN, lastN, time }, at): [number, number][] => {
          const next = all[at + 1]?.time ?? Number.POSITIVE_INFINITY
          return ms.some((each) => time <= each && each <= next) ? [[firstN, lastN]] : []
        }),
      )
    },
  }
}
