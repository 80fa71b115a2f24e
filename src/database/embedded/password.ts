// The password of the embedded server, kept in a file beside its data. The data is of no use without it, but whoever owns the
// folder can set a new one: each sentence says how.
import { readFileSync } from 'node:fs'
import { StartupError } from '../../base/errors.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'

/** What it takes to set a new password. */
export interface Keeper {
  data: string
  binaries: Binaries
  account: Account
}

/** What an address, a shell and a statement take as it stands. */
const PASSWORD = /^[A-Za-z0-9]{1,200}$/

/** The password in the file; throws a `StartupError` when there is none. */
export function readPassword(file: string, keeper: Keeper): string {
  let password: string
  try {
    password = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw refuse(file, 'is missing', keeper, error)
    throw refuse(file, `cannot be read (${code ?? error})`, keeper, error)
  }
  if (password === '') throw refuse(file, 'is empty', keeper)
  if (!PASSWORD.test(password)) throw refuse(file, 'is not one line of letters and digits', keeper)
  return password
}

/** That the file holds another password than the server has. */
export const refusePassword = (file: string, keeper: Keeper, cause: unknown): StartupError =>
  refuse(file, 'does not hold the password of this database', keeper, cause)

const refuse = (file: string, fault: string, keeper: Keeper, cause?: unknown): StartupError =>
  new StartupError(
    `The file ${file} ${fault}: restore it from a backup, or, while nothing of Assay runs on this folder, write a new one ` +
      `into it (letters and digits) and set it, without losing data, by ${resetCommand(file, keeper)}`,
    1,
    cause,
  )

/** A line for a shell that gives the database the password in the file; the server itself need not run, nor the old one be known. */
function resetCommand(file: string, { data, binaries, account: { owner } }: Keeper): string {
  const asOwner = owner ? `setpriv --reuid ${owner.uid} --regid ${owner.gid} --clear-groups ` : ''
  const statement = `echo "ALTER ROLE assay PASSWORD '$(cat ${quote(file)})'"`
  return `${statement} | ${asOwner}${quote(binaries.postgres)} --single -D ${quote(data)} template1`
}

const quote = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`
