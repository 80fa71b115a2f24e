// Compares each REST route, with key and limits, with the hand-written server, over real sockets, in one run and in
// turns. First it checks that both give the same JSON. Every request asks for different data, so that caches of an
// earlier one do not help.

import { deepStrictEqual } from 'node:assert/strict'
import autocannon from 'autocannon'
import { createRandom } from '../support/seed.ts'
import { asPrinted } from './digits.ts'
import { LIST_QUESTIONS } from './list-questions.ts'
import type { Sizes } from './load.ts'

const CONNECTIONS = 16
/** Number of paths per route, requested in turn: answers to so many do not fit into what a server keeps. */
const PATHS = 40_000

export interface Server {
  origin: string
  headers: Record<string, string>
}

export interface Route {
  name: string
  path(random: () => number): string
}

/** How the names of routes begin that list tokens. */
export const LISTS = 'GET /tokens: '
export const walletAddress = (tokens: number, at = 1) => `0xb${(tokens + at).toString(16).padStart(39, '0')}`
export const tokenAddress = (id: number) => `0xa${id.toString(16).padStart(39, '0')}`
const pick = (random: () => number, count: number) => Math.floor(random() * count)

export const routesOf = ({ tokens, wallets, events }: Sizes): Route[] => [
  ...Object.entries(LIST_QUESTIONS).map(([name, question]) => ({
    name: `${LISTS}${name}`,
    path: (random: () => number) => question((below) => pick(random, below), tokens),
  })),
  { name: 'GET /tokens/{address}', path: (random) => `/v1/tokens/${tokenAddress(1 + pick(random, tokens))}` },
  { name: 'GET /events', path: (random) => `/v1/events?page=${1 + pick(random, Math.floor(events / 50))}` },
  {
    name: 'GET /scores/token/{address}',
    path: (random) => `/v1/scores/token/${tokenAddress(1 + pick(random, tokens))}`,
  },
  {
    name: 'GET /events?token_address',
    path: (random) => `/v1/events?token_address=${tokenAddress(1 + pick(random, tokens))}`,
  },
  {
    name: 'GET /wallets/{address}',
    path: (random) => `/v1/wallets/${walletAddress(tokens, 1 + pick(random, wallets))}`,
  },
  {
    name: 'GET /wallets/{address}/events',
    path: (random) => `/v1/wallets/${walletAddress(tokens, 1 + pick(random, wallets))}/events`,
  },
  {
    name: 'GET /scores/wallet/{address}',
    path: (random) => `/v1/scores/wallet/${walletAddress(tokens, 1 + pick(random, wallets))}`,
  },
]
const LIST = encodeURIComponent(
  '{ tokens(orderBy: [{ field: liquidity_usd }], first: 50) { total nodes { address symbol liquidityUsd riskScore riskFlags } } }',
)

/** One path of each reading route, and a GraphQL query by GET. */
export const warmPathsOf = ({ tokens }: Sizes): Record<string, string> => ({
  'GET /tokens': '/v1/tokens?sort=liquidity',
  'GET /tokens/{address}': `/v1/tokens/${tokenAddress(1)}`,
  'GET /wallets/{address}': `/v1/wallets/${walletAddress(tokens)}`,
  'GET /wallets/{address}/events': `/v1/wallets/${walletAddress(tokens)}/events`,
  'GET /events': '/v1/events',
  'GET /scores/wallet/{address}': `/v1/scores/wallet/${walletAddress(tokens)}`,
  'GET /scores/token/{address}': `/v1/scores/token/${tokenAddress(1)}`,
  'GET /graphql': `/graphql?query=${LIST}`,
})

export async function read(server: Server, path: string): Promise<unknown> {
  const response = await fetch(server.origin + path, { headers: server.headers })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** What a GraphQL query has cost is left out. */
async function readPlain(server: Server, path: string): Promise<unknown> {
  const answer = await read(server, path)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'extensions'))
}

/** A request: a GET of a path, also by a client that has the answer already, or a query by POST to /graphql. */
export type Asked = string | Held | Posted

/** A path, and the ETag of the answer that the asker has. */
export interface Held {
  path: string
  etag: string
}

export interface Posted {
  query: string
  extensions?: object
}

/** The same queries, each with a number that no server reads, so that nobody has an answer to one before. */
export const eachOnce = (asked: readonly Posted[]): Posted[] =>
  Array.from({ length: PATHS }, (_, at) => ({ ...(asked[at % asked.length] as Posted), extensions: { at } }))

