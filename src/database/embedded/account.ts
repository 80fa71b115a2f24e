// Chooses the user that runs the embedded server. PostgreSQL refuses root, so under root the server runs as the owner
// of its folder, else as `postgres`, else as `nobody`. If a parent folder is closed to that user (such as /root), the
// server gets the capability to pass through it, and no other.
import { execFileSync, spawnSync } from 'node:child_process'
import { type Stats, statSync } from 'node:fs'
import { StartupError } from '../../base/errors.ts'
import { explain } from './fault.ts'

/** How to start a program as the server's user. */
export interface Account {
  /** Null: the user of this process. */
  owner: { uid: number; gid: number } | null
  /** Returns the command line and the `spawn` options that run a program as that user. */
  wrap(program: string, args: readonly string[]): { file: string; args: string[]; as: { uid?: number; gid?: number } }
}

const OURSELVES: Account = { owner: null, wrap: (file, args) => ({ file, args: [...args], as: {} }) }

/**
 * Chooses the account for a folder, which may not exist yet. Throws a `StartupError` if the folder belongs to another
 * user.
 */
export function chooseAccount(folder: string, uid: number | undefined = process.getuid?.()): Account {
  const found = look(folder)
  if (uid === undefined) return OURSELVES
  if (uid !== 0) {
    if (!found || found.uid === uid) return OURSELVES
    throw new StartupError(
      `${folder} belongs to another user (id ${found.uid}): start as that user, or set DATA_DIR to another folder.`,
    )
  }
  const owner = found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : findUser()
  return { owner, wrap: (file, args) => ({ file, args: [...args], as: owner }) }
}

/** Adds the capability to read through closed folders, if the account needs it to run the program in the folder. */
export function openWay(account: Account, folder: string, program: string): Account {
  const { owner } = account
  if (!owner) return account
  const probe = ['-x', folder, '-a', '-x', program]
  if (spawnSync('test', probe, owner).status === 0) return account
  for (const right of ['+dac_read_search', '+dac_override']) {
    const prefix = ['--reuid', `${owner.uid}`, '--regid', `${owner.gid}`, '--clear-groups']
    // Without this bit access(2), which initdb uses, would ignore the capability.
    prefix.push('--securebits', '+no_setuid_fixup')
    prefix.push('--inh-caps', `-all,${right}`, '--ambient-caps', `-all,${right}`)
    if (spawnSync('setpriv', [...prefix, 'test', ...probe]).status !== 0) continue
    return { owner, wrap: (file, args) => ({ file: 'setpriv', args: [...prefix, file, ...args], as: {} }) }
  }
  throw new StartupError(
    `The embedded database cannot run as root, and the user it would run as (id ${owner.uid}) cannot reach ${folder} and ${program}. ` +
      'Start as an ordinary user, set DATA_DIR to a folder that others may enter, or set DATABASE_URL.',
  )
}

function look(folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })
  } catch (error) {
    throw explain(error, folder)
  }
}

function findUser(): { uid: number; gid: number } {
  for (const name of ['postgres', '_postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
      )
      if (uid && gid) return { uid, gid }
    } catch {}
  }
  throw new StartupError(
    'The embedded database cannot run as root, and this machine has neither a user postgres nor nobody. Start as an ordinary user, or set DATABASE_URL.',
  )
}
