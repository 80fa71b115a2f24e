// Walks over many rows, one at a time in a process: thirty lists of one query, each of which looks at as many rows as it may,
// would otherwise take every connection and processor from the answers that are short.

/** Runs a walk when its turn comes. */
export type InTurn = <T>(walk: () => Promise<T>) => Promise<T>

/** For lists that look at no more rows than they show: they do not wait for those that do. */
export const atOnce: InTurn = (walk) => walk()

/** Walks at the same time: with two, others' p99 went above a quarter of a second. */
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
