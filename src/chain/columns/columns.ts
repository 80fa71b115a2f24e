// The packed form of blocks. Passing columns to another thread costs little more than copying memory; objects would be
// cloned one by one. A log becomes an object only once, where it is used.
import { LOG_KINDS, type LogKind } from '../event.ts'

/** Values one after another, in the order in which they are read. */
export interface Columns {
  /** Numbers, indexes into `texts`, and the number of `words` of each integer. */
  numbers: Float64Array<ArrayBuffer>
  /** Integers of any width in 64-bit words, the lowest word first. */
  words: BigUint64Array<ArrayBuffer>
  /** Addresses and hashes. */
  texts: string[]
}

/** The logs of one answer, in its order. */
export interface PackedLogs extends Columns {
  /**
   * The index of the first number and first word of each log, and of the end. A log that was not decoded has no
   * numbers.
   */
  starts: Uint32Array<ArrayBuffer>
}

/** Blocks, and the answers that hold their logs. */
export interface PackedBlocks {
  blocks: Columns
  logs: PackedLogs[]
}

/** The buffers that can be transferred to another thread instead of copied. */
export const memoryOf = ({ blocks, logs }: PackedBlocks): ArrayBuffer[] => [
  ...[blocks, ...logs].flatMap(({ numbers, words }) => [numbers.buffer, words.buffer]),
  ...logs.map(({ starts }) => starts.buffer),
]

/** Stands for null: as an index into `texts`, as a number, or as the number of words of an integer. */
export const NOTHING = -1
/** Added to the number of words of a negative integer. */
export const NEGATIVE = 8

const PLACES = new Map<LogKind, number>(LOG_KINDS.map((kind, place) => [kind, place]))

/** The index of a kind in `LOG_KINDS`. */
export const placeOfKind = (kind: LogKind): number => PLACES.get(kind) ?? NOTHING