/** The path with the ETag of its answer, for which the server has to answer 304 from now on. */
export async function hold(server: Server, path: string): Promise<Held> {
  const whole = await fetch(server.origin + path, { headers: server.headers })
  await whole.arrayBuffer()
  const held = { path, etag: whole.headers.get('etag') ?? '' }
  const again = await fetch(server.origin + path, { headers: { ...server.headers, 'if-none-match': held.etag } })
  await again.arrayBuffer()
  if (again.status !== 304) throw new Error(`${path}: ${again.status} to whoever has ${held.etag || 'no ETag'}`)
  return held
}

function toRequest(asked: Asked, { headers }: Server) {
  if (typeof asked === 'string') return { method: 'GET' as const, path: asked, headers }
  if ('etag' in asked)
    return { method: 'GET' as const, path: asked.path, headers: { ...headers, 'if-none-match': asked.etag } }
  return {
    method: 'POST' as const,
    path: '/graphql',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  }
}

/** Asks for all of it in turn over 16 connections. Throws where an answer is neither a success nor a 304 to an ETag. */
export async function fire(server: Server, asked: readonly Asked[], seconds: number): Promise<autocannon.Result> {
  const requests = asked.map((each) => toRequest(each, server))
  const share = Math.floor(requests.length / CONNECTIONS)
  let begun = 0
  const result = await autocannon({
    url: server.origin,
    connections: CONNECTIONS,
    duration: seconds,
    // Each connection has its own paths if there are enough, so that no connection's requests help another. Preparing
    // all paths for each would take so long on a busy machine that a server closes idle connections.
    setupClient: (client) => {
      const from = begun * share
      begun += 1
      client.setRequests(share === 0 ? requests : requests.slice(from, from + share))
    },
  })
  const failed = result.non2xx - (result.statusCodeStats?.['304']?.count ?? 0)
  if (failed > 0 || result.errors > 0)
    throw new Error(`${failed} answers were neither 2xx nor 304, ${result.errors} errors`)
  return result
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export interface Comparison {
  route: string
  ours: number
  yardstick: number
  ratio: number
  p50Ms: number
  p99Ms: number
}

/** Requests per second of both servers as the median of the rounds, and the median ratio. */
export async function compare(
  ours: Server,
  yardstick: Server,
  route: Route,
  sizes: { rounds: number; seconds: number },
): Promise<Comparison> {
  const random = createRandom(7)
  return race(
    ours,
    yardstick,
    route.name,
    Array.from({ length: PATHS }, () => route.path(random)),
    sizes,
  )
}

/** The same over these paths, in turn. */
export async function race(
  ours: Server,
  yardstick: Server,
  route: string,
  paths: readonly string[],
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<Comparison> {
  for (const path of paths.slice(0, 5)) {
    const theirs = await readPlain(yardstick, path)
    const answer = await readPlain(ours, path)
    deepStrictEqual(asPrinted(theirs, answer), answer, `${path}: the answers differ`)
  }
  return raceOf({ server: ours, asked: paths }, { server: yardstick, asked: paths }, route, { rounds: count, seconds })
}

interface Side {
  server: Server
  asked: readonly Asked[]
}

/**
 * Two servers, or one in two ways, in turns: the first one changes with each round, so that leftovers of a round affect
 * both.
 */
export async function raceOf(
  one: Side,
  other: Side,
  route: string,
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<Comparison> {
  const rounds: { ours: autocannon.Result; yardstick: autocannon.Result }[] = []
  const ask = ({ server, asked }: Side) => fire(server, asked, seconds)
  for (let round = 0; round <= count; round++) {
    const first = round % 2 === 0 ? await ask(other) : null
    const ours = await ask(one)
    const yardstick = first ?? (await ask(other))
    // The first round only warms up both servers.
    if (round > 0) rounds.push({ ours, yardstick })
  }
  return {
    route,
    ours: median(rounds.map((round) => round.ours.requests.average)),
    yardstick: median(rounds.map((round) => round.yardstick.requests.average)),
    ratio: median(rounds.map((round) => round.ours.requests.average / round.yardstick.requests.average)),
    p50Ms: median(rounds.map((round) => round.ours.latency.p50)),
    p99Ms: median(rounds.map((round) => round.ours.latency.p99)),
  }
}
