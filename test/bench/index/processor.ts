// What a process takes, as Linux tells it: memory and processor. 0 elsewhere, and when it has ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Resident memory in MB. */
export function readMemoryMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
  return Number(kb ?? 0) / 1024
}

/** Seconds of processor that a process, and those of its children that have ended, took. */
export function readProcessorSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** The same of the embedded server under a data folder, with all its connections. */
export function readServerSeconds(dataDir: string): number {
  const [server = ''] = read(join(dataDir, 'postgres', 'data', 'postmaster.pid')).split('\n')
  const children = read(`/proc/${server}/task/${server}/children`).split(' ').filter(Boolean)
  return [server, ...children].reduce((sum, pid) => sum + readProcessorSeconds(Number(pid)), 0)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
