// A short memory that many readers go through at their own pace: entries have numbers that never repeat, the oldest are dropped
// when it is full, and who wants one that was dropped was too slow. Nothing is kept per reader.

/** Readers that are woken up in one turn of the event loop. */
const WAKE_TOGETHER = 50

export interface SharedLog<Entry> {
  /** The number of the next entry. */
  next(): number
  push(entry: Entry): void
  /** The entry of a number; undefined: it is not there yet; null: no longer. */
  entry(number: number): Entry | undefined | null
  /** Resolves when there is an entry of this number, or the signal comes. */
  until(number: number, signal: AbortSignal): Promise<void>
  clear(): void
}

/** A log that holds entries of `most` in size together, and the newest one in any case. */
export function createSharedLog<Entry>(most: number, sizeOf: (entry: Entry) => number): SharedLog<Entry> {
  const waiting = new Set<() => void>()
  let entries: Entry[] = []
  let first = 0
  let held = 0

  const wake = async (resolves: readonly (() => void)[]) => {
    for (const [index, resolve] of resolves.entries()) {
      if (index % WAKE_TOGETHER === WAKE_TOGETHER - 1) await new Promise((next) => setImmediate(next))
      resolve()
    }
  }
  return {
    next: () => first + entries.length,
    push: (entry) => {
      entries.push(entry)
      held += sizeOf(entry)
      let dropped = 0
      while (held > most && dropped < entries.length - 1) {
        held -= sizeOf(entries[dropped] as Entry)
        dropped += 1
      }
      if (dropped > 0) entries = entries.slice(dropped)
      first += dropped
      void wake([...waiting])
    },
    entry: (number) => (number < first ? null : entries[number - first]),
    until: (number, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || number < first + entries.length) return resolve()
        const done = () => {
          waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal.addEventListener('abort', done, { once: true })
      }),
    clear: () => {
      first += entries.length
      entries = []
      held = 0
    },
  }
}
