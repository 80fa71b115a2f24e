import { expect, test } from 'vitest'
import type { Readiness } from '../../../src/ledger/read/readiness.ts'
import { keepReadiness, withBoard, withFirstChecks } from '../../../src/rest/edge/readiness.ts'
import { createTestClock } from '../../support/clock.ts'

test('any number of readiness probes cost one database check per half second', async () => {
  const clock = createTestClock()
  let checks = 0
  let answer: (readiness: Readiness) => void = () => {}
  const check = keepReadiness(() => {
    checks += 1
    return new Promise((resolve) => {
      answer = resolve
    })
  }, clock)
  const ask = async () => Promise.all(Array.from({ length: 50 }, check))
  const first = ask()
  clock.advance(10_000)
  const late = ask()
  answer({ ready: false, reason: 'first' })
  expect(new Set([...(await first), ...(await late)])).toEqual(new Set([{ ready: false, reason: 'first' }]))
  clock.advance(499)
  await ask()
  expect(checks).toBe(1)
  clock.advance(1)
  const next = ask()
  answer({ ready: false, reason: 'second' })
  expect(await next).toContainEqual({ ready: false, reason: 'second' })
  expect(checks).toBe(2)
})

test('a process is ready once the tokens are in memory, and an installation that is not ready names the reason', async () => {
  const ready = { ready: true, block: 1, time: new Date(0), lag: 0, age: 0, unchecked: 0 } as const
  let isLoaded = false
  const check = withBoard(async () => ready, { isLoaded: () => isLoaded })
  expect(await check()).toEqual({ ready: false, reason: 'The tokens are still being loaded into memory.' })
  isLoaded = true
  expect(await check()).toEqual(ready)
  const down = { ready: false, reason: 'The database does not answer.' } as const
  expect(await withBoard(async () => down, { isLoaded: () => false })()).toEqual(down)
})

test('a demo is ready once its contracts are checked and the tokens in memory know it, and stays ready', async () => {
  const ready = { ready: true, block: 1, time: new Date(0), lag: 0, age: 0, unchecked: 0 } as const
  const seen = { done: false as boolean | Error, settled: 0 }
  const check = withFirstChecks(async () => ready, {
    areDone: async () => {
      if (seen.done instanceof Error) throw seen.done
      return seen.done
    },
    settle: async () => {
      seen.settled += 1
    },
  })
  const waits = { ready: false, reason: 'The contracts of the demo are being checked for the first time.' }
  expect(await check()).toEqual(waits)
  seen.done = new Error('the database went away')
  expect(await check()).toEqual(waits)
  seen.done = true
  expect(await check()).toEqual(ready)
  seen.done = false
  expect(await check()).toEqual(ready)
  expect(seen.settled).toBe(1)
})
