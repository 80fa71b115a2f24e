// Starts the server of a data folder as a separate process that lives as long as anybody uses it, and writes its own log.
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, fstatSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../telemetry/log.ts'
import { type Account, openWay } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import type { Lifeline } from './lifeline.ts'
import { findPort, type Place, urlOf } from './place.ts'

/** Everything needed to run a server. */
export interface Parts {
  cluster: Cluster
  binaries: Binaries
  account: Account
  /** Null: the server outlives a killed process, and the next start takes it over. */
  lifeline: Lifeline | null
  place: Place
  settings: Record<string, string>
  log: Log
  clock: Clock
  /** Called while the server is starting. */
  onWait?: (() => void) | undefined
}

/** A server log longer than this is truncated at the next start. */
const LOG_BYTES = 10_000_000

export interface Started {
  exited(): boolean
  /** The server's log since its start. */
  output(): string
  /** Lets this process exit while the server runs. */
  release(): void
}

/** Starts a server that a Ctrl-C in our terminal does not reach: we stop it after our own work is done. */
export async function launch(parts: Parts): Promise<Started> {
  const { cluster, binaries, account, lifeline, place, settings, log } = parts
  if (place.port !== null) place.port = await findPort(place.port)
  const options = { ...settings, ...place.settings() }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const way = openWay(account, cluster.data, binaries.postgres)
  const command = { file: binaries.postgres, args: ['-D', cluster.data, ...flags] }
  const tied = lifeline ? lifeline.tie(command.file, command.args) : command
  const { file, args, as } = way.wrap(tied.file, tied.args)
  const size = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0
  const output = openSync(cluster.log, size > LOG_BYTES ? 'w' : 'a', 0o600)
  const from = fstatSync(output).size
  writeUrl(cluster, place, account)
  const input = lifeline?.openReader()
  let ended = false
  let fault: Error | null = null
  const child: ChildProcess = spawn(file, args, {
    ...as,
    cwd: cluster.data,
    detached: true,
    windowsHide: true,
    stdio: [input ?? 'ignore', output, output],
  })
  for (const file of [output, input]) if (file !== undefined) closeSync(file)
  child.on('exit', () => {
    ended = true
  })
  child.on('error', (error) => {
    ended = true
    fault = error
  })
  log.debug({ pid: child.pid }, 'the embedded database is starting')
  return {
    exited: () => ended,
    output: () => (fault ? String(fault) : readFileSync(cluster.log).subarray(from).toString()),
    release: () => child.unref(),
  }
}

function writeUrl(cluster: Cluster, place: Place, { owner }: Account): void {
  const known = statSync(cluster.url, { throwIfNoEntry: false }) ? readFileSync(cluster.url, 'utf8') : ''
  if (known === `${urlOf(cluster, place)}\n`) return
  writeFileSync(cluster.url, `${urlOf(cluster, place)}\n`, { mode: 0o600 })
  if (owner) chownSync(cluster.url, owner.uid, owner.gid)
}
