// Converts stored prices to dollars. A price in the native coin or in a hub is stored in that unit. Each read
// multiplies it, so that it moves with its quote between trades. Every other price is stored in dollars.
// `src/ledger/present.ts` has the same arithmetic in SQL, to the last digit. Pure.

/**
 * The prices of the units at a block: tokens by identifier, and dollars of a whole one of each. Any other unit has no
 * price.
 */
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

/** The units whose price has changed. */
export function movedUnits(before: UsdByUnit, now: UsdByUnit): ReadonlySet<number> {
  const moved = [...before.keys(), ...now.keys()].filter((unit) => (before.get(unit) ?? 0) !== (now.get(unit) ?? 0))
  return new Set(moved)
}

/** A market cap in stored form: in whole tokens of a unit, or in dollars if the unit is 0. */
export interface KeptCap {
  marketCap: number
  unit: number
}

/** The market cap in USD, in whole micro-dollars. */
export const presentCap = ({ marketCap, unit }: KeptCap, usd: UsdByUnit): number =>
  unit === 0 ? marketCap : capIn(marketCap, usd.get(unit) ?? 0)

/** As above, for a cap in a unit with this price. */
export const capIn = (marketCap: number, unitUsd: number): number =>
  Math.min(Math.floor(marketCap * unitUsd * 1e6 + 0.5) / 1e6, 1e15)
