// The data of a revert, where clients put it. Input: the `data` of a JSON-RPC error. Output: its hex. Most clients put it
// there as text, others into an object, and Parity's descendants after a word.

/** Longer data is cut: the reasons that contracts give are short. */
const MOST_CHARS = 2_050
/** Objects within each other that are looked through. */
const DEEPEST = 3
/** Places in `data`: Hardhat 2, ganache, wallets. */
const PLACES = ['data', 'result', 'originalError'] as const

/** The hex of the revert; null if the error has none. */
export function revertDataOf(data: unknown, depth = 0): `0x${string}` | null {
  if (typeof data === 'string') {
    const [, hex] = /^(?:Reverted )?(0x(?:[0-9a-f]{2})*)$/i.exec(data) ?? []
    return hex === undefined ? null : (hex.slice(0, MOST_CHARS).toLowerCase() as `0x${string}`)
  }
  if (typeof data !== 'object' || data === null || depth >= DEEPEST) return null
  for (const place of PLACES) {
    const found = revertDataOf((data as Record<string, unknown>)[place], depth + 1)
    if (found !== null) return found
  }
  return null
}
