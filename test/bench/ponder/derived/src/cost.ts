// Average cost of a position: what was bought, what was sold of it, and the profit on what has a known cost.

interface Basis {
  costQuantity: number
  costUsd: number
}

/** Differences below this share of a quantity are rounding. */
const ROUNDING = 1e-12

/** What is left of the cost when so much leaves, and what that had cost. */
export function takeCost({ costQuantity, costUsd }: Basis, quantity: number) {
  if (!(quantity > 0)) return { costQuantity, costUsd, cost: 0 }
  const left = costQuantity - quantity
  if (left <= costQuantity * ROUNDING) return { costQuantity: 0, costUsd: 0, cost: costUsd }
  const cost = costUsd * (quantity / costQuantity)
  return { costQuantity: left, costUsd: costUsd - cost, cost }
}

/** The cost of what is still held. */
export function shrink(basis: Basis, held: number) {
  const { costQuantity, costUsd } = takeCost(basis, basis.costQuantity - held)
  return { costQuantity, costUsd }
}
