// How many letters were mistyped between a text and many others. Pure.

/** Units of a text that are compared: bytes of UTF-8 where they are all ASCII, else UTF-16. */
type Units = ArrayLike<number>

/** Two rows of the table and the one before them, which is all that one comparison needs. */
const ROOM = 256
let [before, last, next] = [new Uint8Array(ROOM), new Uint8Array(ROOM), new Uint8Array(ROOM)]

/** Whether at most so many letters of `a` were left out, put in, exchanged, or swapped with their neighbour to give `b` from `from` up to `to`. */
export function isWithin(a: Units, b: Units, most: number, from = 0, to = b.length): boolean {
  if (Math.abs(a.length - (to - from)) > most) return false
  // What both begin and end with needs no comparing.
  let [start, endA, endB] = [0, a.length, to]
  while (start < endA && from + start < endB && a[start] === b[from + start]) start += 1
  while (endA > start && endB > from + start && a[endA - 1] === b[endB - 1]) {
    endA -= 1
    endB -= 1
  }
  const [lengthA, lengthB] = [endA - start, endB - from - start]
  if (Math.max(lengthA, lengthB) <= most) return true
  if (lengthA === 0 || lengthB === 0 || Math.max(lengthA, lengthB) >= ROOM) return false
  return isNear(a, start, lengthA, b, from + start, lengthB, most)
}

/** The same for the stretches between what is equal. Only what lies so near to the diagonal is filled in: the rest is further away anyhow. */
function isNear(a: Units, atA: number, lengthA: number, b: Units, atB: number, lengthB: number, most: number): boolean {
  const far = most + 1
  for (let column = 0; column <= lengthB; column += 1) last[column] = Math.min(column, far)
  let leastBefore = 0
  for (let row = 1; row <= lengthA; row += 1) {
    const letter = a[atA + row - 1]
    const [first, end] = [Math.max(1, row - most), Math.min(lengthB, row + most)]
    next[first - 1] = first === 1 ? Math.min(row, far) : far
    let least = next[first - 1] as number
    for (let column = first; column <= end; column += 1) {
      const other = b[atB + column - 1]
      let here = (last[column - 1] as number) + (letter === other ? 0 : 1)
      here = Math.min(here, (last[column] as number) + 1, (next[column - 1] as number) + 1)
      const isSwapped =
        row > 1 && column > 1 && letter === b[atB + column - 2] && a[atA + row - 2] === other && letter !== other
      if (isSwapped) here = Math.min(here, (before[column - 2] as number) + 1)
      next[column] = Math.min(here, far)
      least = Math.min(least, here)
    }
    if (end < lengthB) next[end + 1] = far
    // A swap may still come from the row before.
    if (least > most && leastBefore > most) return false
    leastBefore = least
    ;[before, last, next] = [last, next, before]
  }
  return (last[lengthB] as number) <= most
}
