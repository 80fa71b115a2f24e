// A cache of results from the ledger, bounded by bytes. Entries are valid until this process hears of a block, of a
// reorganisation or of scores, so none is older than the process's block.
import { LRUCache } from 'lru-cache'
import type { HeadWatch } from './head.ts'

export interface Kept<Value> {
  find(key: string): Value | undefined
  /** The version to pass to `keep`: a result is stored only if nothing has changed since its version. */
  now(): number
  keep(key: string, value: Value, begunAt: number): void
  bytes(): number
}

/** Creates an empty store. */
export function createKept<Value extends object>(
  head: Pick<HeadWatch, 'version'>,
  mostBytes: number,
  sizeOf: (value: Value, key: string) => number,
): Kept<Value> {
  const values = new LRUCache<string, Value>({ maxSize: mostBytes, sizeCalculation: sizeOf })
  let version = head.version()
  const now = (): number => {
    if (version !== head.version()) {
      version = head.version()
      values.clear()
    }
    return version
  }
  return {
    now,
    find: (key) => {
      now()
      return values.get(key)
    },
    keep: (key, value, begunAt) => {
      if (begunAt === now()) values.set(key, value)
    },
    bytes: () => values.calculatedSize,
  }
}
