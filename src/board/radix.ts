// Sorts rows by numbers without comparing them: digit by digit, the last first. Each pass is stable, so rows of one
// number keep their order. A million rows take some tens of milliseconds a pass; a comparison sort takes a second. Each
// sort comes in steps, so that its caller may do other work in between. Pure.
import { int32At, uint8At, uint16At, uint32At } from '../base/item-at.ts'

const BUCKETS = 1 << 16

/** Puts the rows into the order of one digit, or leaves them if all have the same. */
function pass(rows: Int32Array, spare: Int32Array, digitOf: (row: number) => number): boolean {
  const starts = new Uint32Array(BUCKETS)
  for (let at = 0; at < rows.length; at += 1) {
    const digit = digitOf(int32At(rows, at))
    starts[digit] = uint32At(starts, digit) + 1
  }
  if (rows.length === 0 || starts[digitOf(int32At(rows, 0))] === rows.length) return false
  let start = 0
  for (let digit = 0; digit < BUCKETS; digit += 1) {
    const count = uint32At(starts, digit)
    starts[digit] = start
    start += count
  }
  for (let at = 0; at < rows.length; at += 1) {
    const row = int32At(rows, at)
    const digit = digitOf(row)
    const place = uint32At(starts, digit)
    spare[place] = row
    starts[digit] = place + 1
  }
  return true
}

/** A sort that advances on request. */
export type SortSteps = Generator<undefined, Int32Array>

/** The rows in the order of their digits; `digits` gives each row's, the least significant first. */
function* sortByDigits(rows: Int32Array, digits: readonly ((row: number) => number)[]): SortSteps {
  let [from, to]: [Int32Array, Int32Array] = [rows, new Int32Array(rows.length)]
  for (const digitOf of digits) {
    if (pass(from, to, digitOf)) [from, to] = [to, from]
    yield
  }
  return from
}

/** Sorts rows by a number each, which `keyOf` gives; `room` is above every row. Gives `rows` or a new array. */
export function* sortByNumber(
  rows: Int32Array,
  room: number,
  keyOf: (row: number) => number,
  descending: boolean,
): SortSteps {
  const halves = toKeys(rows, room, keyOf, descending)
  yield
  return yield* sortByDigits(
    rows,
    [0, 1, 2, 3].map((digit) => (row: number) => uint16At(halves, row * 4 + digit)),
  )
}

/** Numbers as four digits each; the last is the most significant. */
function toKeys(rows: Int32Array, room: number, keyOf: (row: number) => number, descending: boolean): Uint16Array {
  const keys = new Float64Array(room)
  // Adding zero turns -0 into 0.
  for (let at = 0; at < rows.length; at += 1) keys[int32At(rows, at)] = keyOf(int32At(rows, at)) + 0
  const words = new Uint32Array(keys.buffer)
  const turn = descending ? 0xffffffff : 0
  // As unsigned integers, doubles have the order of their numbers once negative ones are inverted and others get the
  // top bit.
  for (let word = 0; word < words.length; word += 2) {
    const high = uint32At(words, word + 1)
    const isNegative = high >>> 31 === 1
    words[word] = (uint32At(words, word) ^ (isNegative ? 0xffffffff : 0) ^ turn) >>> 0
    words[word + 1] = (high ^ (isNegative ? 0xffffffff : 0x80000000) ^ turn) >>> 0
  }
  return new Uint16Array(keys.buffer)
}

/** Sorts rows by bytes, `width` of them each. Gives `rows` or a new array. */
export function sortByBytes(rows: Int32Array, bytes: Uint8Array, width: number): SortSteps {
  const pairs = Array.from({ length: width / 2 }, (_, pair) => width - 2 - 2 * pair)
  return sortByDigits(
    rows,
    pairs.map(
      (pair) => (row: number) => (uint8At(bytes, row * width + pair) << 8) | uint8At(bytes, row * width + pair + 1),
    ),
  )
}
