// What a symbol looks like: symbols with one skeleton are easily taken for each other. Pure.
// The table has letters that look like a Latin letter or digit, as Unicode's confusables list them; it was made from the npm
// package `confusables` 1.1.1 (MIT), without what compatibility decomposition resolves anyway.
import TABLE from './confusables.json' with { type: 'json' }

const LOOKS = new Map(Object.entries(TABLE).flatMap(([letter, others]) => [...others].map((other) => [other, letter])))
/** Latin letters and digits that look alike themselves, as in Unicode's table. */
const ALIKE: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', i: 'l' }

/** The skeleton of a symbol; empty where nothing visible is left of it. */
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
