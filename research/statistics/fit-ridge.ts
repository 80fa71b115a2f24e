// Fits a logistic regression with an L2 penalty and bounds. Each Newton step minimises a quadratic by coordinate descent
// (Friedman et al. 2010). There is no randomness: the same rows give the same coefficients.

export interface RidgeColumn {
  /** One value per row; 0 if unknown. */
  values: Float64Array
  low: number
  high: number
}

export interface RidgeRows {
  positive: readonly boolean[]
  weights: Float64Array
}

const NEWTON_STEPS = 20
const SWEEPS = 6
const HALVINGS = 20
/** The fit stops after a step that lowers the loss by less than this share. */
const CONVERGED = 1e-5
/** The least curvature of a row; it would be almost 0 for rows that the model is sure about. */
const MIN_CURVE = 1e-3

/** Returns the intercept and one coefficient per column. `l2` weighs the squared coefficients. */
export function fitRidge(
  columns: readonly RidgeColumn[],
  rows: RidgeRows,
  l2: number,
): { intercept: number; coefficients: number[] } {
  const count = rows.weights.length
  const coefficients = columns.map(({ low, high }) => Math.min(high, Math.max(low, 0)))
  const odds = new Float64Array(count)
  for (const [at, { values }] of columns.entries()) addTo(odds, values, coefficients[at] ?? 0)
  let intercept = 0
  let loss = lossOf(odds, rows, coefficients, l2)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { curve, rest } = linearise(odds, rows)
    const start = { odds: Float64Array.from(odds), coefficients: [...coefficients], intercept }
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      intercept += moveIntercept(odds, curve, rest)
      columns.forEach((column, at) => {
        coefficients[at] = move(column, coefficients[at] ?? 0, l2, curve, rest, odds)
      })
    }
    let next = lossOf(odds, rows, coefficients, l2)
    // A full step may overshoot for rows that the model is sure about, so it is halved until the loss falls.
    for (let halving = 0; next > loss && halving < HALVINGS; halving++) {
      for (let row = 0; row < count; row++) odds[row] = middle(odds[row], start.odds[row])
      for (let at = 0; at < coefficients.length; at++)
        coefficients[at] = middle(coefficients[at], start.coefficients[at])
      intercept = middle(intercept, start.intercept)
      next = lossOf(odds, rows, coefficients, l2)
    }
    if (loss - next < CONVERGED * loss) break
    loss = next
  }
  return { intercept, coefficients }
}

const middle = (one = 0, other = 0): number => (one + other) / 2

function lossOf(
  odds: Float64Array,
  { positive, weights }: RidgeRows,
  coefficients: readonly number[],
  l2: number,
): number {
  let loss = 0
  for (let row = 0; row < odds.length; row++) {
    const away = positive[row] ? -(odds[row] as number) : (odds[row] as number)
    loss += (weights[row] as number) * (Math.max(away, 0) + Math.log1p(Math.exp(-Math.abs(away))))
  }
  for (const coefficient of coefficients) loss += (l2 / 2) * coefficient ** 2
  return loss
}

/** Newton's quadratic around the current log-odds: for each row the curvature, and the distance to the row's optimum. */
function linearise(odds: Float64Array, { positive, weights }: RidgeRows) {
  const curve = new Float64Array(odds.length)
  const rest = new Float64Array(odds.length)
  for (let row = 0; row < odds.length; row++) {
    const chance = 1 / (1 + Math.exp(-(odds[row] ?? 0)))
    const bend = Math.max(MIN_CURVE, chance * (1 - chance))
    curve[row] = (weights[row] ?? 0) * bend
    rest[row] = ((positive[row] ? 1 : 0) - chance) / bend
  }
  return { curve, rest }
}

function moveIntercept(odds: Float64Array, curve: Float64Array, rest: Float64Array): number {
  let [slope, bend] = [0, 0]
  for (let row = 0; row < rest.length; row++) {
    slope += (curve[row] as number) * (rest[row] as number)
    bend += curve[row] as number
  }
  const change = slope / bend
  for (let row = 0; row < rest.length; row++) {
    rest[row] = (rest[row] as number) - change
    odds[row] = (odds[row] as number) + change
  }
  return change
}

function move(
  column: RidgeColumn,
  now: number,
  l2: number,
  curve: Float64Array,
  rest: Float64Array,
  odds: Float64Array,
): number {
  const { values, low, high } = column
  let slope = -l2 * now
  let bend = l2
  for (let row = 0; row < values.length; row++) {
    const value = values[row] as number
    if (value === 0) continue
    const weighed = (curve[row] as number) * value
    slope += weighed * (rest[row] as number)
    bend += weighed * value
  }
  const next = Math.min(high, Math.max(low, now + slope / bend))
  const change = next - now
  if (change !== 0) {
    for (let row = 0; row < values.length; row++) {
      const moved = change * (values[row] as number)
      rest[row] = (rest[row] as number) - moved
      odds[row] = (odds[row] as number) + moved
    }
  }
  return next
}

function addTo(odds: Float64Array, values: Float64Array, factor: number): void {
  for (let row = 0; row < odds.length; row++) odds[row] = (odds[row] as number) + factor * (values[row] as number)
}
