// The processor time of running processes, by Linux's /proc.
import { readdirSync, readFileSync } from 'node:fs'

const MS_PER_TICK = 10

interface Stat {
  parent: number
  /** Of the process, and of its children that have ended. */
  ms: number
}

/** Null: there is no such process here. */
export function readStat(pid: number | string): Stat | null {
  try {
    // The name in parentheses may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ms: ticks * MS_PER_TICK }
  } catch {
    return null
  }
}

/** Milliseconds of processor time that these processes and all their descendants have used. */
export function processorMs(...roots: readonly number[]): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : null
    if (stat) stats.set(Number(name), stat)
  }
  const isOfRoots = (pid: number): boolean => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) if (roots.includes(at)) return true
    return false
  }
  return [...stats].reduce((sum, [pid, { ms }]) => (isOfRoots(pid) ? sum + ms : sum), 0)
}
