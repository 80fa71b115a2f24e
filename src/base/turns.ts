// Runs long reads one at a time in a process, and lets accounts take turns. Thirty lists of one query, or three hundred
// streams from the first event on, would otherwise take every connection and processor from short answers.

/** Runs a long read at its turn. */
export type InTurn = <T>(read: () => Promise<T>) => Promise<T>

/** The turns of an account. */
export type Turns = (accountId: number) => InTurn

/** For lists that read only the rows that they show: they do not wait for long ones. */
export const atOnce: InTurn = (read) => read()

/** Simultaneous long reads: with two, the p99 of other answers rose above a quarter of a second. */
const MOST = 1

export function createTurns(): Turns {
  /** Reads that wait, by account, in the order of the accounts' next turns. */
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
  return (accountId) => async (read) => {
    if (free === 0) await wait(accountId)
    else free -= 1
    try {
      return await read()
    } finally {
      callNext()
    }
  }
}
