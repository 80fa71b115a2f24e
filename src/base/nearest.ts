// Finds the known name that a misspelt one means. Pure.

/** Shorter prefixes match too many names. */
const SHORTEST_WORD = 3

/** How near a candidate is: it begins like the name (0), has its words (1), or has similar letters (2). */
export type Nearness = 0 | 1 | 2

/** `token_address` and `tokenAddress` have the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

export function nearnessOf(name: string, candidate: string): Nearness {
  if (name.length >= SHORTEST_WORD && candidate.toLowerCase().startsWith(name.toLowerCase())) return 0
  const words = wordsOf(name).filter((word) => word.length >= SHORTEST_WORD)
  const own = wordsOf(candidate)
  const isShared = words.length > 0 && words.every((word) => own.some((part) => part.startsWith(word)))
  return isShared ? 1 : 2
}

/** Pairs of words with opposite meanings. */
const OPPOSITES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['min', 'minimum', 'least', 'from', 'since', 'after', 'above'],
    ['max', 'maximum', 'most', 'to', 'until', 'before', 'below'],
  ],
  [
    ['include', 'with', 'only', 'has'],
    ['exclude', 'without', 'not', 'no'],
  ],
  [
    ['add', 'create', 'buy', 'asc', 'first'],
    ['remove', 'delete', 'sell', 'desc', 'last'],
  ],
]

/** Whether one name has a word, and the other its opposite: `min_risk_score` and `max_risk_score`. */
export function isOpposite(name: string, candidate: string): boolean {
  const [words, own] = [wordsOf(name), wordsOf(candidate)]
  const has = (side: readonly string[], of: readonly string[]) => of.some((word) => side.includes(word))
  return OPPOSITES.some(
    ([one, other]) =>
      (has(one, words) && has(other, own) && !has(one, own)) ||
      (has(other, words) && has(one, own) && !has(other, own)),
  )
}

/** Letters that may differ: two fifths of the shorter name and one, as in GraphQL's suggestions. */
const mostDifferences = (a: string, b: string): number => Math.floor(0.4 * Math.min(a.length, b.length)) + 1

/**
 * The nearest name: one that begins like it, else one with its words, else the nearest by letters. Undefined if none is
 * near. Never its opposite.
 */
export const nearestOf = (name: string, known: readonly string[]): string | undefined =>
  known
    .filter((candidate) => !isOpposite(name, candidate))
    .map((candidate) => ({
      candidate,
      nearness: nearnessOf(name, candidate),
      distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, nearness, distance }) => nearness < 2 || distance <= mostDifferences(name, candidate))
    .sort((a, b) => a.nearness - b.nearness || a.distance - b.distance)[0]?.candidate

/** The Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
