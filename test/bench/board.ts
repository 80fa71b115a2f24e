// The board of tokens in this process, filled with as many made-up tokens: its bytes, and the processor time of filters and searches.

import { createBoard } from '../../src/board/board.ts'
import { SORT_ORDERS, type TokenScreen } from '../../src/fields/screen.ts'
import {
  BOARD_COUNTS,
  BOARD_DOUBLES,
  type BoardCount,
  type BoardDouble,
  SCORED_NUMBERS,
  type ScoredNumber,
} from '../../src/fields/token.ts'
import type { BoardRows } from '../../src/ledger/read/board.ts'
import { createRandom } from '../support/seed.ts'

const SLICE = 5_000
/** Runs of each question, and those before in which V8 compiles: until then one takes up to six times as long. */
const RUNS = 100
const FIRST_RUNS = 20
const TIME_MS = Date.UTC(2026, 0, 31)
/** The native coin and hubs. */
const UNITS = {
  ids: Array.from({ length: 60 }, (_, at) => at + 1),
  usd: Array.from({ length: 60 }, (_, at) => 3_000 / (at + 1)),
}
const SYLLABLES =
  'pe do ge mo on shi ba inu elon cat ai x safe king baby meta pump coin fi swap dao gold et sol bit eth usd'.split(' ')

function makeRows(from: number, count: number, random: () => number): BoardRows {
  const doubles = (of: () => number) => Float64Array.from({ length: count }, of)
  const integers = (most: number) => Int32Array.from({ length: count }, () => Math.floor(random() * most))
  const texts = (of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(from + at))
  const word = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(
      '',
    )
  const numbers = {
    ...Object.fromEntries(BOARD_DOUBLES.map((name) => [name, doubles(() => Math.exp(14 * random()))])),
    ...Object.fromEntries(SCORED_NUMBERS.map((name) => [name, doubles(() => Math.round(1e4 * random()) / 100)])),
    ...Object.fromEntries(BOARD_COUNTS.map((name) => [name, integers(1_000)])),
  } as Record<BoardDouble | ScoredNumber, Float64Array> & Record<BoardCount, Int32Array>
  return {
    ...numbers,
    id: Int32Array.from({ length: count }, (_, at) => from + at + 1),
    address: texts(
      (at) =>
        `0x${(Math.imul(at, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}${at.toString(16).padStart(32, '0')}`,
    ),
    launchpad: texts(() => 'uniswap_v2'),
    symbol: texts(word),
    name: texts(() => `${word()} ${word()}`),
    createdAt: doubles(() => TIME_MS - Math.floor(random() * 5e6) * 1000),
    // As behind the native coin, and behind hubs; few hubs quote many tokens.
    unit: Int32Array.from({ length: count }, () => Math.floor(1 / (0.01 + random())) % (UNITS.ids.length + 1)),
    price: doubles(random),
    marketCap: doubles(() => 1e6 * random()),
    volume24hUsd: doubles(() => 1e5 * random()),
    trendingScore: doubles(random),
    riskScore: doubles(() => Math.floor(1e4 * random()) / 100),
    holderCount: integers(10_000),
    flagBits: integers(4),
    confidence: integers(3),
    contractMarks: integers(2 ** 14),
  }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const p95 = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0

const SCREENS: Record<string, (run: number) => TokenScreen> = {
  'one filter': (run) => ({ minLiquidityUsd: 1_000 + run }),
  'seven broad filters': (run) => ({
    ...{ minLiquidityUsd: 2 + run, minMarketCapUsd: 1e4, maxMarketCapUsd: 2.9e9, maxRiskScore: 95 },
    ...{ excludeFlags: ['wash_trading'] as const, minHolderGrowth1hPct: -90, maxAgeHours: 1_300 },
  }),
  'seven filters that leave few': (run) => ({
    ...{ minLiquidityUsd: 5e5 + run, minMarketCapUsd: 1e5, maxMarketCapUsd: 1e9, maxRiskScore: 30 },
    ...{ excludeFlags: ['wash_trading'] as const, minHolderGrowth1hPct: 5, maxAgeHours: 500 },
  }),
}
const BY_CAP = [{ measure: 'marketCapUsd', descending: true }] as const
const SEARCHES = [
  'pepe',
  'doge',
  'inu',
  'safemoon',
  'elonx',
  'zzqx',
  'pwpe',
  'safemonking',
  'cat',
  'moon c',
  'shibainu',
  'gold',
]

export interface BoardFigures {
  /** Bytes of all that it holds, a million bytes each. */
  megabytes: number
  /** Milliseconds of processor time by question. */
  questions: { name: string; medianMs: number; p95Ms: number }[]
}

export function measureBoard(tokens: number): BoardFigures {
  const random = createRandom(3)
  const board = createBoard()
  for (let from = 0; from < tokens; from += SLICE) board.fill(makeRows(from, Math.min(SLICE, tokens - from), random))
  const block = { number: 1, hash: '0x1', timeMs: TIME_MS, units: UNITS, tokenCount: tokens }
  board.open({ ...block, lastTokenId: tokens, isFinal: true })
  for (const order of [[], ...Object.values(SORT_ORDERS)]) board.prepare(order)
  const time = (name: string, count: number, ask: (run: number) => unknown) => {
    const times: number[] = []
    const first = count * (FIRST_RUNS / RUNS)
    for (let run = 0; run < first + count; run += 1) {
      const started = process.cpuUsage()
      ask(run)
      const { user, system } = process.cpuUsage(started)
      if (run >= first) times.push((user + system) / 1000)
    }
    return { name, medianMs: median(times), p95Ms: p95(times) }
  }
  const list = (screen: TokenScreen) => board.list({ screen, order: SORT_ORDERS.liquidity, offset: 0, limit: 50 })
  return {
    megabytes: board.bytes() / 1e6,
    questions: [
      ...Object.entries(SCREENS).map(([name, screenOf]) => time(name, RUNS, (run) => list(screenOf(run)))),
      // The list by market cap, of a block in which one hub moved.
      time('in order after a hub moved', RUNS, (run) => {
        const usd = UNITS.usd.with(-1, 50 + run)
        const at = { ...block, number: 2 + run, units: { ...UNITS, usd }, lastTokenId: tokens, isFinal: true }
        board.apply([], at)
        return board.list({ screen: {}, order: BY_CAP, offset: 0, limit: 50 })
      }),
      time('search', RUNS * SEARCHES.length, (run) => board.search(SEARCHES[run % SEARCHES.length] ?? '', 20)),
    ],
  }
}
