// Attacks with URLs and headers that are long or expensive to parse, each small enough to be accepted.
import { type Attack, repeat, type Target } from './attack.ts'
import type { Ask } from './client.ts'

const LONG = 60_000
const fill = (part: string, length = LONG) => part.repeat(Math.ceil(length / part.length)).slice(0, length)

const byHeads = (
  name: string,
  write: (target: Target, round: number) => Ask,
  { times = 400, atOnce = 8 } = {},
): Attack => ({
  name,
  run: (target) =>
    repeat(target, { times, atOnce }, async (round) => {
      const { headers, ...ask } = write(target, round)
      await target.client.ask({ ...ask, headers: { authorization: `Bearer ${target.stage.keys.trusted}`, ...headers } })
    }),
})

const LISTS = ['W/"x",', '"', ',', '"a" ', 'W/', '*, ', '"\\"', `"${'x'.repeat(43)}", `]
const ACCEPTS = [
  '*/*;q=0.1,',
  'a/b;',
  'text/html;q=',
  ';;;;',
  'application/json;a="',
  ',,,,',
  'application/graphql-response+json;',
]
const CODINGS = ['gzip;q=0.001,', 'br,', '*;q=0,', ';q=', 'identity;', ' ,', '\t']
const TYPES = [
  'application/json;',
  'application/json; charset="',
  'multipart/form-data; boundary=',
  'a/b; ;',
  'application/json;charset=utf-16,',
]
const PATH = '/v1/tokens?limit=5'

export const headAttacks: Attack[] = [
  byHeads('If-None-Match of 60 KB', (_, round) => ({
    path: PATH,
    headers: { 'if-none-match': fill(LISTS[round % LISTS.length] ?? '"') },
  })),
  byHeads('Accept of 60 KB', (_, round) => ({
    path: round % 2 ? PATH : '/graphql?query={chain{name}}',
    headers: { accept: fill(ACCEPTS[round % ACCEPTS.length] ?? ';') },
  })),
  byHeads('Accept-Encoding of 60 KB', (_, round) => ({
    path: '/v1/tokens?limit=50',
    headers: { 'accept-encoding': fill(CODINGS[round % CODINGS.length] ?? ',') },
  })),
  byHeads('Content-Type of 60 KB', ({ stage: _ }, round) => ({
    method: 'POST',
    path: round % 2 ? '/graphql' : '/v1/alerts',
    body: '{"query":"{chain{name}}"}',
    headers: { 'content-type': fill(TYPES[round % TYPES.length] ?? ';') },
  })),
  byHeads('X-Request-Id, cookies, ranges, 60 KB', (_, round) => ({
    path: PATH,
    headers: {
      [['x-request-id', 'cookie', 'range', 'x-forwarded-for', 'idempotency-key', 'if-modified-since', 'origin'][
        round % 7
      ] ?? '']: fill(['a', 'a=b; ', 'bytes=0-1,1-2,', '1.2.3.4, ', 'k', 'Sun, ', 'null'][round % 7] ?? 'a'),
    },
  })),
  byHeads(
    'Authorization of 60 KB',
    (_, round) => ({
      path: PATH,
      headers: {
        authorization: fill(['Bearer ', 'Bearer assay_live_', ' ', 'Basic ', '\t', 'bearer x'][round % 6] ?? 'x'),
      },
    }),
    { times: 100 },
  ),
  byHeads('thousands of parameters', (_, round) => ({
    path: `/v1/tokens?${Array.from({ length: 1_800 }, (_, at) => (round % 2 ? `a${at}=1` : 'limit=1'))
      .join('&')
      .slice(0, 15_000)}`,
  })),
  byHeads('malformed percent-encoding', (_, round) => ({
    path:
      [
        `/v1/tokens?sort=${fill('%ff', 12_000)}`,
        `/v1/tokens/${fill('%2e%2e%2f', 9_000)}`,
        `/v1/tokens?${fill('%25', 12_000)}`,
        `/${fill('%c0%af', 9_000)}`,
        `/v1/wallets/${fill('%', 6_000)}`,
        `/v1//${fill('/', 9_000)}`,
        `/v1/alerts/${fill('%00', 9_000)}`,
      ][round % 7] ?? '/',
  })),
  byHeads('GET /graphql with a long URL', (_, round) => ({
    path: `/graphql?query=${encodeURIComponent(`{ ${'chain { name } '.repeat([10, 300, 600, 2_000][round % 4] ?? 1)} }`)}`.slice(
      0,
      60_000,
    ),
  })),
  byHeads('GET /graphql with variables', (_, round) => ({
    path: `/graphql?query={chain{name}}&variables=${encodeURIComponent(round % 2 ? fill('[', 4_000) : `{"a":"${fill('\\', 4_000)}"}`)}&extensions=${fill('{', 2_000)}`,
  })),
  byHeads('unknown paths', (_, round) => ({ path: `/v1/${fill(`x${round}/`, 3_000)}` }), { times: 1_500 }),
]
