import { expect, test } from 'vitest'
import type { ContractChecks } from '../../src/indexing/contract-checks.ts'
import { createPace } from '../../src/indexing/pace.ts'
import { createTestClock } from '../support/clock.ts'

interface Subject {
  tookMs?: number
  fault?: Error | null
  contractChecks?: ContractChecks
  firstChecksMs?: number
  /** Whether a scoring that has to end in time leaves work. */
  isLeft?: boolean
}

/** A pace whose scoring takes `tookMs`. `runs` counts the scoring runs, `arrivals` the reports of the head. */
function createSubject({
  tookMs = 100,
  fault = null as Error | null,
  contractChecks,
  firstChecksMs,
  isLeft = false,
}: Subject = {}) {
  const clock = createTestClock()
  const seen = { runs: 0, arrivals: 0, faults: 0, order: [] as string[] }
  const bounds: (number | undefined)[] = []
  const pace = createPace({
    rescore: {
      run: async ({ mostMs } = {}) => {
        bounds.push(mostMs)
        clock.advance(tookMs)
        seen.runs += 1
        seen.order.push('score')
        if (fault) throw fault
        return { tokens: 0, wallets: 0, isLeft: isLeft && mostMs !== undefined }
      },
    },
    clock,
    log: {
      error: () => {
        seen.faults += 1
      },
    },
    metrics: { noteSpan: () => {}, rescoreSeconds: { observe: () => {} } } as never,
    ...(contractChecks ? { contractChecks } : {}),
    firstChecksMs,
    signal: new AbortController().signal,
    settle: async () => void seen.order.push('settle'),
    arrive: () => {
      seen.arrivals += 1
    },
  })
  return { clock, pace, seen, bounds }
}

test('appended blocks are visible before they are scored, and arrival is reported after scoring', async () => {
  const { pace, seen } = createSubject()
  await pace.see(100, 100)
  expect(seen).toEqual({ runs: 1, arrivals: 1, faults: 0, order: ['settle', 'score'] })
})

test('the last blocks before the head are scored once, at the head', async () => {
  const { pace, seen } = createSubject()
  for (const block of [900, 951, 960, 990]) await pace.see(block, 1_000)
  expect(seen.runs).toBe(0)
  await pace.see(1_000, 1_000)
  expect(seen.runs).toBe(1)
})

test('once the head was reached, every batch near it is scored', async () => {
  const { pace, seen } = createSubject()
  await pace.see(1_000, 1_000)
  await pace.see(1_001, 1_010)
  await pace.see(1_002, 1_010)
  expect(seen).toMatchObject({ runs: 3, arrivals: 1 })
})

test('a scoring at the head ends after 150 ms, or the time between two blocks, and rests go on', async () => {
  const { clock, pace, seen, bounds } = createSubject({ isLeft: true })
  await pace.see(1_000, 1_000)
  clock.advance(100)
  await pace.see(1_001, 1_001)
  await pace.rest()
  clock.advance(12_000)
  await pace.see(1_002, 1_002)
  clock.advance(60_000)
  await pace.see(1_003, 1_003)
  expect(bounds).toEqual([undefined, 200, 200, 10_000, 10_000])
  expect(seen.runs).toBe(5)
})

test('a rest scores nothing where the last scoring left nothing', async () => {
  const { pace, seen } = createSubject()
  await pace.see(1_000, 1_000)
  await pace.see(1_001, 1_001)
  await pace.rest()
  expect(seen.runs).toBe(2)
})

test('five seconds near a head that is never quite reached trigger scoring', async () => {
  const { clock, pace, seen } = createSubject()
  await pace.see(990, 1_000)
  clock.advance(4_999)
  await pace.see(991, 1_001)
  expect(seen.runs).toBe(0)
  clock.advance(1)
  await pace.see(992, 1_002)
  expect(seen).toMatchObject({ runs: 1, arrivals: 0 })
})

test('blocks of a fast chain are near the head while they are younger than a minute', async () => {
  const { clock, pace, seen } = createSubject()
  await pace.see(100_000, 100_000)
  const now = clock.now().getTime() / 1_000
  await pace.see(100_001, 100_301, now - 60)
  expect(seen.runs).toBe(2)
  await pace.see(100_002, 100_310, now - 62)
  expect(seen.runs).toBe(2)
})

test('a backfill is scored at the end of a day only', async () => {
  const { clock, pace, seen } = createSubject()
  clock.advance(3_600_000)
  await pace.see(1, 1_000_000)
  expect(seen.runs).toBe(0)
  await pace.closeDay()
  await pace.closeDay()
  expect(seen).toMatchObject({ runs: 2, arrivals: 0, order: ['settle', 'score', 'settle', 'score'] })
})

test('days are left out where scoring would take more than half of a backfill', async () => {
  const { clock, pace, seen } = createSubject({ tookMs: 60_000 })
  await pace.closeDay()
  expect(seen.runs).toBe(1)
  clock.advance(59_999)
  await pace.closeDay()
  expect(seen.runs).toBe(1)
  clock.advance(1)
  await pace.closeDay()
  expect(seen.runs).toBe(2)
})

test('a scoring failure is logged while indexing continues, and thrown at the end', async () => {
  const { pace, seen } = createSubject({ fault: new Error('no such relation') })
  await pace.see(100, 100)
  expect(seen).toMatchObject({ faults: 1, arrivals: 1 })
  await expect(pace.finish()).rejects.toThrow('no such relation')
  expect(seen.faults).toBe(1)
})

test('reports of contract checks are stored and scored while no block comes, every two seconds at most unless somebody waits, and at the end', async () => {
  let found = 0
  let due = 0
  let asked = false
  const stored: number[] = []
  const contractChecks: ContractChecks = {
    run: async () => {},
    drain: async () => {
      found += due
      due = 0
    },
    note: () => {},
    forget: () => {},
    slow: () => {},
    hasFound: () => found > 0,
    hasAsked: () => asked,
    wake: () => new AbortController().signal,
    store: async () => {
      stored.push(found)
      found = 0
    },
  }
  const { clock, pace, seen } = createSubject({ contractChecks })
  await pace.rest()
  expect(seen.runs).toBe(0)
  found = 3
  await pace.rest()
  expect([stored, seen.runs]).toEqual([[], 0])
  clock.advance(2_000)
  await pace.rest()
  found = 1
  await pace.rest()
  expect([stored, seen.runs]).toEqual([[3], 1])
  // Somebody waits for it.
  asked = true
  await pace.rest()
  expect([stored, seen.runs]).toEqual([[3, 1], 2])
  // The end waits for the checks that are due.
  due = 2
  await pace.finish()
  expect([stored, seen.runs]).toEqual([[3, 1, 2], 3])
})

test.each([
  [undefined, 2_000],
  [60_000, 60_000],
])(
  'the first arrival, and no later one, waits for contract checks: %s ms asked for, %i given',
  async (firstChecksMs, given) => {
    const waits: number[] = []
    const contractChecks: ContractChecks = {
      run: async () => {},
      drain: async (ms) => void waits.push(ms),
      note: () => {},
      forget: () => {},
      slow: () => {},
      hasFound: () => false,
      hasAsked: () => false,
      wake: () => new AbortController().signal,
      store: async () => {},
    }
    const { pace, seen } = createSubject({ contractChecks, ...(firstChecksMs ? { firstChecksMs } : {}) })
    await pace.see(100, 100)
    expect(seen).toMatchObject({ runs: 2, arrivals: 1 })
    await pace.see(101, 101)
    expect([waits, seen.runs]).toEqual([[given], 3])
  },
)
