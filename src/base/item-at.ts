/**
 * Reads one item at an index that the caller knows to be in the list, instead of `list[index] as T`, which would hide a
 * mistake. Each throws a RangeError if the list has no such item.
 *
 * V8 keeps one set of types for each function. A reader of one kind of list costs hardly more than a plain index. One
 * of all kinds, as `itemAt`, costs 4 to 12 times as much (3 to 30 ns). So each kind of column has its own reader. The
 * loops of `board/narrow.ts`, `board/row-set.ts` and `alerts/match.ts` index directly: there even a call shows.
 */
export const itemAt = <T>(list: ArrayLike<T>, index: number): T => {
  const item = list[index]
  return item === undefined ? fail(list, index) : item
}

export const numberAt = (list: readonly number[], index: number): number => list[index] ?? fail(list, index)
export const float64At = (list: Float64Array, index: number): number => list[index] ?? fail(list, index)
export const int32At = (list: Int32Array, index: number): number => list[index] ?? fail(list, index)
export const int16At = (list: Int16Array, index: number): number => list[index] ?? fail(list, index)
export const uint32At = (list: Uint32Array, index: number): number => list[index] ?? fail(list, index)
export const uint16At = (list: Uint16Array, index: number): number => list[index] ?? fail(list, index)
export const uint8At = (list: Uint8Array, index: number): number => list[index] ?? fail(list, index)
export const bigUint64At = (list: BigUint64Array, index: number): bigint => list[index] ?? fail(list, index)

function fail(list: ArrayLike<unknown>, index: number): never {
  throw new RangeError(`A list of ${list.length} items has none at ${index}.`)
}
