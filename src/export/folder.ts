// The folder of an exported table. A file is written under another name and renamed when it is complete, so a reader
// sees whole files only. Then the manifest names it. A fault of the disk is one sentence.
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../base/errors.ts'
import type { Row } from './column.ts'
import type { Encoder } from './encoder.ts'
import { type Manifest, type Partition, parseManifest, requireSame } from './manifest.ts'

const MANIFEST = '_manifest.json'
/** Readers of hive folders skip names that begin so. The process's number keeps two exports apart. */
const UNFINISHED = '_unfinished-'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file has this name',
  ENOENT: 'another export writes there, or removed it',
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

/** Opens or makes the folder. Throws if it holds something else than an export like `wanted`. */
export async function openFolder(path: string, wanted: Manifest): Promise<ExportFolder> {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw explain(error, path)
    }
  }
  const manifest = await guard(async () => prepare(path, wanted))
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
async function prepare(path: string, wanted: Manifest): Promise<Manifest> {
  await mkdir(path, { recursive: true })
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

/** Writes a file under another name, then puts it in its place. Returns its size in bytes. */
async function replace(folder: string, path: string, write: (file: FileHandle) => Promise<void>): Promise<number> {
  const unfinished = join(folder, `${UNFINISHED}${process.pid}`)
  const file = await open(unfinished, 'w')
  try {
    await write(file)
    // A machine that loses its power must not leave a name without the bytes.
    await file.sync()
    await file.close()
    const { size } = await stat(unfinished)
    await mkdir(join(path, '..'), { recursive: true })
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
