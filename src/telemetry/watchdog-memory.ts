// The memory that the watchdog's two threads share: a few numbers, then the descriptions of requests under way.

/** Requests that can be named at once. */
const SLOTS = 64
/** Bytes of a description: an id, a method and a path. */
const SLOT_BYTES = 256
/** The numbers before the slots' lengths. */
const NUMBERS = ['beat', 'debugged', 'leaving', 'newest'] as const
const HEAD_BYTES = 4 * (NUMBERS.length + SLOTS)

export interface WatchdogData {
  memory: SharedArrayBuffer
  stallMs: number
  leaveMs: number
  beatMs: number
}

export const createWatchdogMemory = (): SharedArrayBuffer => new SharedArrayBuffer(HEAD_BYTES + SLOTS * SLOT_BYTES)

/** Reads and writes the memory, in either thread. */
export function openMemory(memory: SharedArrayBuffer) {
  const cells = new Int32Array(memory, 0, NUMBERS.length + SLOTS)
  const bytes = Buffer.from(memory, HEAD_BYTES)
  const at = (name: (typeof NUMBERS)[number]) => NUMBERS.indexOf(name)
  const lengthOf = (slot: number) => NUMBERS.length + slot
  const read = (slot: number): string[] => {
    const length = Atomics.load(cells, lengthOf(slot))
    return length === 0 ? [] : [bytes.toString('latin1', slot * SLOT_BYTES, slot * SLOT_BYTES + length)]
  }
  const newest = at('newest')
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
  return {
    slots,
    get: (name: (typeof NUMBERS)[number]): number => Atomics.load(cells, at(name)),
    set: (name: (typeof NUMBERS)[number], value: number): void => void Atomics.store(cells, at(name), value),
    /** Puts a description into a slot, cut to its size, as the newest. */
    fill(slot: number, description: string): void {
      const length = bytes.write(description, slot * SLOT_BYTES, SLOT_BYTES, 'latin1')
      Atomics.store(cells, lengthOf(slot), length)
      Atomics.store(cells, newest, slot)
    },
    empty: (slot: number): void => void Atomics.store(cells, lengthOf(slot), 0),
    /** The descriptions in use, the newest first. */
    readAll(): string[] {
      const last = Atomics.load(cells, newest)
      return [last, ...slots.filter((slot) => slot !== last)].flatMap(read)
    },
  }
}
