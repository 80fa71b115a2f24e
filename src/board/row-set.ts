// A bit per row of the board. Pure.

/** Row 0 is the lowest bit of word 0. */
export type RowSet = Uint32Array

/** Keeps the rows in both. */
export function intersect(within: RowSet, other: RowSet): void {
  for (let word = 0; word < within.length; word += 1) within[word] = (within[word] ?? 0) & (other[word] ?? 0)
}

/** The rows in any of them. */
export function unite(sets: readonly RowSet[]): RowSet {
  const union = new Uint32Array(sets[0]?.length ?? 0)
  for (const set of sets)
    for (let word = 0; word < union.length; word += 1) union[word] = (union[word] ?? 0) | (set[word] ?? 0)
  return union
}

/** Puts the row into the set. */
export const addRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = (set[row >>> 5] ?? 0) | (1 << (row & 31))
}

/** Takes the row out of the set. */
export const dropRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = (set[row >>> 5] ?? 0) & ~(1 << (row & 31))
}

/** The rows of the set, which are `count`. */
export function listRows(set: RowSet, count: number): Int32Array {
  const rows = new Int32Array(count)
  let at = 0
  for (let word = 0; word < set.length; word += 1)
    for (let left = set[word] ?? 0; left !== 0; left &= left - 1) rows[at++] = 32 * word + 31 - Math.clz32(left & -left)
  return rows
}

/** A set of rows below `end`. */
export function toSet(end: number, rows: Iterable<number>): RowSet {
  const set = new Uint32Array(Math.ceil(end / 32))
  for (const row of rows) addRow(set, row)
  return set
}

/** How many of the 32 bits are set. */
export function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** How many rows are in the set. */
export function countRows(set: RowSet): number {
  let count = 0
  for (let word = 0; word < set.length; word += 1) count += countBits(set[word] ?? 0)
  return count
}

/** Whether the row is in the set. */
export const hasRow = (set: RowSet, row: number): boolean => (((set[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1
