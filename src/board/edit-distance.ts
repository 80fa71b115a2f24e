// How many letters were mistyped between two short texts. Pure.

/** Whether at most so many letters were left out, put in, exchanged, or swapped with their neighbour. */
export function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  // What both begin and end with needs no comparing.
  let start = 0
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1
    endB -= 1
  }
  if (Math.max(endA, endB) - start <= most) return true
  return distance(a.slice(start, endA), b.slice(start, endB), most) <= most
}

/** The number of mistyped letters, or more than `most` once it is known to be more. */
function distance(a: string, b: string, most: number): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row]
    let least = row
    for (let column = 1; column <= b.length; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1)
      let here = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      )
      const isSwapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      if (isSwapped) here = Math.min(here, (before[column - 2] as number) + 1)
      next.push(here)
      least = Math.min(least, here)
    }
    // A swap may still come from the row before.
    if (least > most + 1) return least
    ;[before, last] = [last, next]
  }
  return last[b.length] as number
}
