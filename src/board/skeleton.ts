// The look of a symbol: symbols with one skeleton are easily mistaken for each other. Pure. The table has letters that
// look like a Latin letter or digit, from Unicode's confusables list. It was made from the npm package `confusables`
// 1.1.1 (MIT), without those that compatibility decomposition resolves.
import TABLE from './confusables.json' with { type: 'json' }

const LOOKS = new Map(Object.entries(TABLE).flatMap(([letter, others]) => [...others].map((other) => [other, letter])))
/** Latin letters and digits that look alike themselves, as in Unicode's table. */
const ALIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l' }

/** The skeleton of a symbol; empty if nothing visible is left of it. */
export function skeletonOf(symbol: string): string {
  const plain = symbol
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{C}\p{Z}]/gu, '')
  let skeleton = ''
  for (const letter of plain) {
    const latin = LOOKS.get(letter) ?? letter
    skeleton += ALIKE[latin] ?? latin
  }
  return skeleton.replaceAll('rn', 'm')
}
