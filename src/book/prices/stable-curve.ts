// The price of a pair on Solidly's stable curve x^3 y + y^3 x = k. Source: github.com/andrecronje/solidly, BaseV1-core.sol.

/** The price of a small amount of X in Y, at whole-token reserves; 0 if a side is empty. */
export function stablePrice(x: number, y: number): number {
  if (x <= 0 || y <= 0) return 0
  // -dy/dx of the curve, by its partial derivatives.
  return (3 * x * x * y + y ** 3) / (x ** 3 + 3 * y * y * x)
}
