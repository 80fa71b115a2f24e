// Finds the index of an address in the texts by its digits. A Map would need the text of the address first.
import { int32At, uint32At } from '../../base/item-at.ts'
import type { Bytes } from './bytes.ts'
import { NOTHING } from './columns.ts'
import { LANE_DIGITS } from './hex.ts'

/** 32-bit lanes of an address. */
const LANES = 5
const FIRST_SLOTS = 1024
/** 2^32 over the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4). */
const SPREAD = 0x9e37_79b1

export class AddressPlaces {
  readonly #texts: string[]
  /** A hash table with open addressing, at most half full. A slot holds the entry's index + 1, or 0 when empty. */
  #slots = new Int32Array(FIRST_SLOTS)
  #keys = new Uint32Array((FIRST_SLOTS / 2) * LANES)
  #places = new Int32Array(FIRST_SLOTS / 2)
  #count = 0

  constructor(texts: string[]) {
    this.#texts = texts
  }

  /**
   * The index of the address whose 40 digits start at `at`. A new address is added to the texts in lower case.
   * `NOTHING` if a character is not a digit.
   */
  add(bytes: Bytes, at: number): number {
    const entry = this.#count
    if (entry === this.#places.length) this.#widen()
    const keys = this.#keys
    let hash = 0
    for (let i = 0; i < LANES; i++) {
      const lane = bytes.lane(at + LANE_DIGITS * i)
      if (lane < 0) return NOTHING
      keys[entry * LANES + i] = lane
      hash = mix(hash, lane)
    }
    const slots = this.#slots
    let slot = slotOf(hash, slots.length)
    for (let held = int32At(slots, slot); held !== 0; held = int32At(slots, slot)) {
      if (areSame(keys, held - 1, entry)) return int32At(this.#places, held - 1)
      slot = (slot + 1) % slots.length
    }
    slots[slot] = entry + 1
    this.#places[entry] = this.#texts.length
    this.#count += 1
    return this.#texts.push(`0x${bytes.lowerCase(at, at + LANE_DIGITS * LANES)}`) - 1
  }

  #widen(): void {
    const slots = new Int32Array(2 * this.#slots.length)
    const keys = new Uint32Array((slots.length / 2) * LANES)
    keys.set(this.#keys)
    const places = new Int32Array(slots.length / 2)
    places.set(this.#places)
    for (let entry = 0; entry < this.#count; entry++) {
      let slot = slotOf(hashOf(keys, entry), slots.length)
      while (slots[slot] !== 0) slot = (slot + 1) % slots.length
      slots[slot] = entry + 1
    }
    this.#slots = slots
    this.#keys = keys
    this.#places = places
  }
}

const mix = (hash: number, lane: number): number => (Math.imul(hash, 31) + lane) | 0

/** The slot of a hash: its upper bits, which depend on the whole hash. `slots` is a power of two. */
const slotOf = (hash: number, slots: number): number => Math.imul(hash, SPREAD) >>> Math.clz32(slots - 1)

function hashOf(keys: Uint32Array, entry: number): number {
  let hash = 0
  for (let i = 0; i < LANES; i++) hash = mix(hash, uint32At(keys, entry * LANES + i))
  return hash
}

function areSame(keys: Uint32Array, one: number, other: number): boolean {
  for (let i = 0; i < LANES; i++) if (keys[one * LANES + i] !== keys[other * LANES + i]) return false
  return true
}
