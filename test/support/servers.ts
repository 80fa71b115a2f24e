// PostgreSQL servers with streaming replicas, made of the programs that come with the package: a primary, and copies of it that
// follow it. Nothing is flushed to disk.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { type Account, chooseAccount, openWay } from '../../src/database/embedded/account.ts'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { untilThere } from './patience.ts'

export interface Server {
  port: number
  url: string
  /** The server's own output. */
  log(): string
  /** As if its machine lost power: no statement ends, nothing is said to clients. */
  kill(): Promise<void>
  start(): Promise<void>
  /** A copy of this server as it is now, which goes on following it. */
  copy(name: string): Promise<Server>
}

const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'replica',
  max_wal_senders: '10',
  wal_keep_size: '1GB',
  wal_writer_delay: '10ms',
  max_connections: '200',
  shared_buffers: '64MB',
  jit: 'off',
  listen_addresses: '127.0.0.1',
  log_min_messages: 'warning',
}

/** A port that is free now. */
export const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** An empty primary in a folder, which must exist; started. `settings` are for it and its copies. */
export async function startPrimary(folder: string, settings: Record<string, string> = {}): Promise<Server> {
  const account = chooseAccount(folder)
  const data = makeFolder(join(folder, 'primary'), account)
  run(account, folder, findBinaries().initdb, [
    '-D',
    data,
    '-U',
    'assay',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ])
  const server = await openServer({ folder, name: 'primary', account, settings: { ...SETTINGS, ...settings } })
  await server.start()
  const client = new pg.Client({ connectionString: server.url.replace(/assay$/, 'postgres') })
  await client.connect()
  await client.query('CREATE DATABASE assay').finally(() => client.end())
  return server
}

interface Place {
  folder: string
  name: string
  account: Account
  settings: Record<string, string>
}

async function openServer(place: Place): Promise<Server> {
  const { folder, name, account, settings } = place
  const data = join(folder, name)
  const logFile = join(folder, `${name}.log`)
  const port = await findPort()
  const url = `postgres://assay@127.0.0.1:${port}/assay`
  const all: Record<string, string> = { ...settings, port: String(port), unix_socket_directories: data }
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGQUIT')
    await ended
    child = undefined
  }
  const start = async () => {
    const options = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const { file, args, as } = openWay(account, folder, findBinaries().postgres).wrap(findBinaries().postgres, [
      '-D',
      data,
      ...options,
    ])
    child = spawn(file, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
    child.stderr?.on('data', (chunk) => writeFileSync(logFile, String(chunk), { flag: 'a' }))
    const isThere = () => {
      if (child?.exitCode !== null) throw new Error(`${name} ended at its start: ${log()}`)
      return answers(url)
    }
    await untilThere(isThere, () => `${name} did not start: ${log()}`)
  }
  const log = () => readFileSync(logFile, 'utf8')
  return {
    port,
    url,
    log,
    kill,
    start,
    copy: async (copyName) => {
      await copyFolder(url, data, join(folder, copyName), account)
      const copied = await openServer({
        ...place,
        name: copyName,
        settings: { ...settings, primary_conninfo: conninfo(port, copyName) },
      })
      await copied.start()
      return copied
    },
  }
}

const conninfo = (port: number, name: string) => `host=127.0.0.1 port=${port} user=assay application_name=${name}`

async function ask(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(statement).finally(() => client.end())
}

/** The database may not exist yet. */
const answers = (url: string): Promise<boolean> =>
  ask(url.replace(/assay$/, 'postgres'), 'SELECT 1').then(
    () => true,
    () => false,
  )

/** A base backup by the server's own functions, so that no other program is needed. */
async function copyFolder(url: string, from: string, to: string, account: Account): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('copy', true)`)
    cpSync(from, to, { recursive: true, filter: (path) => !/\/(postmaster\.(pid|opts)|\.s\.PGSQL.*)$/.test(path) })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
    writeFileSync(join(to, 'standby.signal'), '')
  } finally {
    await client.end()
  }
  const { owner } = account
  execFileSync('chmod', ['0700', to])
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, to])
}

function makeFolder(path: string, { owner }: Account): string {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { mode: 0o700 })
  if (owner) chownSync(path, owner.uid, owner.gid)
  return path
}

function run(account: Account, folder: string, program: string, given: readonly string[]): void {
  const { file, args, as } = openWay(account, folder, program).wrap(program, given)
  execFileSync(file, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
}
