// One surface: whatever is asked of a REST route, the same asked of GraphQL gives the same data, totals and errors, at the same price.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLASSIFICATIONS, RISK_FLAGS, WALLET_KINDS } from '../../src/base/vocabulary.ts'
import { toSnake } from '../../src/fields/field.ts'
import { CONDITION_ROWS } from '../../src/fields/token.ts'
import { ROUTES, type Route, toBody, toVariables } from '../../src/rest/contract/routes.ts'
import { HEAD_NUMBER, HEAD_TIME, tokenAddress, walletAddress } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
let authorization: string
beforeAll(async () => {
  served = await createServed()
  // Nobody checks: the gate waits for no check.
  await served.database.pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
  authorization = (await served.knock({ plan: 'pro' })).authorization
})

const address = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.constantFrom(
      ...[1, 2, 5, 28, 30, 99].map(tokenAddress),
      ...[1, 3, 5, 7, 60, 99].map(walletAddress),
      tokenAddress(1).toUpperCase().replace('0X', '0x'),
    ),
  },
  { weight: 1, arbitrary: fc.constant('x') },
)
const time = fc
  .integer({ min: HEAD_TIME - 3 * 86_400, max: HEAD_TIME + 3_600 })
  .map((seconds) => new Date(seconds * 1000).toISOString())
/** Mostly valid values, sometimes invalid ones. */
const mostly = (legal: fc.Arbitrary<string>, ...wrong: string[]) =>
  fc.oneof({ weight: 24, arbitrary: legal }, { weight: 1, arbitrary: fc.constantFrom(...wrong) })
const number = (most: number) =>
  mostly(fc.oneof(fc.integer({ min: 0, max: most }).map(String), fc.constantFrom('1e2', '0.5')), '-1', 'NaN', '1e999')

/** Values of each parameter by its name. */
const VALUES: Record<string, fc.Arbitrary<string>> = {
  type: mostly(fc.constantFrom('swap', 'liquidity_add', 'liquidity_remove', 'transfer'), 'mint'),
  sort: mostly(
    fc.constantFrom('trending', 'newest', 'liquidity', 'volume', 'risk_asc', 'gainers', 'losers'),
    'RISK_ASC',
  ),
  status: mostly(fc.constantFrom('active', 'paused'), 'gone'),
  token_address: address,
  wallet_address: address,
  since: mostly(time, 'yesterday'),
  after: mostly(
    fc.tuple(fc.integer({ min: 9_750, max: 10_001 }), fc.integer({ min: 0, max: 2 })).map(([b, l]) => `${b}-${l}-0`),
    'x',
  ),
  until: mostly(time, 'tomorrow'),
  before: mostly(
    fc.tuple(fc.integer({ min: 9_750, max: 10_001 }), fc.integer({ min: 0, max: 2 })).map(([b, l]) => `${b}-${l}-0`),
    'x',
  ),
  order: mostly(fc.constantFrom('asc', 'desc'), 'ASC'),
  addresses: mostly(
    fc.subarray([1, 2, 5, 28, 99].map(tokenAddress), { minLength: 1 }).map((all) => all.join(',')),
    'x',
  ),
  query: mostly(fc.constantFrom('TOK', '0x000', 'a'), ''),
  token: address,
  action: mostly(fc.constantFrom('buy'), 'sell'),
  amount_usd: mostly(fc.constantFrom('5', '0.5', '1e6'), '-1', '0', 'NaN'),
  policy: mostly(fc.constantFrom('standard', 'strict'), 'mild'),
  age_hours: mostly(fc.constantFrom('1', '24'), '0', '25', '0.5'),
  rules: mostly(fc.constantFrom('open_power:block', 'young:allow,open_power:review'), 'open_power'),
  'listTokenCandles.limit': mostly(fc.constantFrom('200', '1000', '5000'), '0'),
  interval: mostly(fc.constantFrom('m1', 'm5', 'm15', 'h1', 'h4', 'd1'), 'H1'),
  from: mostly(time, 'now'),
  to: mostly(time, 'now'),
  fill: mostly(fc.constantFrom('true', 'false'), '1'),
  'listTokenTraders.sort': mostly(fc.constantFrom('realised_usd', 'realised_loss_usd', 'volume_usd'), 'profit'),
  'listWallets.sort': mostly(fc.constantFrom('reputation_score', 'realised_usd', 'trade_count'), 'profit'),
  'listWalletPositions.sort': mostly(fc.constantFrom('value_usd', 'realised_usd', 'last_at'), 'profit'),
  'listWalletPositions.status': mostly(fc.constantFrom('open', 'closed', 'all'), 'gone'),
  classification: mostly(
    fc.subarray([...CLASSIFICATIONS], { minLength: 1 }).map((words) => words.join(',')),
    'bad',
  ),
  kind: mostly(
    fc.subarray([...WALLET_KINDS], { minLength: 1 }).map((words) => words.join(',')),
    'bad',
  ),
  min_reputation_score: number(100),
  min_confidence: mostly(fc.constantFrom('low', 'medium', 'high'), 'none'),
  min_trade_count: mostly(fc.constantFrom('0', '3', '20'), '-1'),
  min_closed_position_count: mostly(fc.constantFrom('0', '1', '5'), '0.5'),
  min_realised_usd: mostly(fc.constantFrom('-50', '0', '1e2'), 'much'),
  traded_since: mostly(time, 'never'),
  exclude_flags: mostly(
    fc.subarray([...RISK_FLAGS], { minLength: 1 }).map((flags) => flags.join(',')),
    'bad',
  ),
  as_of: mostly(fc.constantFrom(String(HEAD_NUMBER), '3'), '-1'),
  'listWallets.after': fc.constant('x'),
  page: mostly(fc.constantFrom('1', '1', '2', '3', '7', '99999999'), '0'),
  limit: mostly(fc.constantFrom('1', '2', '7', '50', '200', '500'), '-3'),
  max_risk_score: number(100),
  max_age_hours: number(200),
  min_liquidity_usd: number(300_000),
  min_market_cap_usd: number(3_000_000),
  max_market_cap_usd: fc.integer({ min: 3_000_000, max: 10_000_000 }).map(String),
  min_holder_growth_1h_pct: number(300),
}

