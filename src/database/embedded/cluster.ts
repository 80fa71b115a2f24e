// Creates the data folder of an embedded server, once. It is built in a temporary folder and renamed into place, so
// that neither a crash nor a second process ever leaves an incomplete folder.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../base/errors.ts'
import { codeOf } from '../../base/json.ts'
import { type Account, openWay } from './account.ts'
import type { Binaries } from './binaries.ts'
import { explain, requireRoom } from './fault.ts'
import { readPassword } from './password.ts'

/** The paths under DATA_DIR/postgres, and the password. */
export interface Cluster {
  /** PostgreSQL's data directory. */
  data: string
  /** The folder of the socket, mode 0700. */
  sockets: string
  /** The server's own log file. */
  log: string
  /** A file with the connection URL, for people and tools. Mode 0600, because it holds the password. */
  url: string
  password: string
  /** The file with the password, mode 0600. */
  passwordFile: string
}

/** The name of the user and of the database. */
export const NAME = 'assay'

const pathsOf = (folder: string) => ({
  data: join(folder, 'data'),
  sockets: join(folder, 'run'),
  log: join(folder, 'server.log'),
  url: join(folder, 'url'),
  passwordFile: join(folder, 'password'),
})

/** Opens the cluster of a data folder and creates it on first use. Throws a `StartupError` if that fails. */
export function openCluster(dataDir: string, binaries: Binaries, account: Account): Cluster {
  const folder = join(dataDir, 'postgres')
  try {
    if (!existsSync(folder)) make(dataDir, folder, binaries, account)
    const paths = pathsOf(folder)
    if (!readdirSync(folder).includes('data')) throw new StartupError(missing(paths.data))
    // The folder has no permanent content, and a copy of the data folder may lack it.
    if (!existsSync(paths.sockets)) give(mkdirOf(paths.sockets), account)
    return { ...paths, password: readPassword(paths.passwordFile, { data: paths.data, binaries, account }) }
  } catch (error) {
    throw error instanceof StartupError ? error : explain(error, folder)
  }
}

const missing = (data: string): string =>
  `The folder ${data} of the embedded database is missing. Restore it from a backup, or remove the folder above it to begin anew, without the indexed data and the keys.`

function mkdirOf(path: string): string {
  mkdirSync(path, { mode: 0o700 })
  return path
}

function give(path: string, { owner }: Account): void {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

function make(dataDir: string, folder: string, binaries: Binaries, account: Account): void {
  // A database that runs as another user must pass through the folder.
  mkdirSync(dataDir, { recursive: true, mode: account.owner ? 0o711 : 0o700 })
  for (const left of readdirSync(dataDir).filter((name) => /^postgres\.new-\d+-/.test(name))) {
    if (!isAlive(Number(left.split('-')[1]))) rmSync(join(dataDir, left), { recursive: true, force: true })
  }
  requireRoom(dataDir)
  const draft = join(dataDir, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  const { data, sockets, passwordFile: password } = pathsOf(draft)
  try {
    for (const path of [draft, data, sockets]) mkdirOf(path)
    writeFileSync(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
    for (const path of [draft, data, sockets, password]) give(path, account)
    initialise(data, password, binaries, openWay(account, draft, binaries.initdb))
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error)) && existsSync(folder)) return
    throw error
  }
}

/** Uses UTF-8 with the built-in C.UTF-8 collation, so that sorting is the same on every machine. */
function initialise(data: string, password: string, { initdb }: Binaries, account: Account): void {
  const { file, args, as } = account.wrap(initdb, [
    `--pgdata=${data}`,
    `--username=${NAME}`,
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  const made = spawnSync(file, args, { encoding: 'utf8', cwd: data, ...as })
  if (made.status !== 0) throw explain(made.error ?? new Error(made.stderr), data, made.stderr ?? '')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
