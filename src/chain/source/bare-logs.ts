// Logs without a topic, of final blocks. Few contracts write them, so one request asks for far more blocks than a range of
// other logs has. Input: the blocks of a range. Output: their logs, from a window that later ranges use too.
import type { LogAnswer } from '../logs/answer.ts'
import { type RawLog, readNumber } from '../raw.ts'
import { isPassing, RpcError } from '../rpc/error.ts'
import { firstRange, growRange, refusalOf, shrinkRange } from './ranges.ts'

export interface BareLogs {
  /** The logs without a topic of the blocks from..to, both included. */
  read(from: number, to: number): Promise<LogAnswer[]>
  /** Asks for these blocks anew when they are read again: their logs contradicted something. */
  forget(from: number, to: number): void
}

export interface BareLogsOptions {
  /** All logs of the contracts in these blocks; throws the refusal. */
  ask(from: number, to: number): Promise<readonly RawLog[]>
  read(logs: readonly RawLog[]): LogAnswer
  /** Reads one block whose logs were refused. */
  readRefused(block: number, why: RpcError): Promise<LogAnswer[]>
  /** The newest block that is known to be final: a window ends there. */
  lastFinal(): number
}

interface Window {
  from: number
  to: number
  /** Null: the provider refused so many blocks. */
  logs: Promise<readonly RawLog[] | RpcError | null>
}

/** Many providers answer for as many blocks. A wider window is tried by doubling. */
export const FIRST_BLOCKS = 2_000
const MOST_BLOCKS = 100_000
/** Logs a window to aim for, because a window stays in memory until later ones replace it. */
const TARGET = 2_000
/** Some ranges are read at once, and may use several windows. */
const WINDOWS = 4

export function createBareLogs({ ask, read, readRefused, lastFinal }: BareLogsOptions): BareLogs {
  let size = firstRange(FIRST_BLOCKS, MOST_BLOCKS)
  let windows: Window[] = []

  async function fetch(from: number, to: number): Promise<readonly RawLog[] | RpcError | null> {
    const blocks = to - from + 1
    try {
      const logs = await ask(from, to)
      if (!logs.every((log) => isWithin(log, from, to)))
        throw new RpcError('lagging', `a log is outside the requested blocks ${from} to ${to}`)
      size = growRange(size, blocks, logs.length, TARGET)
      return logs.filter(({ topics }) => topics.length === 0)
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind === 'aborted') throw error
      if (blocks === 1) return error
      size = shrinkRange(size, refusalOf(error), from, blocks, error.hint)
      if (isPassing(error)) throw error
      return null
    }
  }

  function open(from: number, to: number): Window {
    const next = Math.min(...windows.flatMap((window) => (window.from > from ? [window.from] : [])))
    const end = Math.min(from + size.size - 1, Math.max(to, lastFinal()), next - 1)
    const window = { from, to: end, logs: fetch(from, end) }
    windows = [...windows, window].slice(-WINDOWS)
    const drop = () => {
      windows = windows.filter((each) => each !== window)
    }
    window.logs.then((logs) => (Array.isArray(logs) ? undefined : drop()), drop)
    return window
  }

  return {
    async read(from, to) {
      const answers: LogAnswer[] = []
      for (let at = from; at <= to; ) {
        const window = windows.find((each) => each.from <= at && at <= each.to) ?? open(at, to)
        const logs = await window.logs
        if (logs === null) continue
        if (logs instanceof RpcError) answers.push(...(await readRefused(at, logs)))
        else {
          const own = logs.filter((log) => isWithin(log, at, to))
          if (own.length > 0) answers.push(read(own))
        }
        at = window.to + 1
      }
      return answers
    },
    forget(from, to) {
      windows = windows.filter((window) => window.to < from || window.from > to)
    },
  }
}

function isWithin({ blockNumber }: RawLog, from: number, to: number): boolean {
  const number = readNumber(blockNumber)
  return number !== null && number >= from && number <= to
}
