import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sweep } from './scratch.ts'

const parent = mkdtempSync(join(tmpdir(), 'sweep-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

/** The folder of a run whose process has ended. */
function makeLeftover(): string {
  const { pid } = spawnSync('true')
  const folder = join(parent, `assay-test-${pid}-abc`)
  mkdirSync(join(folder, 'inner', 'disk'), { recursive: true })
  writeFileSync(join(folder, 'inner', 'file'), 'left')
  return folder
}

const probe = mkdtempSync(join(parent, 'probe-'))
const mount = (folder: string) => spawnSync('mount', ['-o', 'size=64k', '-t', 'tmpfs', 'tmpfs', folder]).status === 0
const canMount = mount(probe)
if (canMount) spawnSync('umount', ['-l', probe])

test('the folder of a killed run is removed', async () => {
  const folder = makeLeftover()
  await sweep(parent)
  expect(existsSync(folder)).toBe(false)
})

test.skipIf(!canMount)(
  `the folder of a killed run is removed with what it had mounted${canMount ? '' : ' (skipped: no right to mount)'}`,
  async () => {
    const folder = makeLeftover()
    expect(mount(join(folder, 'inner', 'disk'))).toBe(true)
    await sweep(parent)
    expect(existsSync(folder)).toBe(false)
  },
)

test('the folder of a run that goes on stays', async () => {
  const folder = join(parent, `assay-test-${process.pid}-abc`)
  mkdirSync(folder)
  await sweep(parent)
  expect(existsSync(folder)).toBe(true)
})
