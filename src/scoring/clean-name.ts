// Names that attackers write -> text that can stand in a sentence: letters, digits, spaces and a few signs, nothing else.

/** The longest name that a sentence takes. */
const LONGEST = 32

/** Without controls, bidirectional marks, markup, stacked accents, dots and slashes (no link survives); empty where nothing is left. */
export function cleanName(name: string): string {
  const plain = name
    .slice(0, 4 * LONGEST)
    .normalize('NFKC')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\p{L}\p{N} $_+'-]/gu, ' ')
    .replace(/ +/g, ' ')
  return [...plain].slice(0, LONGEST).join('').trim()
}
