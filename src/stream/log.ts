import { itemAt } from '../base/item-at.ts'

// A short memory that many readers go through at their own pace. Entries have numbers that never repeat, and the oldest
// are dropped when it is full. A reader of a dropped entry was too slow. Nothing is stored per reader.

/** Readers that are woken in one turn of the event loop. */
const WAKE_TOGETHER = 50

export interface SharedLog<Entry> {
  /** The number of the next entry. */
  next(): number
  push(entry: Entry): void
  /** The entry of a number; undefined: not there yet; null: dropped. */
  entry(number: number): Entry | undefined | null
  /** Resolves when there is an entry of this number, or the signal aborts. */
  until(number: number, signal: AbortSignal): Promise<void>
  clear(): void
}

/** The waiter for the next entry; null: it does not wait. */
interface Waiter {
  resolve: (() => void) | null
}

function release(waiter: Waiter): void {
  const { resolve } = waiter
  waiter.resolve = null
  resolve?.()
}

/** A log of entries with a total size of `most`, and the newest one in any case. */
export function createSharedLog<Entry>(most: number, sizeOf: (entry: Entry) => number): SharedLog<Entry> {
  const waiting = new Set<Waiter>()
  /** One for each signal: a new listener per entry would be a tenth of a reader's cost. */
  const waiters = new WeakMap<AbortSignal, Waiter>()
  let entries: Entry[] = []
  let first = 0
  let held = 0

  const wake = async (woken: readonly Waiter[]) => {
    for (const [index, waiter] of woken.entries()) {
      if (index % WAKE_TOGETHER === WAKE_TOGETHER - 1) await new Promise((next) => setImmediate(next))
      release(waiter)
    }
  }
  const waiterOf = (signal: AbortSignal): Waiter => {
    const known = waiters.get(signal)
    if (known?.resolve === null) return known
    const made: Waiter = { resolve: null }
    waiters.set(signal, made)
    const leave = () => {
      waiting.delete(made)
      release(made)
    }
    signal.addEventListener('abort', leave, { once: true })
    return made
  }
  return {
    next: () => first + entries.length,
    push: (entry) => {
      entries.push(entry)
      held += sizeOf(entry)
      let dropped = 0
      while (held > most && dropped < entries.length - 1) {
        held -= sizeOf(itemAt(entries, dropped))
        dropped += 1
      }
      if (dropped > 0) entries = entries.slice(dropped)
      first += dropped
      const woken = [...waiting]
      waiting.clear()
      void wake(woken)
    },
    entry: (number) => (number < first ? null : entries[number - first]),
    until: (number, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || number < first + entries.length) return resolve()
        const waiter = waiterOf(signal)
        waiter.resolve = resolve
        waiting.add(waiter)
      }),
    clear: () => {
      first += entries.length
      entries = []
      held = 0
    },
  }
}
