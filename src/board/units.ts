// What the board's units cost at a block, by their places in the columns, and which rows a moved price moves. Pure.
import { toUsdByUnit, type UnitPrices } from '../base/present.ts'
import type { BoardColumns } from './columns.ts'

/** Dollars by the place of the unit; 1 at place 0, which stands for dollars. */
export type UnitUsd = Float64Array

export const NO_UNIT_USD: UnitUsd = Float64Array.of(1)

/** `units`: the tokens at the places. */
export function usdByPlace(units: readonly number[], prices: UnitPrices): UnitUsd {
  const usd = toUsdByUnit(prices)
  return Float64Array.from(units, (unit) => (unit === 0 ? 1 : (usd.get(unit) ?? 0)))
}

/** 1 at the place of each unit that costs something else; null: none does. */
export function movedPlaces(before: UnitUsd, now: UnitUsd): Uint8Array | null {
  const moved = Uint8Array.from({ length: Math.max(before.length, now.length) }, (_, place) =>
    Number((before[place] ?? 0) !== (now[place] ?? 0)),
  )
  return moved.includes(1) ? moved : null
}

/** The rows that are kept in a moved unit; null: more than `most`. */
export function rowsOfMoved({ unit }: BoardColumns, end: number, moved: Uint8Array, most: number): number[] | null {
  const rows: number[] = []
  for (let row = 0; row < end; row += 1) {
    if (moved[unit[row] as number] !== 1) continue
    if (rows.length === most) return null
    rows.push(row)
  }
  return rows
}
