// The prices of the board's units at a block, by their indexes in the columns. Finds the rows whose unit's price moved.
// Pure.
import { uint16At } from '../base/item-at.ts'
import { toUsdByUnit, type UnitPrices } from '../base/present.ts'
import type { BoardColumns } from './columns.ts'

/** Dollars by the index of the unit; 1 at index 0, which stands for dollars. */
export type UnitUsd = Float64Array

export const NO_UNIT_USD: UnitUsd = Float64Array.of(1)

/** `units`: the tokens at the indexes. */
export function usdByPlace(units: readonly number[], prices: UnitPrices): UnitUsd {
  const usd = toUsdByUnit(prices)
  return Float64Array.from(units, (unit) => (unit === 0 ? 1 : (usd.get(unit) ?? 0)))
}

/** 1 at the index of each unit whose price changed; null: none did. */
export function movedPlaces(before: UnitUsd, now: UnitUsd): Uint8Array | null {
  const moved = Uint8Array.from({ length: Math.max(before.length, now.length) }, (_, place) =>
    Number((before[place] ?? 0) !== (now[place] ?? 0)),
  )
  return moved.includes(1) ? moved : null
}

/** The rows in a moved unit; null: more than `most`. */
export function rowsOfMoved({ unit }: BoardColumns, end: number, moved: Uint8Array, most: number): number[] | null {
  const rows: number[] = []
  for (let row = 0; row < end; row += 1) {
    if (moved[uint16At(unit, row)] !== 1) continue
    if (rows.length === most) return null
    rows.push(row)
  }
  return rows
}
