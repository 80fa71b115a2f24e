// The folder of an exported table. A file is written under another name and renamed when it is complete, so a reader
// sees whole files only. Then the manifest names it. A fault of the disk is one sentence.

import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DISK_REASONS } from '../base/disk-reason.ts'
import { StartupError } from '../base/errors.ts'
import type { Row } from './column.ts'
import type { Encoder } from './encoder.ts'
import type { LockFolder } from './folder-lock.ts'
import { type Manifest, type Partition, parseManifest, requireSame } from './manifest.ts'

const MANIFEST = '_manifest.json'
/** Readers of hive folders skip names that begin so. */
const UNFINISHED = '_unfinished-'

const REASONS: Readonly<Record<string, string>> = {
  ...DISK_REASONS,
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has this name',
  ENOENT: 'a folder of the path cannot be made, or was removed',
}

export interface ExportFolder {
  manifest: Manifest
  /** Whether the partition's file is there, and ends where this one ends. */
  isComplete(name: string, to: string | null): Promise<boolean>
  /** Writes the file of a partition. Returns its number of rows. */
  write(
    name: string,
    content: { encoder: Encoder; slices: AsyncIterable<Row[]> },
    facts: Omit<Partition, 'rows' | 'bytes'>,
  ): Promise<number>
}

/**
 * Opens or makes the folder. Throws if it holds something else than an export like `wanted`, or another export writes
 * there.
 */
export async function openFolder(path: string, wanted: Manifest, lock: LockFolder): Promise<ExportFolder> {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw explain(error, path)
    }
  }
  const manifest = await guard(async () => prepare(path, wanted, lock))
  const fileOf = (name: string) => join(path, name, `part-0.${wanted.format}`)
  return {
    manifest,
    isComplete: async (name, to) => {
      const known = manifest.partitions[name]
      if (known?.to !== to) return false
      const found = await stat(fileOf(name)).catch(() => null)
      return found?.size === known.bytes
    },
    write: (name, { encoder, slices }, facts) =>
      guard(async () => {
        let rows = 0
        const bytes = await replace(path, fileOf(name), async (file) => {
          for await (const slice of slices) {
            await file.writeFile(await encoder.encode(slice))
            rows += slice.length
          }
          await file.writeFile(await encoder.finish())
        })
        manifest.partitions[name] = { ...facts, rows, bytes }
        await replace(path, join(path, MANIFEST), (file) => file.writeFile(`${JSON.stringify(manifest, null, 1)}\n`))
        return rows
      }),
  }
}

/** The manifest of the folder, which continues an interrupted export, or a new one. */
async function prepare(path: string, wanted: Manifest, lock: LockFolder): Promise<Manifest> {
  await makeFolder(resolve(path))
  const { dev, ino } = await stat(path)
  await lock(`${dev} ${ino}`, path)
  const names = await readdir(path)
  for (const name of names.filter((name) => name.startsWith(UNFINISHED))) await rm(join(path, name))
  if (names.includes(MANIFEST)) {
    const found = parseManifest(await readFile(join(path, MANIFEST), 'utf8'), path)
    requireSame(path, found, wanted)
    return found
  }
  if (names.some((name) => !name.startsWith(UNFINISHED)))
    throw new StartupError(`${path} is not empty, and has no export: name another folder with --out.`)
  await replace(path, join(path, MANIFEST), (file) => file.writeFile(`${JSON.stringify(wanted, null, 1)}\n`))
  return wanted
}

/** Makes the folder and those above it, one by one: below `/proc`, Node's own recursive `mkdir` never returns. */
async function makeFolder(path: string): Promise<void> {
  if (await stat(path).catch(() => null)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path).catch((error) => {
    // Somebody else may have made it.
    if (error.code !== 'EEXIST') throw error
  })
}

/** Writes a file under another name, then puts it in its place. Returns its size in bytes. */
async function replace(folder: string, path: string, write: (file: FileHandle) => Promise<void>): Promise<number> {
  const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`)
  const file = await open(unfinished, 'w')
  try {
    await write(file)
    // A machine that loses its power must not leave a name without the bytes.
    await file.sync()
    await file.close()
    const { size } = await stat(unfinished)
    await makeFolder(dirname(path))
    await rename(unfinished, path)
    return size
  } catch (error) {
    await file.close().catch(() => {})
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** The fault of the file system in one sentence; any other error as it is. */
function explain(error: unknown, path: string): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && 'code' in error && !('address' in error)
  if (!isOfFiles) return error
  const code = String(error.code)
  return new StartupError(`${path} cannot be written: ${REASONS[code] ?? code}.`, 1, error)
}
