import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createBloomTest } from '../../../src/chain/logs/bloom.ts'
import { EVENT_LIST, TOPICS } from '../../../src/chain/logs/events.ts'
import { createMovingTape } from '../../../src/chain/replay/moving.ts'
import type { RecordedBlock, RecordedLog } from '../../../src/chain/replay/recording.ts'
import { createRounds } from '../../../src/chain/replay/rounds.ts'
import { shiftTimes, timesIn } from '../../../src/chain/replay/shift-times.ts'
import { createState, key } from '../../../src/chain/replay/state.ts'
import { BLOCK_SECONDS, openTimeline } from '../../../src/chain/replay/timeline.ts'
import { demoRecording } from '../../support/demo.ts'

const recording = demoRecording()
const rounds = createRounds(recording)
const first = recording.blocks.length
const ROUND = 360
const last = { number: first - 1, hash: recording.blocks.at(-1)!.hash, time: recording.blocks.at(-1)!.time }
const folders: string[] = []
afterAll(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))

/** A data folder, and a clock that stands still until it is told. */
function createPlace(start = Date.UTC(2026, 10, 23)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-demo-'))
  folders.push(dataDir)
  let ms = start
  let setBy = 0
  const clock = { now: () => new Date(ms + setBy), monotonicMs: () => ms, sleep: async () => {} }
  const gaps: number[] = []
  const onGap = (seconds: number) => void gaps.push(seconds)
  const open = (isStill = false, onBlock?: (number: number) => void, end = last) =>
    openTimeline({ dataDir, clock, last: end, isStill, onGap, ...(onBlock && { onBlock }) })
  return {
    dataDir,
    gaps,
    open,
    /** The wall clock jumps. */
    setClock: (seconds: number) => {
      setBy += seconds * 1_000
    },
    pass: (seconds: number) => {
      ms += seconds * 1_000
    },
  }
}

