// Reads events by their numbers: ranges of a scope, single events, and the hashes of their transactions.

import type { HistoryReader, OldEvent, OldRange, Segment } from '../history.ts'
import { byChunk, isOneOf, toInstant } from '../numbers.ts'
import type { EngineRow } from './engine.ts'
import type { Files } from './files.ts'
import { EVENT_FIELDS, inRange, placeOfScope } from './sql.ts'

export function createEventsReader({
  ask,
  of,
}: Files): Pick<HistoryReader, 'readRanges' | 'readNumbers' | 'readHashes'> {
  const readRange = async (segments: readonly Segment[], range: OldRange): Promise<OldEvent[]> => {
    if (range.above >= range.below) return []
    const { file, column } = placeOfScope(range)
    const isOfAll = file === 'events' && column === 'n'
    const asked = isOfAll
      ? segments.filter(({ firstN, lastN }) => firstN <= range.below && lastN > range.above)
      : segments
    if (asked.length === 0) return []
    const rows = await ask(`SELECT ${EVENT_FIELDS} FROM ${of(asked, file)} WHERE ${inRange(range)} ORDER BY n DESC`)
    return rows.map(toOldEvent)
  }
  return {
    readRanges: (segments, ranges) => Promise.all(ranges.map((range) => readRange(segments, range))),
    readNumbers: async (segments, ns) => {
      const lists = await Promise.all(
        byChunk(segments, ns).map(({ among, numbers }) =>
          ask(`SELECT ${EVENT_FIELDS} FROM ${of(among, 'events')} WHERE ${isOneOf(numbers)}`),
        ),
      )
      return lists.flat().map(toOldEvent)
    },
    readHashes: async (segments, ns) => {
      const lists = await Promise.all(
        byChunk(segments, ns).map(({ among, numbers }) =>
          ask(`SELECT n::DOUBLE AS n, hex(tx_hash) AS hash FROM ${of(among, 'hashes')} WHERE ${isOneOf(numbers)}`),
        ),
      )
      return new Map(lists.flat().map(({ n, hash }) => [n as number, hash as string]))
    },
  }
}

/** The row of DuckDB in the form of the table `event`. */
export function toOldEvent(row: EngineRow): OldEvent {
  return { ...row, time: toInstant(row.time as number) } as unknown as OldEvent
}
