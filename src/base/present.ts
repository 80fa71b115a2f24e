// Values at the price that their unit has now. What is quoted in the native coin or in a hub is kept in that, and multiplied when it is
// read, so that it moves with its quote while it does not trade itself. Everything else is kept in dollars. `src/ledger/present.ts`
// has the same arithmetic in SQL, to the last digit. Pure.

/** What the units cost at a block: tokens by identifier, and dollars of a whole one of each. A unit that is not among them has no price. */
export interface UnitPrices {
  ids: readonly number[]
  usd: readonly number[]
}

/** Dollars by unit. */
export type UsdByUnit = ReadonlyMap<number, number>

/** No units: everything is in dollars. */
export const NO_UNITS: UnitPrices = { ids: [], usd: [] }

export const toUsdByUnit = ({ ids, usd }: UnitPrices): UsdByUnit =>
  new Map(ids.map((id, place) => [id, usd[place] ?? 0]))

/** The units that cost something else. */
export function movedUnits(before: UsdByUnit, now: UsdByUnit): ReadonlySet<number> {
  const moved = [...before.keys(), ...now.keys()].filter((unit) => (before.get(unit) ?? 0) !== (now.get(unit) ?? 0))
  return new Set(moved)
}

/** A market cap as it is kept: in whole tokens of a unit, or in dollars where that is 0. */
export interface KeptCap {
  marketCap: number
  unit: number
}

/** The market cap in USD, in whole micro-dollars. */
export const presentCap = ({ marketCap, unit }: KeptCap, usd: UsdByUnit): number =>
  unit === 0 ? marketCap : capIn(marketCap, usd.get(unit) ?? 0)

/** The same of a cap that is kept in a unit, which costs so much. */
export const capIn = (marketCap: number, unitUsd: number): number =>
  Math.min(Math.floor(marketCap * unitUsd * 1e6 + 0.5) / 1e6, 1e15)
