// Average cost of a position: the bought and sold amounts, and the profit on the part with a known cost.

interface Basis {
  costQuantity: number
  costUsd: number
}

/** Differences below this share of a quantity are rounding errors. */
const ROUNDING = 1e-12

/** The remaining cost after a quantity leaves, and the cost of that quantity. */
export function takeCost({ costQuantity, costUsd }: Basis, quantity: number) {
  if (!(quantity > 0)) return { costQuantity, costUsd, cost: 0 }
  const left = costQuantity - quantity
  if (left <= costQuantity * ROUNDING) return { costQuantity: 0, costUsd: 0, cost: costUsd }
  const cost = costUsd * (quantity / costQuantity)
  return { costQuantity: left, costUsd: costUsd - cost, cost }
}

/** The cost of the remaining holding. */
export function shrink(basis: Basis, held: number) {
  const { costQuantity, costUsd } = takeCost(basis, basis.costQuantity - held)
  return { costQuantity, costUsd }
}
