// The processor time of the main thread, read by another thread. Linux tells it per thread; elsewhere the time of the
// whole process stands for it. Only Node 23.9 and newer measure a thread, and only from inside of it.
import { readFileSync } from 'node:fs'

export interface ThreadTime {
  cpuMs: number
  /** It sleeps: neither does it run, nor does it wait for a processor or a disk. True where the system does not tell. */
  isAsleep: boolean
}

/** Linux counts processor time in these steps on every architecture that Node runs on (USER_HZ). */
const TICK_MS = 10
/** Places in `/proc/PID/task/TID/stat` after the name of the thread: state, utime, stime. */
const [STATE, USER, SYSTEM] = [0, 11, 12] as const

/** The main thread of this process. */
export function readMainThread(): ThreadTime {
  const fields = readStat()?.split(' ')
  if (!fields) return { cpuMs: processMs(), isAsleep: true }
  const ticks = Number(fields[USER]) + Number(fields[SYSTEM])
  return { cpuMs: ticks * TICK_MS, isAsleep: fields[STATE] === 'S' }
}

/** What follows the name, which may contain anything. Undefined without `/proc`. */
function readStat(): string | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2)
  } catch {
    return undefined
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
