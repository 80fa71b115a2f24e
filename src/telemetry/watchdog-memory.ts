// The memory that the main thread and the watchdog thread share: some numbers, then descriptions of open requests.

/** Maximum number of requests that are described at once. */
const SLOTS = 64
/** Maximum size of a description (id, method and path) in bytes. */
const SLOT_BYTES = 256
/** The numbers at the start of the memory, before the lengths of the slots. */
const NUMBERS = ['beat', 'debugged', 'leaving', 'newest'] as const
const HEAD_BYTES = 4 * (NUMBERS.length + SLOTS)

export interface WatchdogData {
  memory: SharedArrayBuffer
  stallMs: number
  leaveMs: number
  beatMs: number
}

export const createWatchdogMemory = (): SharedArrayBuffer => new SharedArrayBuffer(HEAD_BYTES + SLOTS * SLOT_BYTES)

/** Gives either thread access to the memory. */
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
    /** Writes a description, cut to the slot's size, and marks it as the newest. */
    fill(slot: number, description: string): void {
      const length = bytes.write(description, slot * SLOT_BYTES, SLOT_BYTES, 'latin1')
      Atomics.store(cells, lengthOf(slot), length)
      Atomics.store(cells, newest, slot)
    },
    empty: (slot: number): void => void Atomics.store(cells, lengthOf(slot), 0),
    /** All descriptions, the newest first. */
    readAll(): string[] {
      const last = Atomics.load(cells, newest)
      return [last, ...slots.filter((slot) => slot !== last)].flatMap(read)
    },
  }
}
