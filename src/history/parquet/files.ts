// The folder of a history, on the disk. A segment is a folder in it, which is written under another name, and renamed when
// its bytes are on the disk. A marker names the history, so that no other index uses the folder.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DISK_REASONS } from '../../base/disk-reason.ts'
import { StartupError } from '../../base/errors.ts'
import { filesOf, MANIFEST, readManifest, type SegmentManifest } from './manifest.ts'
import { ORDERS } from './orders.ts'

const MARKER = '_history.json'
/** Other programs skip names that begin so. */
const UNFINISHED = '_unfinished-'
/** Where writers put temporary files, each in a folder of its own. */
const SPILLED = '_spilled'
const FORMAT = 2
const SEGMENT_NAME = /^\d+-\d+-[0-9a-f]{8}$/

/** A name that no other segment ever had. */
export const nameSegment = (firstN: number, lastN: number): string => `${firstN}-${lastN}-${randomUUID().slice(0, 8)}`

const REASONS: Readonly<Record<string, string>> = { ...DISK_REASONS, ENOENT: 'a file or folder is missing' }

/** The fault of a file system or of DuckDB in some words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && 'syscall' in error) return REASONS[String(error.code)] ?? String(error.code)
  if (/No space left|disk is full/i.test(error.message)) return REASONS.ENOSPC ?? ''
  if (/Permission denied/i.test(error.message)) return REASONS.EACCES ?? ''
  if (/No such file|No files found/i.test(error.message)) return REASONS.ENOENT ?? ''
  return error.message.split('\n')[0] ?? ''
}

/** The identifier in the marker; null: the folder has no history. */
export async function readMarker(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const found = JSON.parse(text) as { format?: unknown; id?: unknown }
  if (found.format !== FORMAT || typeof found.id !== 'string')
    throw new StartupError(`${join(folder, MARKER)} is not of a history that this version reads.`)
  return found.id
}

/** Begins a history in an empty folder. */
export async function makeMarker(folder: string, id: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('_'))
  if (names.length > 0)
    throw new StartupError('HISTORY_DIR: the folder is not empty, and has no history: name another.')
  const path = join(folder, `${UNFINISHED}${randomUUID()}`)
  const file = await open(path, 'w')
  try {
    await file.writeFile(`${JSON.stringify({ format: FORMAT, id })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(path, join(folder, MARKER))
  await sync(folder)
}

/** Throws if a file of the segment is missing: then nothing may be removed, because another file may have its events. */
export async function requireFiles(folder: string, name: string): Promise<void> {
  const refuse = (file: string) => () => {
    throw new StartupError(`HISTORY_DIR lacks ${join(name, file)}: put the folder back, or restore it.`)
  }
  const manifest = await readManifest(join(folder, name)).catch(refuse(MANIFEST))
  for (const file of filesOf(manifest)) await stat(join(folder, name, file)).catch(refuse(file))
}

/**
 * Removes what a killed writer left: unfinished segments, and unknown ones that were written before `before`. A younger
 * one stays: the database may be a former leader that does not know it yet, and its successor may name the segment.
 */
export async function sweepFolder(folder: string, known: ReadonlySet<string>, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const isUnfinished = name.startsWith(UNFINISHED)
    if (!isUnfinished && (!SEGMENT_NAME.test(name) || known.has(name))) continue
    if (isUnfinished || (await stat(join(folder, name))).mtime < before) await removeSegment(folder, name)
  }
}

/** Makes a folder for the temporary files of one writer, and removes those of earlier ones. */
export async function makeSpillFolder(folder: string): Promise<string> {
  const all = join(folder, SPILLED)
  await mkdir(all, { recursive: true })
  for (const name of await readdir(all)) await rm(join(all, name), { recursive: true, force: true })
  const own = join(all, randomUUID())
  await mkdir(own)
  return own
}

export const removeSegment = (folder: string, name: string): Promise<void> =>
  rm(join(folder, name), { recursive: true, force: true })

/** Makes a folder for a segment that is being written, and returns its name. */
export async function beginSegment(folder: string): Promise<string> {
  const name = `${UNFINISHED}${randomUUID()}`
  await mkdir(join(folder, name))
  return name
}

/** Puts a written segment in its place, once its bytes are on the disk. Returns their number. */
export async function placeSegment(
  folder: string,
  { unfinished, name, manifest }: { unfinished: string; name: string; manifest: SegmentManifest },
): Promise<number> {
  const files = filesOf(manifest)
  for (const part of [...files, ...ORDERS, '.']) await sync(join(folder, unfinished, part))
  await rename(join(folder, unfinished), join(folder, name))
  await sync(folder)
  // Another writer may have swept some of the files under their former name; under this one it cannot.
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, name, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** A machine that loses its power must not lose the bytes of a file, or the names in a folder. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
