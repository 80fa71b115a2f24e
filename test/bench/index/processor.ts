// Memory and processor time of a process as Linux reports them; 0 on other systems, and after the process has ended.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Resident memory in MB. */
export function readMemoryMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
  return Number(kb ?? 0) / 1024
}

/** Processor seconds of a process and of its children that have ended. */
export function readProcessorSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** Processor seconds of the embedded server in a data folder, with all its connections. */
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
