// Numbers of two servers beside each other. Assay prints a number with the digits that its unit has (`src/graph/schema/digits.ts`); the
// yardstick's are as PostgreSQL has them.

/** Decimals of the fields with a fixed number of them, by the end of the field's name. */
const DECIMALS: Readonly<Record<string, number>> = { hours: 4, usd: 6, score: 12 }

/** Significant digits of all others, by how the field's name ends. */
const DIGITS: Readonly<Record<string, number>> = { quantity: 15 }
const MOST_HAVE = 9

/** The least by which two printed numbers of this size can differ. */
function lastDigit(field: string, size: number): number {
  const end = field.slice(field.lastIndexOf('_') + 1)
  // A price is in dollars for each token, which has significant digits.
  const decimals = field.endsWith('price_usd') ? undefined : DECIMALS[end]
  if (decimals !== undefined) return 10 ** -decimals
  return 10 ** (Math.floor(Math.log10(size || 1)) + 1 - (DIGITS[end] ?? MOST_HAVE))
}

/** Whether the number, printed as the field is, could be the printed one: they differ by half of the last digit, and what doubles lose. */
export function isPrintedAs(field: string, exact: number, printed: number): boolean {
  const size = Math.abs(exact)
  return exact === printed || Math.abs(exact - printed) <= 0.51 * lastDigit(field, size) + 4 * Number.EPSILON * size
}

/** The value with each number that is printed as the one in the same place of `of` replaced by that. */
export function asPrinted(value: unknown, of: unknown, field = ''): unknown {
  if (typeof value === 'number') return typeof of === 'number' && isPrintedAs(field, value, of) ? of : value
  if (typeof value !== 'object' || value === null || typeof of !== 'object' || of === null) return value
  if (Array.isArray(value))
    return value.map((item, at) => asPrinted(item, Array.isArray(of) ? of[at] : undefined, field))
  const fields = of as Record<string, unknown>
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asPrinted(item, fields[name], name)]))
}
