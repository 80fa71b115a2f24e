// Numbers that stand for the logs of some blocks, so that a search skips blocks without such logs. Two logs may share a
// number. The search then reads blocks in vain.

/** What eth_getLogs takes of a filter. */
export interface LogPattern {
  address?: string | string[] | undefined
  topics?: readonly (string | readonly string[] | null)[] | undefined
}

/** Bits of the set of a line of the recording, which has some hundred logs. */
const BITS = 2 ** 15
/** A filter with more combinations is searched for by its addresses alone. */
const MOST_KEYS = 64

/** FNV-1a. */
const START = 0x811c9dc5
function mix(hash: number, text: string): number {
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
const toBit = (hash: number): number => (hash >>> 0) % BITS

/** A set of logs: by address, by address and first topic, and by address and two topics. */
export class LogKeys {
  readonly #bits = new Uint8Array(BITS / 8)

  add({ address, topics }: { address: string; topics: readonly string[] }): void {
    let hash = START
    for (const text of [address, ...topics.slice(0, 2)]) {
      hash = mix(hash, text)
      const key = toBit(hash)
      this.#bits[key >>> 3] = (this.#bits[key >>> 3] ?? 0) | (1 << (key & 7))
    }
  }

  /** Whether one of the keys may be in it. */
  hasAny(keys: readonly number[]): boolean {
    return keys.some((key) => ((this.#bits[key >>> 3] ?? 0) & (1 << (key & 7))) !== 0)
  }
}

/** Each matching log has one of these keys; null: any log may match. */
export function keysOfFilter({ address, topics = [] }: LogPattern): number[] | null {
  if (address === undefined) return null
  const addresses = [address].flat().map((one) => one.toLowerCase())
  let parts: string[][] = addresses.map((one) => [one])
  for (const topic of topics.slice(0, 2)) {
    if (topic === null) break
    const longer = parts.flatMap((part) => [topic].flat().map((one) => [...part, one]))
    if (longer.length > MOST_KEYS) break
    parts = longer
  }
  return parts.map((part) => toBit(part.reduce(mix, START)))
}
