// Tokens that changed between two states of the board, with what a filter reads of them: for those who follow a list. Pure.
import type { ScreenFacts } from '../base/screen-match.ts'
import { CONFIDENCES, RISK_FLAGS } from '../base/vocabulary.ts'
import { ADDRESS_BYTES, type BoardColumns, CREATED_MS, countReader } from './columns.ts'
import { capAt, capOf, type Moment, measureOf } from './measure-of.ts'
import type { Part, Rows } from './rows.ts'
import type { Texts } from './texts.ts'
import { movedPlaces } from './units.ts'

/** A token that changed, as it was and as it is; null: it was not there. */
export interface BoardChange {
  address: string
  before: ScreenFacts | null
  after: ScreenFacts | null
}

/** What a row says. */
interface RowFacts {
  facts: ScreenFacts
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
  const read = (from: BoardColumns, at: number, row: number, moment: Moment): RowFacts => {
    const { symbol, name } = texts.read(row)
    const launchpad = rows.launchpads[from.launchpad[at] as number] ?? ''
    return factsOf(from, at, moment, { symbol, name, launchpad })
  }
  /** By token, as it was; null: it was not there. */
  const touched = new Map<number, RowFacts | null>()
  for (const { rows: exchanged, replaced } of parts)
    for (const [at, row] of exchanged.entries()) {
      const id = replaced.id[at] as number
      if (id !== 0 && !touched.has(id)) touched.set(id, read(replaced, at, row, before))
    }
  for (const { rows: exchanged } of parts)
    for (const row of exchanged) {
      const id = columns.id[row] as number
      if (id !== 0 && !touched.has(id)) touched.set(id, null)
    }
  const changes: BoardChange[] = []
  for (const [id, was] of touched) {
    const row = rows.rowOf(id)
    const is = row < 0 ? null : read(columns, row, row, now)
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
    const [id, unit, cap] = [columns.id[row] as number, columns.unit[row] as number, columns.marketCap[row] as number]
    if (moved[unit] !== 1 || id === 0 || touched.has(id)) continue
    if (!hasPassed(capAt(cap, unit, before.unitUsd), capAt(cap, unit, now.unitUsd))) continue
    const [{ facts: was }, { facts: is }] = [read(columns, row, row, before), read(columns, row, row, now)]
    changes.push({ address: is.address, before: was, after: is })
  }
  return changes
}

function factsOf(
  columns: BoardColumns,
  at: number,
  moment: Moment,
  texts: Pick<ScreenFacts, 'symbol' | 'name' | 'launchpad'>,
): RowFacts {
  const bits = columns.flagBits[at] as number
  const stored = {
    ...texts,
    address: `0x${Buffer.from(columns.address.subarray(at * ADDRESS_BYTES, (at + 1) * ADDRESS_BYTES)).toString('hex')}`,
    confidence: CONFIDENCES[columns.confidence[at] as number] ?? 'low',
    riskFlags: RISK_FLAGS.filter((_, bit) => bits & (1 << bit)),
    contractMarks: columns.contractMarks[at] as number,
    liquidityUsd: columns.liquidityUsd[at] as number,
    volume24hUsd: columns.volume24hUsd[at] as number,
    riskScore: measureOf(columns, 'riskScore', moment)(at),
    holderCount: countReader(columns, 'holderCount')(at),
    fundedHolderCount: countReader(columns, 'fundedHolderCount')(at),
    fundedHolderCount1hAgo: countReader(columns, 'fundedHolderCount1hAgo')(at),
    createdAtMs: CREATED_MS * (columns.createdAt[at] as number),
  }
  return {
    facts: { ...stored, marketCapUsd: capOf(columns, at, moment.unitUsd), nowMs: moment.timeMs },
    key: JSON.stringify([stored, columns.marketCap[at], columns.unit[at]]),
  }
}
