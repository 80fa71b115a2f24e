// The server process of a data folder, found through its postmaster.pid: whether it runs, whether it is PostgreSQL, and
// how to stop it.
import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { codeOf } from '../../base/json.ts'

export interface Postmaster {
  pid: number
  port: number
}

/** Reads postmaster.pid; null if there is none. */
export function readPostmaster(data: string): Postmaster | null {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return Number.isInteger(pid) && pid > 0 ? { pid, port: Number(lines[3] ?? 0) } : null
  } catch {
    return null
  }
}

/** How long postmaster.pid has been empty, in ms; null if it is not empty or missing. */
export function emptyLockMs(data: string, now: Date): number | null {
  const found = statSync(join(data, 'postmaster.pid'), { throwIfNoEntry: false })
  return found?.size === 0 ? now.getTime() - found.mtimeMs : null
}

/**
 * Whether the process is the PostgreSQL server of this data folder. After a crash its process id may belong to any
 * program.
 */
export function isServing(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  if (process.platform === 'linux') return servesOnLinux(pid, data)
  if (process.platform === 'win32') return outputOf('tasklist', ['/FI', `PID eq ${pid}`, '/NH']).includes('postgres')
  const command = outputOf('ps', ['-o', 'command=', '-p', `${pid}`])
  return command.includes('postgres') && command.includes(data)
}

/**
 * A server's working directory is its data folder. A zombie has none; an unreadable one belongs to another user's
 * process.
 */
function servesOnLinux(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') return false
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
    } catch {
      return false
    }
  }
}

const outputOf = (program: string, args: string[]): string =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout ?? ''

/**
 * Removes the lock files of a dead server whose process id now belongs to another process. PostgreSQL itself would take
 * that process for the server.
 */
export function clearStale(data: string, sockets: string): void {
  rmSync(join(data, 'postmaster.pid'), { force: true })
  rmSync(join(sockets, '.s.PGSQL.5432.lock'), { force: true })
}

/**
 * Asks the server to end its sessions and stop. Returns when it is gone or after the timeout; the stop then continues.
 */
export async function shutDown(
  data: string,
  { pgCtl, clock, timeoutMs }: { pgCtl: string; clock: Clock; timeoutMs: number },
): Promise<void> {
  const found = readPostmaster(data)
  if (!found || !isServing(found.pid, data)) return
  if (process.platform === 'win32') spawnSync(pgCtl, ['stop', '-D', data, '-m', 'fast', '-W'])
  else process.kill(found.pid, 'SIGINT')
  const end = clock.monotonicMs() + timeoutMs
  while (isServing(found.pid, data) && clock.monotonicMs() < end) await clock.sleep(10)
}
