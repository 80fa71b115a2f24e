// Attacks with many valid requests: each is answered or refused, and the honest client must still get its answers.
import { type Attack, repeat, type Target } from './attack.ts'
import { walk } from './documents.ts'
import type { Account } from './stage.ts'

const FLAGS = 'exclude_flags=wash_trading,sybil_cluster,liquidity_pulled'
const FILTERS = [
  'min_liquidity_usd=0.000001',
  'max_risk_score=99.999',
  'min_holder_growth_1h_pct=-100',
  'max_age_hours=1e9',
  FLAGS,
]
const SORTS = ['trending', 'newest', 'liquidity', 'volume', 'risk_asc']

const byPaths = (
  name: string,
  write: (target: Target, round: number) => string,
  {
    times = 1_200,
    atOnce = 4,
    account = 'trusted',
    accept,
  }: { times?: number; atOnce?: number; account?: Account | null; accept?: string } = {},
): Attack => ({
  name,
  run: (target) =>
    repeat(target, { times, atOnce }, async (round) => {
      const authorization = account ? { authorization: `Bearer ${target.stage.keys[account]}` } : {}
      const headers = { ...authorization, ...(accept ? { accept } : {}) }
      await target.client.ask({ path: write(target, round), headers })
    }),
})

const byQueries = (name: string, write: (round: number) => object, account: Account, atOnce: number): Attack => ({
  name,
  run: (target) =>
    repeat(target, { times: 400, atOnce }, async (round) => {
      await target.client.graphql(target.stage.keys[account], write(round))
    }),
})

const DEAREST = {
  query:
    '{ events(first: 200) { nodes { transactionHash amountUsd wallet { reputationScore pnlEstimateUsd portfolio(limit: 40) { tokenSymbol valueUsd } } } } }',
}
const SCORES = {
  query:
    '{ events(first: 200) { nodes { wallet { score { explanation { dimensions { name score inputs { name value } } } } } } } }',
}

export const floodAttacks: Attack[] = [
  byPaths(
    'pages far past the last one',
    ({ stage }, round) =>
      [
        '/v1/tokens?page=9999999999',
        '/v1/events?limit=200&page=2147483647',
        `/v1/events?type=transfer&page=${10 ** 6}`,
        `/v1/wallets/${stage.wallets[0]}/events?page=${10 ** 15}`,
        `/v1/events?page=${'9'.repeat(400)}`,
        `/v1/alerts?page=99999999`,
      ][round % 6] ?? '/',
  ),
  byPaths('events since many different times', ({ stage }, round) => {
    const since = new Date(Date.parse(stage.headTime) - round * 60_000).toISOString()
    return `/v1/events?limit=200&since=${since}&type=${['swap', 'transfer'][round % 2]}`
  }),
  byPaths('events by token and wallet together', ({ stage }, round) => {
    const [token, wallet] = [stage.tokens[round % stage.tokens.length], stage.wallets[round % stage.wallets.length]]
    return `/v1/events?limit=200&token_address=${token}&wallet_address=${wallet}`
  }),
  byPaths('all combinations of filters and sorts', (_, round) => {
    const filters = FILTERS.filter((_, at) => (round >> at) & 1).join('&')
    return `/v1/tokens?limit=200&sort=${SORTS[round % 5]}&page=${1 + (round % 3)}&${filters}`
  }),
  byPaths('unknown wallets', (_, round) => `/v1/wallets/0x${(round * 7919).toString(16).padStart(40, '0')}`),
  byPaths('a free key at full speed', () => '/v1/tokens?limit=200', {
    account: 'free',
    times: 6_000,
    atOnce: 16,
  }),
  byPaths(
    'no key at full speed',
    (_, round) => ['/v1/tokens', '/graphql?query={chain{name}}', '/v1/x', '/'][round % 4] ?? '/',
    {
      account: null,
      times: 8_000,
      atOnce: 16,
    },
  ),
  byPaths('/readyz and /healthz at full speed', (_, round) => (round % 4 ? '/readyz' : '/healthz'), {
    account: null,
    times: 8_000,
    atOnce: 16,
  }),
  byPaths('GraphiQL at full speed', () => '/graphql', {
    account: null,
    times: 300,
    atOnce: 4,
    accept: 'text/html',
  }),
  byPaths(
    'unsubscribe with made-up signatures',
    (_, round) =>
      `/unsubscribe?alert=00000000-0000-4000-8000-${String(round).padStart(12, '0')}&signature=${'A'.repeat(43)}`,
    {
      account: null,
      times: 4_000,
      atOnce: 8,
    },
  ),
  byQueries('a large customer at its limit, costliest query', () => DEAREST, 'large', 2),
  byQueries('a large customer at its limit, explanations', () => SCORES, 'large', 2),
  byQueries('a pro key at its limit, nested queries', (round) => walk(2, 4 + (round % 3)), 'pro', 4),
]
