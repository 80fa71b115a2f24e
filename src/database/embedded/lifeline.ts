// A pipe that every process holds open while it uses the server. The system closes a process's end with the process,
// also after SIGKILL. A shell starts the server, waits until the last end is closed, and then stops the server.
import { spawnSync } from 'node:child_process'
import { chownSync, closeSync, constants, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'

/**
 * Runs the server as a child of the shell, so that its process id means no other process. Nobody writes into the pipe:
 * `read` returns when all have closed it. SIGINT asks the server to end its sessions and stop.
 */
const SHELL = `exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{ read -r _ <&3; kill -INT "$server"; } 2>/dev/null &
watch=$!
wait "$server"
code=$?
kill "$watch" 2>/dev/null
exit "$code"`

export interface Lifeline {
  /** The command that runs the server for as long as anybody holds the pipe. Its standard input is `openReader()`. */
  tie(program: string, args: readonly string[]): { file: string; args: string[] }
  /** A file descriptor of the reading end; whoever asks closes it. */
  openReader(): number
  /** This process does not use the server any more. */
  close(): void
}

/** Opens the pipe in the folder of the sockets. Null where the system has no such pipes, as on Windows. */
export function openLifeline(sockets: string, { owner }: Account, platform = process.platform): Lifeline | null {
  if (platform === 'win32') return null
  const path = join(sockets, 'users')
  if (!isPipe(path)) {
    const made = spawnSync('mkfifo', ['-m', '600', path])
    if (!isPipe(path)) return null
    if (owner && made.status === 0) chownSync(path, owner.uid, owner.gid)
  }
  // For both ways: to open one end waits for the other.
  const held = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  return {
    tie: (program, args) => ({ file: '/bin/sh', args: ['-c', SHELL, 'sh', program, ...args] }),
    openReader: () => openSync(path, constants.O_RDONLY),
    close: () => closeSync(held),
  }
}

const isPipe = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFIFO() ?? false
