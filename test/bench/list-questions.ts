// What lists of tokens are asked for in the benches: each kind of question with other bounds, orders and pages each time.

const LIMIT = 50
export const SORTS = ['trending', 'newest', 'liquidity', 'volume', 'risk_asc']

/** A whole number from 0 to below this. */
export type Random = (below: number) => number

/** A path among so many tokens. */
export type ListQuestion = (random: Random, tokens: number) => string

const list = (parameters: Record<string, string | number>): string =>
  `/v1/tokens?${new URLSearchParams(Object.entries({ limit: LIMIT, ...parameters }).map(([name, value]) => [name, String(value)]))}`
const anyOrder = (random: Random) => ({ sort: SORTS[random(SORTS.length)] ?? '' })
const liquidity = (random: Random) => ({ min_liquidity_usd: 1 + random(1e6) / 1e3 })

export const LIST_QUESTIONS: Readonly<Record<string, ListQuestion>> = {
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
}
