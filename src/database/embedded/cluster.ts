// Makes the data folder of a server, once. It is made aside and renamed into place, so that a crash half-way or a second
// process at the same time never leaves half a folder.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../base/errors.ts'
import { type Account, openWay } from './account.ts'
import type { Binaries } from './binaries.ts'
import { explain, requireRoom } from './fault.ts'
import { readPassword } from './password.ts'

/** Where things are, under DATA_DIR/postgres. */
export interface Cluster {
  /** PostgreSQL's own folder. */
  data: string
  /** The socket's folder, mode 0700. */
  sockets: string
  /** The server's own log. */
  log: string
  /** The address for people and tools, mode 0600: it holds the password. */
  url: string
  password: string
  /** Where the password is kept, mode 0600. */
  passwordFile: string
}

/** The user and the database inside the server. */
export const NAME = 'assay'

const pathsOf = (folder: string) => ({
  data: join(folder, 'data'),
  sockets: join(folder, 'run'),
  log: join(folder, 'server.log'),
  url: join(folder, 'url'),
  passwordFile: join(folder, 'password'),
})

/** The cluster of a data folder, made on first use. Throws a `StartupError` when it can't be made. */
export function openCluster(dataDir: string, binaries: Binaries, account: Account): Cluster {
  const folder = join(dataDir, 'postgres')
  try {
    if (!existsSync(folder)) make(dataDir, folder, binaries, account)
    const paths = pathsOf(folder)
    if (!readdirSync(folder).includes('data')) throw new StartupError(missing(paths.data))
    // Nothing of worth is in it, and a copy of the folder may lack it.
    if (!existsSync(paths.sockets)) give(mkdirOf(paths.sockets), account)
    return { ...paths, password: readPassword(paths.passwordFile, { data: paths.data, binaries, account }) }
  } catch (error) {
    throw error instanceof StartupError ? error : explain(error, folder)
  }
}

const missing = (data: string): string =>
  `The folder ${data} of the embedded database is missing: restore it from a backup, or remove the folder above it to begin anew, without what was indexed and without the keys.`

function mkdirOf(path: string): string {
  mkdirSync(path, { mode: 0o700 })
  return path
}

function give(path: string, { owner }: Account): void {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

function make(dataDir: string, folder: string, binaries: Binaries, account: Account): void {
  mkdirSync(dataDir, { recursive: true })
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
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') && existsSync(folder))
      return
    throw error
  }
}

/** UTF-8 with the built-in C.UTF-8 order: the same on every machine, whatever locales it has. */
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