/** Values that cannot be turned into variables. */
const WRONG = [
  { name: 'sort', text: 'RISK_ASC' },
  { name: 'since', text: 'yesterday' },
]

const LISTS: ReadonlySet<string> = new Set(['exclude_flags', 'addresses', 'classification', 'kind'])

/** Conditions on counts, which take whole numbers only. */
const WHOLE = new Set(CONDITION_ROWS.filter(([, row]) => 'whole' in row && row.whole).map(([name]) => toSnake(name)))

function otherValue(name: string) {
  if (WHOLE.has(name)) return mostly(fc.constantFrom('0', '3', '20'), '0.5')
  return /^m(in|ax)_/.test(name) ? number(300) : fc.constant('?')
}

const read = ROUTES.filter(({ method, path }) => method === 'GET' && !/:(id|name)$/.test(path))
const requestsOf = (route: Route) =>
  fc.record({
    path: route.pathParam ? address : fc.constant(''),
    query: fc.record(
      Object.fromEntries(
        Object.keys(route.query).map((name) => [
          name,
          VALUES[`${route.id}.${name}`] ?? VALUES[name] ?? otherValue(name),
        ]),
      ),
      { requiredKeys: Object.keys(route.query).filter((name) => route.query[name]?.isRequired) as never[] },
    ),
  })

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(served.url + path, {
    ...init,
    headers: { authorization, 'content-type': 'application/json' },
  })
  const left = /"day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent
  return { status: response.status, body: (await response.json()) as any, left: Number(left) }
}

/** The parameters as values: numbers as numbers, lists as lists, all else as it is. */
const toValues = (route: Route, query: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const isNumber =
        /^(page|limit|as_of|amount_usd|age_hours|m(ax|in)_.*)$/.test(name) && Number.isFinite(Number(text))
      return [
        route.query[name]?.name ?? name,
        LISTS.has(name)
          ? text.split(',')
          : name === 'fill' && text !== '1'
            ? text === 'true'
            : isNumber
              ? Number(text)
              : text,
      ]
    }),
  )

describe.each(read.map((route) => [route.path, route] as const))('GET /v1%s', (_, route) => {
  it('agrees with GraphQL in data, totals, errors and price, whatever is asked', async () => {
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(requestsOf(route), async ({ path, query }) => {
        const search = new URLSearchParams(query as Record<string, string>).toString()
        const target = route.path.replace(/:\w+/, path)
        served.clock.advance(61_000)
        const rest = await ask(`/v1${target}${search && `?${search}`}`)
        const values = { ...toValues(route, query as Record<string, string>), ...(path && { address: path }) }
        // What only REST has, an order by its name or a time that is excluded, has no wrong form in GraphQL.
        if (WRONG.some(({ name, text }) => query[name as never] === text)) {
          expect(rest.status).toBe(400)
          return
        }
        const variables = toVariables(route, values)
        const graph = await ask('/graphql', {
          method: 'POST',
          body: JSON.stringify({ query: route.document, variables }),
        })
        seen.add(rest.status)
        if (rest.status === 404) {
          expect([graph.status, graph.body.data]).toEqual([200, { answer: null }])
        } else if (rest.status === 400 && graph.body.data?.answer === null && !graph.body.errors) {
          // Fields of a wallet that is not indexed are not compared.
          expect(path).not.toBe('')
        } else if (rest.status === 400) {
          expect([rest.body.error.code, graph.body.errors?.[0]?.extensions.code]).toEqual([
            'INVALID_PARAMS',
            'INVALID_PARAMS',
          ])
        } else {
          expect([rest.status, graph.status, graph.body.errors]).toEqual([200, 200, undefined])
          const { answer } = graph.body.data
          expect(JSON.parse(JSON.stringify(toBody(route, answer, values, 0).body))).toEqual(rest.body)
        }
        // GraphQL charges a long list with many parts more than REST, never less.
        const { charged } = graph.body.extensions.cost
        expect([charged >= 1, rest.left - graph.left]).toEqual([true, charged])
      }),
      { numRuns: 60, seed: 7 },
    )
    expect([...seen].sort()).toContain(200)
  })
})
