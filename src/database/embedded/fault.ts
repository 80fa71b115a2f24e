// Explains in one sentence why the embedded server did not start and how to fix it. PostgreSQL's programs report it
// only as text.
import { readFileSync, statfsSync } from 'node:fs'
import { StartupError } from '../../base/errors.ts'

/** With less free space a server can write neither its log nor the next WAL segment. */
const FULL_BYTES = 16 * 2 ** 20
/** A new database takes 40 MB, and its WAL 16 MB. */
const NEW_BYTES = 64 * 2 ** 20
const FULL = 'There is no space left on the disk of {at}: free some, or set DATA_DIR to a folder on another disk.'

const ORPHANED = /pre-existing shared memory block/i

/** Patterns in the programs' output or in an error's code, and the message to the user. `{at}` is the folder. */
const FAULTS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/No space left on device|ENOSPC|disk quota exceeded/i, FULL],
  [/Read-only file system|EROFS/i, '{at} is on a read-only file system: set DATA_DIR to a folder that can be written.'],
  [
    /database files are incompatible|was initialized by PostgreSQL version/i,
    '{at} was made by another version of PostgreSQL: start the version of Assay that made it, or set DATA_DIR to a new folder.',
  ],
  [
    /has invalid permissions/i,
    '{at} is open to other users, and PostgreSQL refuses such a folder: close it with `chmod 700 {at}`.',
  ],
  [
    /is not a valid data directory|could not find the database system|required WAL directory|could not (access|open|load|read)[^\n]*"[^"]*(\.conf|global\/\w+|PG_VERSION)"|invalid checkpoint record|could not locate a valid checkpoint/i,
    '{at} is not whole (the database says: {said}): restore the folder above it from a backup, or remove that folder to begin anew, without what was indexed and without the keys.',
  ],
  [
    /Permission denied|EACCES|EPERM|has wrong ownership/i,
    '{at} cannot be read or written by this user: change its owner, or set DATA_DIR to another folder.',
  ],
  [/ENOTDIR|EEXIST/, '{at} cannot be made, because a file is in its place: set DATA_DIR to a folder.'],
  [
    ORPHANED,
    'A database that was killed has left processes that still use {at}: end them (`ps -ef | grep postgres`), and start again.',
  ],
  [
    /could not create shared memory|Cannot allocate memory|could not map anonymous/i,
    'There is not enough memory for the embedded database (it wants 256 MB): free some, or set DATABASE_URL.',
  ],
  [
    /error while loading shared libraries|cannot open shared object|symbol not found|ENOENT|ENOEXEC|No such file or directory/i,
    'The programs of the embedded database do not run on this machine (they need glibc and their libraries): reinstall, or set DATABASE_URL to a PostgreSQL server.',
  ],
]

/** Matches a line with a reason. Refusals of connections while the server starts or stops are no reason. */
const SAYS_WHY = /(?:FATAL|PANIC|error):? (?!.*the database system is (?:starting up|shutting down|in recovery))/i

/** The error with the sentence for an error or a program's output. */
export function explain(error: unknown, at: string, output = ''): StartupError {
  const { code, message } = error as NodeJS.ErrnoException
  const text = `${output}\n${code ?? ''}\n${message ?? ''}`
  const known = FAULTS.find(([pattern]) => pattern.test(text))
  const said = lastLine(output || message || '', SAYS_WHY) ?? lastLine(output || message || '', /\S/)
  const told = known?.[1] ?? (isFull(at) ? FULL : undefined)
  const sentence = told
    ? told.replaceAll('{at}', () => at).replace('{said}', () => toWords(said ?? 'nothing'))
    : `The embedded database at ${at} does not start${said ? ` (${toWords(said)})` : ''}. Set DATABASE_URL to use another PostgreSQL server.`
  return new StartupError(sentence, 1, error)
}

/** The last reason in a server's log for its end, or null if there is none: a killed server logs nothing. */
export function readEnd(log: string): string | null {
  try {
    const text = readFileSync(log).subarray(-LAST_BYTES).toString()
    return lastLine(text, /PANIC|shutdown request|was terminated by|shutting down (due|because)/)?.trim() ?? null
  } catch {
    return null
  }
}

/** How much of the end of the log is searched. */
const LAST_BYTES = 8_192

/** Shortens a log line for use in a sentence: no timestamp or process id, one line, at most 300 characters. */
const toWords = (line: string): string =>
  line
    .trim()
    .replace(/^.*?(FATAL|PANIC): +/, '')
    .slice(0, 300)

const lastLine = (text: string, pattern: RegExp): string | undefined =>
  text
    .trim()
    .split('\n')
    .findLast((line) => pattern.test(line))

/**
 * Throws if a new database has no room. Checked in advance, because initdb fails in many ways on a full disk and
 * removes its files before we can look.
 */
export function requireRoom(folder: string): void {
  if (isFull(folder, NEW_BYTES)) throw new StartupError(FULL.replaceAll('{at}', () => folder))
}

/** Whether the disk is full. The server may be unable to log that. */
function isFull(folder: string, wantedBytes = FULL_BYTES): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < wantedBytes
  } catch {
    return false
  }
}

/** Whether another process was faster and its server has the folder. */
export const isTaken = (output: string): boolean => /lock file .* (already exists|is empty)/i.test(output)

/** Whether connections of a server that was killed still use its memory. */
export const isOrphaned = (output: string): boolean => ORPHANED.test(output)
