// The folder for all files of a test run: its databases, logs and temporary files. It is in memory if there is room. A
// hundred databases are copied and dropped, which takes a disk three times as long as the tests themselves.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { findBinaries } from '../../src/database/embedded/binaries.ts'
import { shutDown } from '../../src/database/embedded/postmaster.ts'

/** Linux's file system in memory; a container often has 64 MB of it. */
const MEMORY = '/dev/shm'
const MOUNTS = '/proc/self/mounts'
/** A run was seen to need 700 MB. */
const ROOM_BYTES = 3 * 2 ** 30

/** Makes the folder, which is `os.tmpdir()` for this process and those that it starts. Returns how to remove it. */
export async function openScratch(): Promise<() => void> {
  const usual = process.env.TMPDIR
  const parent = usual === undefined && hasRoom() ? MEMORY : tmpdir()
  await sweep(parent)
  const folder = mkdtempSync(join(parent, `assay-test-${process.pid}-`))
  // A PostgreSQL that a test starts may run as another user, which must be able to enter this closed folder.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES
  } catch {
    // Not Linux.
    return false
  }
}

/** Stops the servers of killed runs, and removes their folders. A folder that cannot be removed stays. */
export async function sweep(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^assay-test-(\d+)-/.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    const folder = join(parent, name)
    const { pgCtl } = findBinaries()
    await shutDown(join(folder, 'postgres', 'data'), { pgCtl, clock: systemClock, timeoutMs: 5_000 })
    // A killed run left its small file systems mounted, and a mounted folder cannot be removed.
    for (const mounted of findMounts(folder)) spawnSync('umount', ['-l', mounted])
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      process.stderr.write(`${folder} of a killed test run cannot be removed: ${(error as Error).message}\n`)
    }
  }
}

/** File systems mounted below a folder, the innermost first. */
function findMounts(folder: string): string[] {
  if (!existsSync(MOUNTS)) return []
  const points = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
  return points.filter((point) => point.startsWith(`${folder}/`)).reverse()
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
