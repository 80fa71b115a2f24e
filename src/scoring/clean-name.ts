// Makes attacker-controlled names safe for use in a sentence: only letters, digits, spaces and a few signs remain.

/** The longest name in a sentence, in characters. */
const LONGEST = 32

/**
 * Removes controls, bidirectional marks, markup, combining accents, dots and slashes, so no link survives. May return
 * ''.
 */
export function cleanName(name: string): string {
  const plain = name
    .slice(0, 4 * LONGEST)
    .normalize('NFKC')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\p{L}\p{N} $_+'-]/gu, ' ')
    .replace(/ +/g, ' ')
  return [...plain].slice(0, LONGEST).join('').trim()
}
