// Finds where a time or a place is among a scope's numbers.
import type { HistoryReader, HistoryStart, Segment } from '../history.ts'
import { whole } from '../numbers.ts'
import { type Newest, targetOfPlace, targetOfTime } from './newest.ts'
import type { SegmentReading } from './reading.ts'
import { placeOfScope } from './sql.ts'

export function createStarts(
  { ask }: Pick<SegmentReading, 'ask'>,
  { findNewest }: Newest,
): Pick<HistoryReader, 'findStarts'> {
  const findStart = async (segments: readonly Segment[], start: HistoryStart): Promise<number> => {
    const { since, after, below } = start
    const targets = [...(since ? [targetOfTime(since)] : []), ...(after ? [targetOfPlace(after)] : [])]
    const newest = Math.max(0, ...(await Promise.all(targets.map((target) => findNewest(segments, target)))))
    const { order, column, where, owner: wanted } = placeOfScope(start)
    if (column === 'n') return Math.min(newest, below)
    const scope = `${where} AND ${column} <= ${whole(below)}`
    const [found] = await ask(
      { segments: segments.filter(({ firstN }) => firstN <= newest), order, wanted },
      (from) => `SELECT max(${column})::DOUBLE AS n FROM ${from} WHERE ${scope} AND n <= ${whole(newest)}`,
    )
    if (typeof found?.n === 'number') return found.n
    const [oldest] = await ask(
      { segments, order, wanted },
      (from) => `SELECT min(${column})::DOUBLE AS n FROM ${from} WHERE ${scope}`,
    )
    return typeof oldest?.n === 'number' ? oldest.n - 1 : below
  }

  return {
    findStarts: async (segments, starts) =>
      segments.length === 0
        ? starts.map(({ below }) => below)
        : Promise.all(starts.map((start) => findStart(segments, start))),
  }
}
