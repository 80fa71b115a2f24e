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
export async function read(server: Server, path: string): Promise<unknown> {
  const response = await fetch(server.origin + path, { headers: server.headers })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Asks for all paths in turn over 16 connections. Throws where an answer is no success. */
async function fire(server: Server, paths: readonly string[], seconds: number): Promise<autocannon.Result> {
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers: server.headers }))
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
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} errors`)
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

/**
 * Requests per second of both servers as the median of the rounds, and the median ratio. The first one changes with each
 * round, so that leftovers of a round affect both.
 */
export async function compare(
  ours: Server,
  yardstick: Server,
  { name: route, path: pathOf }: Route,
  { rounds: count, seconds }: { rounds: number; seconds: number },
): Promise<Comparison> {
  const random = createRandom(7)
  const paths = Array.from({ length: PATHS }, () => pathOf(random))
  for (const path of paths.slice(0, 5)) {
    const answer = await read(ours, path)
    deepStrictEqual(asPrinted(await read(yardstick, path), answer), answer, `${path}: the answers differ`)
  }
  const rounds: { ours: autocannon.Result; yardstick: autocannon.Result }[] = []
  const ask = (server: Server) => fire(server, paths, seconds)
  for (let round = 0; round <= count; round++) {
    const first = round % 2 === 0 ? await ask(yardstick) : null
    const own = await ask(ours)
    const theirs = first ?? (await ask(yardstick))
    // The first round only warms up both servers.
    if (round > 0) rounds.push({ ours: own, yardstick: theirs })
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
