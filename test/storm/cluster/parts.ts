// The parts of a rehearsal that are not ours: HAProxy before the API and before PostgreSQL, PgBouncer, Redis. Each is a process of
// its own on a free port of this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findPort } from '../../support/servers.ts'

export interface Part {
  port: number
  kill(): Promise<void>
  start(): Promise<void>
}

/** A program that listens on a port; started. */
async function startPart(port: number, program: string, args: readonly string[]): Promise<Part> {
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
  return { port, kill, start }
}

export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => setTimeout(resolve, 50, false))
  })

export async function startRedis(): Promise<Part> {
  const port = await findPort()
  return startPart(port, 'redis-server', [
    '--port',
    String(port),
    '--save',
    '',
    '--appendonly',
    'no',
    '--bind',
    '127.0.0.1',
  ])
}

export interface Balancer extends Part {
  /** Where PostgreSQL's primary is reached, whichever server that is. */
  databasePort: number
  /** What an orchestrator such as Patroni does after a promotion. */
  movePrimary(port: number): Promise<void>
}

/** HAProxy: one port for the API's processes, asked by /readyz five times a second, and one for the primary. */
export async function startBalancer(folder: string, apis: readonly number[], primary: number): Promise<Balancer> {
  const [port, databasePort] = [await findPort(), await findPort()]
  const socket = join(folder, 'haproxy.sock')
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  stats socket ${socket} level admin
defaults
  timeout connect 1s
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
  server primary 127.0.0.1:${primary} check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
`,
  )
  const part = await startPart(port, 'haproxy', ['-f', file])
  const command = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const asked = connect(socket, () => asked.end(`${text}\n`))
      asked
        .on('error', reject)
        .on('close', () => resolve())
        .resume()
    })
  return {
    ...part,
    databasePort,
    movePrimary: async (to) => {
      await command(`set server database/primary addr 127.0.0.1 port ${to}`)
      await command('shutdown sessions server database/primary')
    },
  }
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
