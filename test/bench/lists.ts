// Lists and searches over HTTP by one client: how long an answer takes among these tokens, beside the same among fewer. Both servers
// are asked in turn, so that what else the machine does falls on both. No question repeats another.
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../support/seed.ts'
import { read, type Server } from './compare.ts'

/** Questions of each kind that are counted, and those before in which V8 compiles. */
const COUNTED = 200
const FIRST = 40
const LIMIT = 50
/** How often a server is asked whether its tokens are in memory. */
const POLL_MS = 1_000
const MOST_POLLS = 120

export interface Sized {
  server: Server
  tokens: number
}

type Random = (below: number) => number
type Question = (random: Random, tokens: number) => string

const SORTS = ['trending', 'newest', 'liquidity', 'volume', 'risk_asc']
const SYLLABLES = ['pe', 'do', 'ge', 'mo', 'on', 'shi', 'ba', 'inu', 'cat', 'ai']

const list = (filters: Record<string, string | number>): string =>
  `/v1/tokens?${new URLSearchParams(Object.entries({ limit: LIMIT, ...filters }).map(([name, value]) => [name, String(value)]))}`
const anyOrder = (random: Random) => ({ sort: SORTS[random(SORTS.length)] ?? '' })
const liquidity = (random: Random) => ({ min_liquidity_usd: 1 + random(1e6) / 1e3 })

const QUESTIONS: Record<string, Question> = {
  'an order, pages 1 to 20': (random) => list({ ...anyOrder(random), page: 1 + random(20), limit: 40 + random(21) }),
  'an order, last pages': (random, tokens) =>
    list({ ...anyOrder(random), page: Math.max(1, Math.floor(tokens / LIMIT) - random(100)) }),
  min_liquidity_usd: (random) => list({ ...anyOrder(random), ...liquidity(random) }),
  max_age_hours: (random) => list({ ...anyOrder(random), max_age_hours: 1 + random(7e5) / 1e3 }),
  min_holder_growth_1h_pct: (random) => list({ ...anyOrder(random), min_holder_growth_1h_pct: random(5e4) / 1e3 - 20 }),
  'seven filters, page 1 to 20': (random) =>
    list({
      ...anyOrder(random),
      ...liquidity(random),
      ...{ min_market_cap_usd: random(1e3), max_market_cap_usd: 1e12, max_risk_score: 95, page: 1 + random(20) },
      ...{ exclude_flags: 'wash_trading', min_holder_growth_1h_pct: -90, max_age_hours: 1_300 },
    }),
  'a search': (random) => {
    const text = Array.from({ length: 1 + random(3) }, () => SYLLABLES[random(SYLLABLES.length)]).join('') + random(100)
    return `/graphql?query=${encodeURIComponent(`{ search(query: "${text}") { __typename } }`)}`
  },
}

export const SEARCH = 'a search'

export interface ListFigures {
  name: string
  medianMs: number
  p95Ms: number
  /** P95 among fewer tokens; null where there is no such server. */
  fewerP95Ms: number | null
}

async function untilLoaded(server: Server): Promise<void> {
  const path = `/graphql?query=${encodeURIComponent('{ search(query: "loaded") { __typename } }')}`
  for (let left = MOST_POLLS; ; left -= 1) {
    const isLoaded = await read(server, path).then(
      (answer) => !('errors' in (answer as object)),
      (error: unknown) => {
        if (left === 0) throw error
        return false
      },
    )
    if (isLoaded || left === 0) return
    await setTimeout(POLL_MS)
  }
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** Each kind of question, asked of the server, and in turn of one with fewer tokens. */
export async function measureLists(
  here: Sized,
  fewer: Sized | null,
  onFigures: (figures: ListFigures) => void,
): Promise<void> {
  const all = fewer ? [here, fewer] : [here]
  for (const { server } of all) await untilLoaded(server)
  const number = createRandom(11)
  const random: Random = (below) => Math.floor(below * number())
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times = new Map(all.map((sized) => [sized, [] as number[]]))
    for (let at = 0; at < FIRST + COUNTED; at += 1)
      for (const [{ server, tokens }, counted] of times) {
        const path = question(random, tokens)
        const started = performance.now()
        await read(server, path)
        if (at >= FIRST) counted.push(performance.now() - started)
      }
    const mine = times.get(here) ?? []
    const others = fewer && times.get(fewer)
    onFigures({
      name,
      medianMs: quantile(mine, 0.5),
      p95Ms: quantile(mine, 0.95),
      fewerP95Ms: others ? quantile(others, 0.95) : null,
    })
  }
}
