// Runs long reads a few at a time in a process, and lets accounts take turns. Thirty lists of one query, or three hundred
// streams from the first event on, would otherwise take every connection and processor from short answers.

/** Runs a long read at its turn. */
export type InTurn = <T>(read: () => Promise<T>) => Promise<T>

/** The turns of an account. */
export type Turns = (accountId: number) => InTurn

/** For lists that read only the rows that they show: they do not wait for long ones. */
export const atOnce: InTurn = (read) => read()

/** Simultaneous long reads: with two, the p99 of other answers rose above a quarter of a second. */
const MOST = 1

/** An account has one read at a time, whatever `most` is. */
export function createTurns(most = MOST): Turns {
  /** Reads that wait, by account, in the order of the accounts' next turns. */
  const waiting = new Map<number, (() => void)[]>()
  /** Accounts whose reads run. */
  const running = new Set<number>()
  const mayBegin = (accountId: number) => running.size < most && !running.has(accountId)
  const wait = (accountId: number) =>
    new Promise<void>((resolve) => waiting.set(accountId, [...(waiting.get(accountId) ?? []), resolve]))
  const callNext = (): void => {
    const next = [...waiting.keys()].find(mayBegin)
    if (next === undefined) return
    const [begin, ...rest] = waiting.get(next) ?? []
    waiting.delete(next)
    if (rest.length > 0) waiting.set(next, rest)
    running.add(next)
    begin?.()
  }
  return (accountId) => async (read) => {
    if (mayBegin(accountId)) running.add(accountId)
    else await wait(accountId)
    try {
      return await read()
    } finally {
      running.delete(accountId)
      callNext()
    }
  }
}
