// Runs walks over many rows one at a time in a process. Thirty lists of one query, each with as many rows as allowed,
// would otherwise take every connection and processor from short answers.

/** Runs a walk at its turn. */
export type InTurn = <T>(walk: () => Promise<T>) => Promise<T>

/** For lists that read only the rows that they show: they do not wait for walks. */
export const atOnce: InTurn = (walk) => walk()

/** Simultaneous walks: with two, the p99 of other answers rose above a quarter of a second. */
const MOST = 1

export function createWalks(): InTurn {
  const waiting: (() => void)[] = []
  let free = MOST
  return async (walk) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      return await walk()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
