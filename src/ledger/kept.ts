// What was made of the ledger and is kept in memory, bounded by bytes, while it holds: until this process hears of a block, of a
// reorganisation or of scores. So what is kept is never older than the block that the process serves.
import { LRUCache } from 'lru-cache'
import type { HeadWatch } from './head.ts'

export interface Kept<Value> {
  find(key: string): Value | undefined
  /** What to say when something is begun, so that it is kept only if nothing changed until it was made. */
  now(): number
  keep(key: string, value: Value, begunAt: number): void
  /** The value takes more room than before. */
  grow(key: string, value: Value): void
  bytes(): number
}

/** Creates an empty store. `onChange` is called when everything was let go. */
export function createKept<Value extends object>(
  head: Pick<HeadWatch, 'version'>,
  mostBytes: number,
  sizeOf: (value: Value, key: string) => number,
  onChange: () => void = () => {},
): Kept<Value> {
  const values = new LRUCache<string, Value>({ maxSize: mostBytes, sizeCalculation: sizeOf })
  let version = head.version()
  const now = (): number => {
    if (version !== head.version()) {
      version = head.version()
      values.clear()
      onChange()
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
    grow: (key, value) => {
      if (values.peek(key) === value) values.set(key, value)
    },
    bytes: () => values.calculatedSize,
  }
}