describe('the rounds after the recording', () => {
  const blocks = Array.from({ length: 2 * ROUND }, (_, index) => rounds.block(first + index))
  const logs = blocks.flatMap((block) => block.logs)

  test('are the same for every process, whatever it asks first', () => {
    const other = createRounds(recording)
    const numbers = [first + ROUND + 7, first + 1, first]
    expect(numbers.map((number) => other.block(number))).toEqual(numbers.map((number) => rounds.block(number)))
  })

  test('tell no time in a log, which would stay as it was recorded', () => {
    expect(logs.filter((log) => timesIn(log).length > 0)).toEqual([])
  })

  test('have a hash of their own for each block and transaction, and the bloom of their logs', () => {
    const hashes = blocks.flatMap(({ hash, transactions }) => [hash, ...transactions.map((one) => one.hash)])
    expect(new Set(hashes).size).toBe(hashes.length)
    for (const { bloom, logs } of blocks) {
      expect(bloom).toMatch(/^0x[0-9a-f]{512}$/)
      for (const { address } of logs) expect(createBloomTest([address as `0x${string}`])(bloom)).toBe(true)
    }
    expect(createBloomTest([`0x${'12'.repeat(20)}`, `0x${'34'.repeat(20)}`])(blocks[0]!.bloom)).toBe(false)
  })

  test('make no balance negative, and at every block the state follows from the logs so far', () => {
    const recorded = createState(recording)
    const sums = new Map<string, bigint>()
    const latest = new Map<string, string>()
    const add = (name: string, change: bigint) => {
      const before = sums.get(name) ?? BigInt(`0x${recorded.read(name, first - 1) ?? '0'}`)
      sums.set(name, before + change)
      if (before + change < 0n) negative.add(name)
    }
    const negative = new Set<string>()
    const wrong: string[] = []
    // A pair of rounds, and a round of the pair after it, in which the same names change from other sums.
    for (let at = 0; at < 3 * ROUND; at++) {
      for (const { address, topics, data } of rounds.block(first + at).logs) {
        const [, from = '', to = ''] = topics.map((one) => one.slice(26))
        const words = data.slice(2).match(/.{64}/g) ?? []
        if (topics[0] === TOPICS.transfer && topics.length === 3) {
          if (/^0+$/.test(from)) add(key.supply(address), BigInt(data))
          else add(key.balance(address, from), -BigInt(data))
          if (/^0+$/.test(to) && !/^0+$/.test(from)) add(key.supply(address), -BigInt(data))
          else add(key.balance(address, to), BigInt(data))
        } else if (topics[0] === TOPICS.deposit || topics[0] === TOPICS.withdrawal) {
          const change = topics[0] === TOPICS.deposit ? BigInt(data) : -BigInt(data)
          add(key.supply(address), change)
          add(key.balance(address, from), change)
        } else if (topics[0] === TOPICS.v2_sync) latest.set(key.reserves(address), words.join(''))
        else if (topics[0] === TOPICS.v3_swap) latest.set(key.price(address), `${words[2]}${words[4]}`)
      }
      if (at % 60 !== 17 && at % ROUND !== ROUND - 1) continue
      for (const [name, sum] of sums)
        if (BigInt(`0x${rounds.state.read(name, first + at)}`) !== sum) wrong.push(`${at} ${name}`)
      for (const [name, value] of latest) if (rounds.state.read(name, first + at) !== value) wrong.push(`${at} ${name}`)
    }
    expect([...negative]).toEqual([])
    expect(wrong).toEqual([])
    expect(sums.size).toBeGreaterThan(100)
    expect(latest.size).toBeGreaterThan(15)
  })

  test('lead every pool back to the reserves of the recording after two rounds', () => {
    const reserves = new Map<string, string>()
    for (const { address, topics, data } of logs) if (topics[0] === TOPICS.v2_sync) reserves.set(address, data.slice(2))
    const recorded = createState(recording)
    const known = [...reserves].filter(([pool]) => recording.contracts[pool])
    expect(known.length).toBeGreaterThan(15)
    for (const [pool, data] of known) expect([pool, data]).toEqual([pool, recorded.read(key.reserves(pool), first - 1)])
  })

  test('launch new tokens in each round, which name and number tell apart, and pull two of them', () => {
    const launched = logs.filter(({ topics }) => topics[0] === TOPICS.pair_created)
    expect(new Set(launched.map(({ data }) => data)).size).toBe(12)
    const symbols = launched.map((log) => symbolOf(log)).sort()
    expect(symbols).toEqual([
      'HIVE2',
      'HIVE3',
      'LURE2',
      'LURE3',
      'OTTER2',
      'OTTER3',
      'RUGA2',
      'RUGA3',
      'RUGD2',
      'RUGD3',
      'SPIN2',
      'SPIN3',
    ])
    const pools = new Set(launched.map(({ data }) => `0x${data.slice(26, 66)}`))
    expect(logs.filter((log) => log.topics[0] === TOPICS.v2_burn && pools.has(log.address)).length).toBe(4)
  })

  test('are announced two minutes ahead', () => {
    const news = blocks.flatMap((_, index) => rounds.announce(first + index, BLOCK_SECONDS))
    expect(news).toContain("RUGD2's liquidity will leave in about 2 minutes")
    expect(news).toContain('HIVE3 will be launched in about 2 minutes')
    expect(news).toContain("LURE2's owner will stop the sales of its holders in about 2 minutes")
    expect(news).toContain('a reorganisation will replace the newest block in about 2 minutes')
  })

  function symbolOf({ topics }: RecordedLog): string {
    const quotes = ['88b2be3066048e07c1c50b770b2d94b5ece6ca94', '04eb3a4132ddc628ae4b86aa2f723f9a52372443']
    const token = [topics[1]!.slice(26), topics[2]!.slice(26)].find((address) => !quotes.includes(address))
    const answer = rounds.contract(`0x${token}`)?.answers['0x95d89b41'] ?? ''
    const length = Number.parseInt(answer.slice(66, 130), 16)
    return Buffer.from(answer.slice(130, 130 + length * 2), 'hex').toString()
  }
})

