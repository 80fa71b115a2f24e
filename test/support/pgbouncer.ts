// PgBouncer in transaction mode in front of a test's database, where the program is installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { chooseAccount } from '../../src/database/embedded/account.ts'
import { makeFolder } from './folder.ts'
import { untilThere } from './patience.ts'
import { findPort } from './servers.ts'

export const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).status === 0

/** What docs/scaling.md says to set for each connection to the server. */
const CONNECT_QUERY = 'SET statement_timeout = 8000; SET random_page_cost = 1.1; SET jit = off'

export interface Pooler {
  url: string
  stop(): Promise<void>
}

/** `size`: connections to the server, which all clients share by transaction. */
export async function startPgbouncer(url: string, size: number): Promise<Pooler> {
  const target = new URL(url)
  const folder = makeFolder('pgbouncer')
  chmodSync(folder, 0o755)
  const port = await findPort()
  const place = `host=${target.searchParams.get('host') ?? target.hostname} port=${target.port || 5432}`
  const who = `user=${target.username}${target.password ? ` password=${decodeURIComponent(target.password)}` : ''}`
  const ini = join(folder, 'pgbouncer.ini')
  writeFileSync(
    ini,
    `[databases]\n* = ${place} ${who} connect_query='${CONNECT_QUERY}'
[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\npool_mode = transaction
default_pool_size = ${size}\nmax_client_conn = 500\nunix_socket_dir =\n`,
  )
  // It refuses to run as root.
  const { owner } = chooseAccount(join(folder, 'of-nobody'))
  const child = spawn('pgbouncer', ['-q', ini], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += String(chunk)
  })
  const isThere = () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended at its start: ${said}`)
    return listens(port)
  }
  await untilThere(isThere, () => `pgbouncer did not start: ${said}`)
  return {
    url: `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
