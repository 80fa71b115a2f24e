import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createMemoryWatch, flagsOf, growthOf } from '../../src/base/v8.ts'

test('a heap may grow to 120 MB, by at least half and at most to four times its size', () => {
  const growth = [10, 40, 48, 60, 75, 80, 120, 1_000].map((megabytes) => growthOf(megabytes * 2 ** 20))
  expect(growth).toEqual([300, 200, 150, 100, 60, 50, 50, 50])
})

test('this Node accepts its V8 flags, and an untried Node gets none', () => {
  const module = new URL('../../src/base/v8.ts', import.meta.url).href
  const script = `const { tuneV8 } = await import('${module}'); tuneV8(); setTimeout(() => process.exit(0), 50)`
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect([run.status, run.stdout, run.stderr]).toEqual([0, '', ''])
  expect(['20.19.0', '22.1.0', '24.0.0', '26.10.0'].every((version) => flagsOf(version))).toBe(true)
  expect(['19.0.0', '21.7.0', '23.0.0', '25.1.0', '28.0.0'].map(flagsOf)).toEqual(Array(5).fill(undefined))
})

test('the young generation is held at 32 MB, except for some pages, on Node 20, 22 and 24, however much survives', () => {
  const module = new URL('../../src/base/v8.ts', import.meta.url).href
  const script = `
    const { getHeapSpaceStatistics } = await import('node:v8')
    const { tuneV8 } = await import('${module}')
    tuneV8()
    let kept = []
    for (let index = 0; index < 2_000_000; index++) {
      kept.push({ index, text: 'x' + index })
      if (kept.length > 500_000) kept = []
    }
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    console.log(young.space_size / 2 ** 20)`
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  // Node 26 sizes its young generation by itself, page by page. Some pages of a collection under way count besides (two were seen).
  const mostMb = process.versions.node.startsWith('26.') ? 64 : 33
  expect(Number(run.stdout)).toBeGreaterThan(0)
  expect(Number(run.stdout)).toBeLessThanOrEqual(mostMb)
})

test('the garbage of a start is collected and its pages are returned', () => {
  const module = new URL('../../src/base/v8.ts', import.meta.url).href
  const script = `
    const { createMemoryWatch } = await import('${module}')
    const total = () => process.memoryUsage().heapTotal
    let kept = []
    for (let index = 0; index < 1_000_000; index++) kept.push({ index, text: 'x' + index })
    const [left, grown] = [new WeakRef(kept), total()]
    kept = null
    await new Promise(setImmediate)
    createMemoryWatch().look()
    console.log(JSON.stringify({ isGone: left.deref() === undefined, share: total() / grown }))`
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  const { isGone, share } = JSON.parse(run.stdout)
  expect(isGone).toBe(true)
  // Node 20 gives pages back a little later, in other threads.
  if (!process.versions.node.startsWith('20.')) expect(share).toBeLessThan(0.5)
})

test('memory is given back at the first look, and again once the process has grown and is idle', () => {
  const MB = 2 ** 20
  const state = { takenBytes: 300 * MB, busyShare: 0.9, given: 0 }
  const { look } = createMemoryWatch({
    takenBytes: () => state.takenBytes,
    busyShare: () => state.busyShare,
    giveBack: () => {
      state.given += 1
      state.takenBytes = 200 * MB
    },
  })
  const after = (takenBytes: number, busyShare: number) => {
    Object.assign(state, { takenBytes, busyShare })
    look()
    return state.given
  }
  expect(after(300 * MB, 0.9)).toBe(1)
  expect(after(220 * MB, 0)).toBe(1)
  expect(after(330 * MB, 0.5)).toBe(1)
  expect(after(330 * MB, 0.1)).toBe(2)
  expect(after(200 * MB, 0)).toBe(2)
})
