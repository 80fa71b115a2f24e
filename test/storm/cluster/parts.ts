// The parts of a rehearsal that are not ours: HAProxy before the API and before PostgreSQL, PgBouncer, Redis. Each is a process of
// its own on a free port of this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findPort } from '../../support/servers.ts'
import type { Member } from './patroni.ts'

export interface Part {
  port: number
  kill(): Promise<void>
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
}

/** A program that listens on a port; started. */
export async function startPart(port: number, program: string, args: readonly string[]): Promise<Part> {
  let child: ChildProcess | undefined
  const start = async () => {
    let said = ''
    child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)))
    for (let tries = 0; !(await listens(port)); tries += 1)
      if (tries === 100 || child.exitCode !== null) throw new Error(`${program} did not start: ${said}`)
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return { port, kill, start, signal: (name) => void child?.kill(name) }
}

export const listens = (port: number, host = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => setTimeout(resolve, 50, false))
  })

/** With `keepsMemory` each command is in a file before its answer, so a kill loses none. */
export async function startRedis(folder: string, keepsMemory: boolean): Promise<Part> {
  const port = await findPort()
  const memory = keepsMemory ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no']
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  return startPart(port, 'redis-server', [...place, '--save', '', ...memory])
}

export interface Balancer extends Part {
  /** Where PostgreSQL's primary is reached, whichever server that is. */
  databasePort: number
}

/** HAProxy: one port for the API's processes, which /readyz tells, and one for the primary, which Patroni tells. */
export async function startBalancer(
  folder: string,
  apis: readonly number[],
  members: readonly Member[],
): Promise<Balancer> {
  const [port, databasePort] = [await findPort(), await findPort()]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
frontend api
  mode http
  bind 127.0.0.1:${port}
  default_backend api
backend api
  mode http
  balance leastconn
  option httpchk GET /readyz
  option redispatch
  retries 2
  retry-on conn-failure empty-response
  # What writes is never sent twice.
  http-request disable-l7-retry if !{ method GET HEAD }
  option forwardfor
${apis.map((api, at) => `  server api${at + 1} 127.0.0.1:${api} check inter 200ms fall 2 rise 1`).join('\n')}
frontend database
  mode tcp
  bind 127.0.0.1:${databasePort}
  default_backend database
backend database
  mode tcp
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, host, port: at, restPort }) => `  server ${name} ${host}:${at} check port ${restPort}`).join('\n')}
`,
  )
  const part = await startPart(port, 'haproxy', ['-f', file])
  return { ...part, databasePort }
}

/** PgBouncer in transaction mode before the primary. It refuses to run as root. */
export async function startBouncer(
  folder: string,
  databasePort: number,
  owner: { uid: number; gid: number } | null,
): Promise<Part> {
  const port = await findPort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
assay = host=127.0.0.1 port=${databasePort} user=assay connect_query='SET statement_timeout = 8000; SET random_page_cost = 1.1; SET jit = off'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
max_client_conn = 500
server_login_retry = 1
`,
  )
  chmodSync(file, 0o644)
  const args = ['-q', file]
  return owner
    ? startPart(port, 'setpriv', [
        '--reuid',
        `${owner.uid}`,
        '--regid',
        `${owner.gid}`,
        '--clear-groups',
        'pgbouncer',
        ...args,
      ])
    : startPart(port, 'pgbouncer', args)
}
