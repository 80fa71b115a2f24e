// Tokens that changed between two states of the board, with what a filter reads of them: for those who follow a list. Pure.
import { float64At, int32At, uint8At, uint16At, uint32At } from '../base/item-at.ts'
import type { FilterFacts } from '../fields/to-test.ts'
import { BOUND_MEASURES } from '../fields/token.ts'
import { addressAt, type BoardColumns } from './columns.ts'
import { capAt, type Moment, measureOf } from './measure-of.ts'
import type { Part, Rows } from './rows.ts'
import type { Texts } from './texts.ts'
import { movedPlaces } from './units.ts'

/** A token that changed, as it was and as it is; null: it was not there. */
export interface BoardChange {
  address: string
  before: FilterFacts | null
  after: FilterFacts | null
}

/** What a row says. */
interface RowFacts {
  facts: FilterFacts
  /** Equal where no filter at one time could tell two rows apart. */
  key: string
}

/** Whether somebody filters by a market cap between these two. */
export type IsPassed = (before: number, now: number) => boolean

interface Changed {
  rows: Rows
  texts: Pick<Texts, 'read'>
  /** The exchanged parts since `before`, in order. */
  parts: readonly Part[]
  before: Moment
  now: Moment
  isPassed: IsPassed
}

/** Every token that changed, and every one whose market cap passed a bound because its unit moved. */
export function findChanges({ rows, texts, parts, before, now, isPassed }: Changed): BoardChange[] {
  const columns = rows.columns()
  const hasPassed = (was: number, is: number) => was !== is && isPassed(was, is)
  const readerOf = (from: BoardColumns, moment: Moment) => {
    const factsAt = createReader(from, moment)
    return (at: number, row: number): RowFacts => {
      const { symbol, name } = texts.read(row)
      return factsAt(at, { symbol, name, launchpad: rows.launchpads[uint8At(from.launchpad, at)] ?? '' })
    }
  }
  const [readBefore, readNow] = [readerOf(columns, before), readerOf(columns, now)]
  /** By token, as it was; null: it was not there. */
  const touched = new Map<number, RowFacts | null>()
  for (const { rows: exchanged, replaced } of parts) {
    const readReplaced = readerOf(replaced, before)
    for (const [at, row] of exchanged.entries()) {
      const id = int32At(replaced.id, at)
      if (id !== 0 && !touched.has(id)) touched.set(id, readReplaced(at, row))
    }
  }
  for (const { rows: exchanged } of parts)
    for (const row of exchanged) {
      const id = int32At(columns.id, row)
      if (id !== 0 && !touched.has(id)) touched.set(id, null)
    }
  const changes: BoardChange[] = []
  for (const [id, was] of touched) {
    const row = rows.rowOf(id)
    const is = row < 0 ? null : readNow(row, row)
    const isSame = was?.key === is?.key
    if (isSame && !hasPassed(was?.facts.marketCapUsd ?? 0, is?.facts.marketCapUsd ?? 0)) continue
    const [old, after] = [was?.facts ?? null, is?.facts ?? null]
    // After a reorganisation another token may have the identifier.
    const isOther = old && after && old.address !== after.address
    if (isOther) changes.push({ address: old.address, before: old, after: null })
    const { address } = after ?? old ?? {}
    if (address) changes.push({ address, before: isOther ? null : old, after })
  }
  const moved = movedPlaces(before.unitUsd, now.unitUsd)
  for (let row = 0; moved && row < rows.end(); row += 1) {
    const [id, unit, cap] = [int32At(columns.id, row), uint16At(columns.unit, row), float64At(columns.marketCap, row)]
    if (moved[unit] !== 1 || id === 0 || touched.has(id)) continue
    if (!hasPassed(capAt(cap, unit, before.unitUsd), capAt(cap, unit, now.unitUsd))) continue
    const [{ facts: was }, { facts: is }] = [readBefore(row, row), readNow(row, row)]
    changes.push({ address: is.address, before: was, after: is })
  }
  return changes
}

/** Returns the reader of the facts of a row. */
function createReader(columns: BoardColumns, moment: Moment) {
  const readers = BOUND_MEASURES.map((measure) => [measure, measureOf(columns, measure, moment)] as const)
  return (at: number, texts: Pick<FilterFacts, 'symbol' | 'name' | 'launchpad'>): RowFacts => {
    const facts = {
      ...texts,
      address: addressAt(columns, at),
      flagBits: uint8At(columns.flagBits, at),
      confidence: uint8At(columns.confidence, at),
      contractMarks: uint32At(columns.contractMarks, at),
      ...(Object.fromEntries(readers.map(([measure, of]) => [measure, of(at)])) as Pick<
        FilterFacts,
        (typeof BOUND_MEASURES)[number]
      >),
    }
    // Age and market cap follow from these columns and the moment.
    const { ageHours: _, marketCapUsd: __, ...stored } = facts
    return { facts, key: JSON.stringify([stored, columns.createdAt[at], columns.marketCap[at], columns.unit[at]]) }
  }
}
