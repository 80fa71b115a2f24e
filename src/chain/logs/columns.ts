// Blocks in columns: so they pass from one thread to another for little more than a copy of memory, where the objects that
// they are made of would be cloned one by one, and what is read from bytes becomes an object once, where it is used.
import type { LogKind } from '../event.ts'

/** Values one after another, in the order in which they are read again. */
export interface Columns {
  /** Numbers, places in `texts`, and how many `words` an integer has. */
  numbers: Float64Array<ArrayBuffer>
  /** Integers of any width, 64 bits a word, the lowest first. */
  words: BigUint64Array<ArrayBuffer>
  /** Addresses and hashes. */
  texts: string[]
}

/** The logs of one answer, in its order. */
export interface PackedLogs extends Columns {
  /** For each log, and for one after the last: its first number and its first word. A log that is not decoded has none. */
  starts: Uint32Array<ArrayBuffer>
}

/** Blocks, and the answers that their logs stand in. */
export interface PackedBlocks {
  blocks: Columns
  logs: PackedLogs[]
}

/** The memory that can be handed over instead of copied. */
export const memoryOf = ({ blocks, logs }: PackedBlocks): ArrayBuffer[] => [
  ...[blocks, ...logs].flatMap(({ numbers, words }) => [numbers.buffer, words.buffer]),
  ...logs.map(({ starts }) => starts.buffer),
]

/** In place of a text, and of the number of words. */
export const NOTHING = -1
/** Added to the number of words of an integer below zero. */
export const NEGATIVE = 8

/** Logs by kind, as a number stands for it. */
export const KINDS = [
  ...(['transfer', 'deposit', 'withdrawal', 'pair_created', 'v2_mint', 'v2_burn', 'v2_swap', 'v2_sync'] as const),
  ...(['pool_created', 'v3_initialize', 'v3_mint', 'v3_burn', 'v3_swap'] as const),
  ...(['lock_set', 'lock_changed', 'lock_reduced', 'lock_added', 'lock_taken'] as const),
] satisfies LogKind[]

const PLACES = new Map<LogKind, number>(KINDS.map((kind, place) => [kind, place]))

/** The number that stands for a kind. */
export const placeOfKind = (kind: LogKind): number => PLACES.get(kind) ?? NOTHING
