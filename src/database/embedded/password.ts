// The password of the embedded server, in a file beside its data. Without the file nobody can connect, but the owner of
// the folder can set a new password; each error message has the command.
import { readFileSync } from 'node:fs'
import { StartupError } from '../../base/errors.ts'
import { codeOf } from '../../base/json.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'

/** The inputs of the command that sets a new password. */
export interface Keeper {
  data: string
  binaries: Binaries
  account: Account
}

/** Only characters that need no quoting in a URL, a shell or an SQL statement. */
const PASSWORD = /^[A-Za-z0-9]{1,200}$/

/** Reads the password; throws a `StartupError` if there is none. */
export function readPassword(file: string, keeper: Keeper): string {
  let password: string
  try {
    password = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') throw refuse(file, 'is missing', keeper, error)
    throw refuse(file, `cannot be read (${code ?? error})`, keeper, error)
  }
  if (password === '') throw refuse(file, 'is empty', keeper)
  if (!PASSWORD.test(password)) throw refuse(file, 'is not one line of letters and digits', keeper)
  return password
}

/** The error for a file whose password is not the server's. */
export const refusePassword = (file: string, keeper: Keeper, cause: unknown): StartupError =>
  refuse(file, 'does not hold the password of this database', keeper, cause)

const refuse = (file: string, fault: string, keeper: Keeper, cause?: unknown): StartupError =>
  new StartupError(
    `The file ${file} ${fault}: restore it from a backup, or, while nothing of Assay runs on this folder, write a new one ` +
      `into it (letters and digits) and set it, without losing data, by ${resetCommand(file, keeper)}`,
    1,
    cause,
  )

/**
 * A shell command that sets the database's password to the one in the file. It needs neither a running server nor the
 * old password.
 */
function resetCommand(file: string, { data, binaries, account: { owner } }: Keeper): string {
  const asOwner = owner ? `setpriv --reuid ${owner.uid} --regid ${owner.gid} --clear-groups ` : ''
  const statement = `echo "ALTER ROLE assay PASSWORD '$(cat ${quote(file)})'"`
  return `${statement} | ${asOwner}${quote(binaries.postgres)} --single -D ${quote(data)} template1`
}

const quote = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`
