// Runs walks over many rows one at a time in a process, and lets accounts take turns. Thirty lists of one query, each
// with as many rows as allowed, would otherwise take every connection and processor from short answers.

/** Runs a walk at its turn. */
export type InTurn = <T>(walk: () => Promise<T>) => Promise<T>

/** The turns of an account. */
export type Walks = (accountId: number) => InTurn

/** For lists that read only the rows that they show: they do not wait for walks. */
export const atOnce: InTurn = (walk) => walk()

/** Simultaneous walks: with two, the p99 of other answers rose above a quarter of a second. */
const MOST = 1

export function createWalks(): Walks {
  /** Walks that wait, by account, in the order of the accounts' next turns. */
  const waiting = new Map<number, (() => void)[]>()
  let free = MOST
  const wait = (accountId: number) =>
    new Promise<void>((resolve) => waiting.set(accountId, [...(waiting.get(accountId) ?? []), resolve]))
  const callNext = (): void => {
    const [first] = waiting
    if (!first) {
      free += 1
      return
    }
    const [accountId, [begin, ...rest]] = first
    waiting.delete(accountId)
    if (rest.length > 0) waiting.set(accountId, rest)
    begin?.()
  }
  return (accountId) => async (walk) => {
    if (free === 0) await wait(accountId)
    else free -= 1
    try {
      return await walk()
    } finally {
      callNext()
    }
  }
}
