// A disk that fills up under the embedded database and is freed later, and a read-only disk. Uses a small file system
// of its own, which needs the right to mount.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readPostmaster } from '../../src/database/embedded/postmaster.ts'
import { openLedger } from '../../src/database/open.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { findDifferences, takePicture } from './picture.ts'
import { indexTo, readBlock, startProgram } from './program.ts'
import { startStormSource } from './source.ts'

const MEGABYTES = 160
const UNTIL = 200
const FULL = /There is no space left on the disk of \S+: free some/

const disk = mkdtempSync(join(tmpdir(), 'assay-disk-'))
const mount = (...options: string[]) =>
  spawnSync('mount', ['-o', options.join(','), '-t', 'tmpfs', 'tmpfs', disk]).status === 0
const canMount = process.platform === 'linux' && process.getuid?.() === 0 && mount(`size=${MEGABYTES}m`)
if (canMount) chmodSync(disk, 0o711)
const skipped = canMount ? '' : ' (skipped: no right to mount)'
const clear = () => {
  if (canMount) spawnSync('umount', ['-l', disk])
  rmSync(disk, { recursive: true, force: true })
}
process.on('exit', clear)

const source = await startStormSource()
afterAll(() => {
  source.close()
  clear()
})

const dataDir = join(disk, 'data')
const start = () => startProgram(['index', '--until', String(UNTIL)], { RPC_URL: source.url, DATA_DIR: dataDir })

/** Fills the disk completely. */
function fill(): void {
  let bytes = 2 ** 20
  for (let part = 0; bytes >= 4096; part++) {
    try {
      writeFileSync(join(disk, `ballast-${part}`), Buffer.alloc(bytes))
    } catch {
      bytes /= 2
    }
  }
}

const free = () => {
  const { status } = spawnSync('sh', ['-c', `rm -f ${join(disk, 'ballast-*')}`])
  expect(status).toBe(0)
}

async function watch() {
  const log = createLog({ level: 'silent', pretty: false })
  return openLedger({ databaseUrl: undefined, dataDir, log, clock: systemClock, size: 2 })
}

test.skipIf(!canMount)(
  `a full disk is reported in one sentence, no data is lost, and indexing goes on when there is room${skipped}`,
  async () => {
    source.release(UNTIL, UNTIL)
    const calm = await createTestDatabase()
    await indexTo(UNTIL, { RPC_URL: source.url, DATABASE_URL: calm.url })
    source.release(60, 60)
    const program = start()
    await expect.poll(() => readPostmaster(join(dataDir, 'postgres', 'data')) !== null).toBe(true)
    const ledger = await watch()
    await expect.poll(() => readBlock(ledger.database.pool)).toBe(60)
    await ledger.close()
    fill()
    source.release(UNTIL, UNTIL)
    await expect.poll(program.complaints).toMatch(/no space left on the disk/)
    process.kill(readPostmaster(join(dataDir, 'postgres', 'data'))?.pid ?? 0, 'SIGQUIT')
    await expect.poll(program.complaints).toMatch(FULL)
    const started = start()
    expect([await started.ended, started.complaints()]).toEqual([1, expect.stringMatching(FULL)])
    free()
    expect([await program.ended, program.complaints()]).toEqual([0, expect.not.stringMatching(/should not/)])
    const after = await watch()
    const picture = await takePicture(after.database).finally(after.close)
    expect(findDifferences(await takePicture(calm), picture)).toEqual([])
  },
  120_000,
)

test.skipIf(!canMount)(`a read-only disk is reported in one sentence${skipped}`, async () => {
  expect(mount('remount', 'ro')).toBe(true)
  const program = start()
  expect(await program.ended).toBe(1)
  expect(program.complaints().trim()).toMatch(
    /^\S+ is on a read-only file system: set DATA_DIR to a folder .*written\.$/,
  )
})