describe('the moving demo', () => {
  test('ends now when it starts, and gets a block every five seconds', () => {
    const { open, pass } = createPlace(Date.UTC(2026, 10, 23))
    const news: number[] = []
    const timeline = open(false, (number) => news.push(number))
    const tape = createMovingTape(recording, rounds, timeline)
    expect(tape.head()).toBe(first - 1)
    expect(tape.block(first - 1)!.time).toBe(Date.UTC(2026, 10, 23) / 1_000)
    expect(tape.block(first)).toBeUndefined()
    pass(BLOCK_SECONDS * 3)
    expect(tape.head()).toBe(first + 2)
    expect([first, first + 1, first + 2].map((number) => tape.block(number)!.time % 60)).toEqual([5, 10, 15])
    expect(news).toEqual([first, first + 1, first + 2])
    expect(tape.find(tape.block(first + 1)!.hash)).toBe(first + 1)
  })

  test('shifts the ends of locks with the times of their blocks, so that a lock of a year stays one', () => {
    const tape = createMovingTape(recording, rounds, createPlace().open())
    const lengths = (blocks: readonly RecordedBlock[]) =>
      blocks.flatMap(({ time, logs }) =>
        logs.flatMap((log) =>
          timesIn(log).map((at) => Number(BigInt(`0x${log.data.slice(2 + 64 * at, 66 + 64 * at)}`)) - time),
        ),
      )
    const recorded = lengths(recording.blocks)
    expect(recorded).toEqual([365 * 86_400 - 600])
    expect(lengths(recording.blocks.map((_, number) => tape.block(number)!))).toEqual(recorded)
  })

  test('continues after a restart from its last block, with the same blocks and the same times', () => {
    const { open, pass } = createPlace()
    const before = createMovingTape(recording, rounds, open())
    pass(BLOCK_SECONDS * 10)
    const head = before.head()
    const numbers = [first - 1, first, head]
    const seen = numbers.map((number) => before.block(number))
    pass(86_400)
    const after = createMovingTape(recording, createRounds(recording), open())
    expect(after.head()).toBe(head)
    expect(numbers.map((number) => after.block(number))).toEqual(seen)
    pass(BLOCK_SECONDS)
    expect(after.head()).toBe(head + 1)
    expect(after.block(head + 1)!.time - seen[2]!.time).toBeGreaterThan(86_000)
  })

  test('goes on at its pace when the clock jumps, and no block is older than its parent after a restart', () => {
    const { open, pass, setClock } = createPlace()
    const before = createMovingTape(recording, rounds, open())
    pass(BLOCK_SECONDS)
    setClock(-3_600)
    pass(BLOCK_SECONDS)
    setClock(7_200)
    pass(BLOCK_SECONDS)
    expect(before.head()).toBe(first + 2)
    const seen = before.block(first + 2)!
    expect(seen.time - before.block(first)!.time).toBe(2 * BLOCK_SECONDS)
    setClock(-86_400)
    const after = createMovingTape(recording, createRounds(recording), open())
    pass(BLOCK_SECONDS)
    expect(after.head()).toBe(first + 3)
    expect(after.block(first + 3)!.time).toBeGreaterThan(seen.time)
  })

  test('begins anew after another recording, whose blocks are all others', () => {
    const { open, pass } = createPlace()
    open()
    pass(86_400)
    const end = { ...last, hash: `0x${'ab'.repeat(32)}` }
    const timeline = open(false, undefined, end)
    expect(timeline.head()).toBe(last.number)
    expect(timeline.timeOf(last.number, last.time)).toBe(Date.UTC(2026, 10, 24) / 1_000)
    const blocks = [...recording.blocks.slice(0, -1), { ...recording.blocks.at(-1)!, hash: end.hash }]
    expect(createRounds({ ...recording, blocks }).block(first).hash).not.toBe(rounds.block(first).hash)
  })

  test('shows one block in another version first, as a reorganisation does', () => {
    const { open, pass } = createPlace()
    const tape = createMovingTape(recording, rounds, open())
    const replaced = Array.from({ length: ROUND }, (_, index) => first + index).filter(rounds.isReplaced)
    expect(replaced.length).toBe(2)
    const [number] = replaced as [number]
    pass(BLOCK_SECONDS * (number - first + 1))
    expect(tape.head()).toBe(number)
    const orphan = tape.block(number)!.hash
    expect(tape.find(orphan)).toBe(number)
    expect(tape.block(number)!.logs).toEqual([])
    const sync = rounds.block(number).logs.find(({ topics }) => topics[0] === TOPICS.v2_sync)!
    const readReserves = () => tape.call({ to: sync.address, data: '0x0902f1ac' }, number)
    expect(readReserves()).not.toContain(sync.data.slice(2))
    pass(BLOCK_SECONDS)
    expect(tape.head()).toBe(number + 1)
    expect(tape.block(number)!.hash).not.toBe(orphan)
    expect(tape.find(orphan)).toBeNull()
    expect(readReserves()).toContain(sync.data.slice(2))
  })

  test('rests where it is when it is still', () => {
    const { open, pass } = createPlace()
    const fresh = open(true)
    pass(3_600)
    expect([fresh.head(), fresh.timeOf(first - 1, last.time)]).toEqual([first - 1, last.time])
    const moving = open()
    pass(BLOCK_SECONDS * 4)
    expect(moving.head()).toBe(first + 3)
    const rested = open(true)
    pass(3_600)
    expect(rested.head()).toBe(first + 3)
  })

  test('makes a data folder that is closed to other users', () => {
    const dataDir = join(createPlace().dataDir, 'new')
    const clock = { now: () => new Date(), monotonicMs: () => 0, sleep: async () => {} }
    openTimeline({ dataDir, clock, last, isStill: false, onGap: () => {} })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test('keeps the recorded times in a data folder from before it moved, continues at the present, and reports the gap once', () => {
    const { dataDir, gaps, open, pass } = createPlace()
    writeFileSync(join(dataDir, 'demo-key'), 'assay_live_x\n')
    const timeline = open()
    expect(timeline.timeOf(first - 1, last.time)).toBe(last.time)
    pass(BLOCK_SECONDS)
    expect(timeline.head()).toBe(first)
    expect(timeline.timeOf(first)).toBe(Date.UTC(2026, 10, 23) / 1_000 + BLOCK_SECONDS)
    open()
    expect(gaps).toEqual([Date.UTC(2026, 10, 23) / 1_000 - last.time])
    const fresh = createPlace()
    fresh.open()
    fresh.open(true)
    expect(fresh.gaps).toEqual([])
  })

  test('does not move while its file cannot be written, so that no block gets two times', () => {
    const { dataDir, open, pass } = createPlace()
    const timeline = open()
    rmSync(dataDir, { recursive: true })
    writeFileSync(dataDir, 'a file in the place of the folder')
    pass(BLOCK_SECONDS)
    expect(timeline.head()).toBe(first - 1)
    rmSync(dataDir)
    expect(timeline.head()).toBe(first)
  })
})

describe('the times in a log of a locker', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const wordsOf = (data: string) =>
    data
      .slice(2)
      .match(/.{64}/g)!
      .map((each) => BigInt(`0x${each}`))
  const NEVER_WORD = 2n ** 255n
  test.each([
    ['uncx_deposit', 1, 5, 4],
    ['uncx_new_lock', 1, 7, 5],
    ['uncx_relock', 1, 6, 5],
    ['pinklock_added', 2, 4, 3],
    ['pinklock_updated', 2, 4, 3],
    ['team_finance_deposit', 3, 3, 2],
    ['team_finance_extended', 1, 2, 1],
    ['doppler_locked', 2, 3, 1],
  ] as const)('%s: the end is shifted, and nothing else', (name, topics, words, at) => {
    const make = (end: bigint): RecordedLog => ({
      address: `0x${'11'.repeat(20)}`,
      topics: [TOPICS[name], ...Array.from({ length: topics - 1 }, () => `0x${word(7n)}`)],
      data: `0x${Array.from({ length: words }, (_, index) => word(index === at ? end : BigInt(index))).join('')}`,
      at: 0,
    })
    const expected = Array.from({ length: words }, (_, index) => BigInt(index))
    for (const [end, shifted] of [
      [1_800_000_000n, 1_800_086_400n],
      [0n, 0n],
      [NEVER_WORD, NEVER_WORD],
    ] as const)
      expect(wordsOf(shiftTimes(make(end), 86_400).data)).toEqual(expected.with(at, shifted))
  })

  test('every time that a locker logs stands in a data word', () => {
    const places = EVENT_LIST.flatMap(({ shapes }) =>
      shapes.flatMap(({ fields }) => fields.filter(({ isTime }) => isTime)),
    )
    expect(places.length).toBeGreaterThan(5)
    expect(places.every(({ place }) => place?.of === 'word')).toBe(true)
  })
})
