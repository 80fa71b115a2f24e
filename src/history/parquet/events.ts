// Reads events by their numbers: ranges of a scope, single events, and the hashes of their transactions.

import type { HistoryReader, OldEvent, OldRange, Segment } from '../history.ts'
import { byChunk, isOneOf } from '../numbers.ts'
import { wantOf } from './orders.ts'
import type { SegmentReading } from './reading.ts'
import { EVENT_FIELDS, inRange } from './sql.ts'

export function createEventsReader({
  askEvents,
  readHashes,
}: SegmentReading): Pick<HistoryReader, 'readRanges' | 'readNumbers' | 'readHashes'> {
  const readRange = async (segments: readonly Segment[], range: OldRange): Promise<OldEvent[]> => {
    if (range.above >= range.below) return []
    const { order, condition, wanted } = inRange(range)
    return askEvents(
      { segments, order, wanted },
      (from) => `SELECT ${EVENT_FIELDS} FROM ${from} WHERE ${condition} ORDER BY n DESC`,
    )
  }
  return {
    readRanges: (segments, ranges) => Promise.all(ranges.map((range) => readRange(segments, range))),
    readNumbers: async (segments, ns) => {
      const lists = await Promise.all(
        byChunk(segments, ns).map(({ among, numbers }) =>
          askEvents(
            { segments: among, order: 'events', wanted: wantOf('n', numbers) },
            (from) => `SELECT ${EVENT_FIELDS} FROM ${from} WHERE ${isOneOf(numbers)}`,
          ),
        ),
      )
      return lists.flat()
    },
    readHashes: async (segments, ns) => {
      const sorted = [...new Set(ns)].sort((a, b) => a - b)
      const found = await Promise.all(
        segments.map((segment) => {
          const own = sorted.filter((n) => segment.firstN <= n && n <= segment.lastN)
          return own.length > 0 ? readHashes(segment, own) : new Map<number, string>()
        }),
      )
      return new Map(found.flatMap((each) => [...each]))
    },
  }
}
