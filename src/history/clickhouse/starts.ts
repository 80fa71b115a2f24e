// Finds where a time, a place or a type's number is among the running numbers. The table of blocks has few rows.
import type { HistoryPlace, HistoryReader, HistoryScope, HistoryStart, Segment } from '../history.ts'
import { whole } from '../numbers.ts'
import type { StoredRow } from './connection.ts'
import { type HistoryTable, NEWEST_OF_TYPE } from './tables.ts'

/** The rows of a table in these segments. */
export type Select = (
  table: HistoryTable,
  segments: readonly Segment[],
  columns: string,
  where: string,
) => Promise<StoredRow[]>

/** The table and the column of a scope's numbers, and the condition on its rows. */
export function pointersOf({ of, id, type }: HistoryScope): {
  table: 'token' | 'wallet'
  column: string
  where: string
} {
  const hasType = type === null ? '' : ` AND type = ${whole(type)}`
  return of === 'token'
    ? { table: 'token', column: type === null ? 'token_n' : 'token_type_n', where: `token_id = ${whole(id)}${hasType}` }
    : { table: 'wallet', column: type === null ? 'number' : 'type_number', where: `reader_id = ${whole(id)}${hasType}` }
}

const newestOfType = (type: number): string => {
  const column = NEWEST_OF_TYPE[type - 1]
  if (column === undefined) throw new TypeError(`${type} is not a type of events`)
  return column
}

type One = (...asked: Parameters<Select>) => Promise<StoredRow>

const numberIn = (row: StoredRow, name = 'found'): number => Number(row[name] ?? 0)

/** Finds the newest event of all up to a time or a place. */
function createNewest(one: One) {
  const findNewestByTime = async (segments: readonly Segment[], time: Date): Promise<number> => {
    const asked = segments.filter(({ firstTime }) => firstTime <= time).slice(-1)
    const us = BigInt(time.getTime()) * 1_000n
    return numberIn(await one('block', asked, 'max(last_n) AS found', `time <= ${us}`))
  }

  const findNewestByPlace = async (segments: readonly Segment[], [block, log, part]: HistoryPlace): Promise<number> => {
    const asked = segments.filter(({ firstBlock }) => firstBlock <= block).slice(-1)
    const ends = `maxIf(last_n, block_number < ${whole(block)}) AS before, maxIf(last_n, block_number = ${whole(block)}) AS found`
    const row = await one('block', asked, ends, `block_number <= ${whole(block)}`)
    const [before, last] = [Math.max(numberIn(row, 'before'), (asked[0]?.firstN ?? 1) - 1), numberIn(row)]
    if (last === 0) return before
    // The column is one more than the part, and zero stands for part 0 too.
    const isNotAfter = `(log_index < ${whole(log)} OR log_index = ${whole(log)} AND greatest(part, 1) <= ${whole(part)} + 1)`
    const within = `n > ${whole(before)} AND n <= ${whole(last)} AND ${isNotAfter}`
    return Math.max(before, numberIn(await one('event', asked, 'max(n) AS found', within)))
  }

  /** The running number of the newest event of all that is not after the time or the place; 0: every event is. */
  return (segments: readonly Segment[], target: Date | HistoryPlace): Promise<number> =>
    target instanceof Date ? findNewestByTime(segments, target) : findNewestByPlace(segments, target)
}

/** Finds numbers of one type among all events. */
function createTypeNumbers(one: One) {
  /** The newest number of a type up to a running number; 0: there is none. */
  const findNewestOfType = async (segments: readonly Segment[], type: number, newest: number): Promise<number> => {
    const [asked, column] = [segments.filter(({ firstN }) => firstN <= newest), newestOfType(type)]
    const row = await one('block', asked, `max(last_n) AS n, max(${column}) AS found`, `last_n <= ${whole(newest)}`)
    const within = `n > ${whole(numberIn(row, 'n'))} AND n <= ${whole(newest)} AND type = ${whole(type)}`
    const rest = await one('event', asked.slice(-1), 'max(type_n) AS found', within)
    return Math.max(numberIn(row), numberIn(rest))
  }

  const findOldestOfType = async (segments: readonly Segment[], type: number): Promise<number> => {
    const column = newestOfType(type)
    const row = await one('block', segments, 'min(first_n) AS least, min(last_n) AS most', `${column} > 0`)
    const within = `n >= ${whole(numberIn(row, 'least'))} AND n <= ${whole(numberIn(row, 'most'))} AND type = ${whole(type)}`
    return numberIn(await one('event', segments, 'min(type_n) AS found', within))
  }

  /** Running numbers between which the numbers of a type are: `above` is excluded. */
  const findTypeRange = async (segments: readonly Segment[], type: number, above: number, below: number) => {
    const column = newestOfType(type)
    const ends = `maxIf(last_n, ${column} <= ${whole(above)}) AS least, minIf(last_n, ${column} >= ${whole(below)}) AS most`
    const row = await one('block', segments, ends, `${column} > 0`)
    return { above: numberIn(row, 'least'), below: numberIn(row, 'most') || (segments.at(-1)?.lastN ?? 0) }
  }

  return { findNewestOfType, findOldestOfType, findTypeRange }
}

export function createClickHouseStarts(select: Select) {
  const one: One = async (...asked) => (await select(...asked))[0] ?? {}
  const findNewest = createNewest(one)
  const { findNewestOfType, findOldestOfType, findTypeRange } = createTypeNumbers(one)

  const findInScope = async (segments: readonly Segment[], start: HistoryStart, newest: number): Promise<number> => {
    const { of, type, below } = start
    if (of === 'all') {
      if (type === null) return Math.min(newest, below)
      const found = Math.min(await findNewestOfType(segments, type, newest), below)
      const oldest = found > 0 ? 0 : await findOldestOfType(segments, type)
      return found > 0 ? found : oldest > 0 && oldest <= below ? oldest - 1 : below
    }
    const { table, column, where } = pointersOf(start)
    const scope = `${where} AND ${column} <= ${whole(below)}`
    const before = segments.filter(({ firstN }) => firstN <= newest)
    const found = numberIn(await one(table, before, `max(${column}) AS found`, `${scope} AND n <= ${whole(newest)}`))
    if (found > 0) return found
    const oldest = numberIn(await one(table, segments, `min(${column}) AS found`, scope))
    return oldest > 0 ? oldest - 1 : below
  }

  const findStarts: HistoryReader['findStarts'] = (segments, starts) =>
    Promise.all(
      starts.map(async (start) => {
        if (segments.length === 0) return start.below
        const targets = [start.since, start.after].filter((target) => target !== null)
        const newest = await Promise.all(targets.map((target) => findNewest(segments, target)))
        return findInScope(segments, start, Math.max(0, ...newest))
      }),
    )

  return { findStarts, findNewest, findTypeRange }
}
