// The REST server on a real socket over a test database, with a clock that only tests move, and a short way to call it.
import express from 'express'
import { afterAll, expect } from 'vitest'
import type { Guard } from '../../src/access/guard.ts'
import { createSubjects, type SubjectsDeps } from '../../src/access/subjects.ts'
import { choosePages, PAGES } from '../../src/describe/pages.ts'
import type { PublicKey } from '../../src/gate/sign.ts'
import type { Graph } from '../../src/graph/http/graph.ts'
import { createClaims } from '../../src/ledger/account/idempotency.ts'
import { readUnsubscribeSecret } from '../../src/ledger/account/secret.ts'
import { type Head, type HeadWatch, NO_HEAD } from '../../src/ledger/head.ts'
import { createReadiness, type Readiness } from '../../src/ledger/read/readiness.ts'
import type { Bounds } from '../../src/rest/edge/bounds.ts'
import { isLoopback } from '../../src/rest/edge/connections.ts'
import { createListener, type ListenOptions } from '../../src/rest/edge/listen.ts'
import { createTraffic, type Refusal, type Traffic } from '../../src/rest/edge/traffic.ts'
import { createUnsubscribe } from '../../src/rest/edge/unsubscribe.ts'
import { createHttp, type HttpDeps } from '../../src/rest/http.ts'
import { createSignupBounds } from '../../src/signup/bounds.ts'
import { createSignup, type SignupMode } from '../../src/signup/signup.ts'
import { createStreams, type Streams, type StreamsDeps } from '../../src/stream/streams.ts'
import { createTestAccess, silentLog, type TestAccess } from './access.ts'
import { stillBoard } from './board.ts'
import { chainUnderTest } from './chain-under-test.ts'
import { faultsOf } from './conforms.ts'
import type { TestDatabase } from './database.ts'
import { PATIENCE_MS } from './patience.ts'
import { askThroughClient } from './through-client.ts'
import { startPrism } from './through-prism.ts'

/** Whether the contract's tests go through the TypeScript client where they can. */
const throughClient = process.env.CONTRACT_CLIENT !== undefined
/** Prism's program, where they go through it. */
const prismProgram = process.env.CONTRACT_PROXY

const { name: further } = chainUnderTest
/** The path of the chain on which the contract's tests run. */
export const PREFIX = further ? `/${further}` : ''

export interface TestServer extends TestAccess {
  url: string
  /** The lines that were logged. */
  lines: Record<string, unknown>[]
  /** `path` is relative to /v1 unless it is a whole URL; the key is sent unless the headers say otherwise. */
  ask(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Asked>
  /** The requests that were refused. */
  refused: Refusal[]
  traffic: Traffic
  leave(): void
  stop(): Promise<void>
}

export interface Asked {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent; each test says what it expects.
  json: any
}

export interface TestServerOptions {
  database: TestDatabase
  /** Answers every document, for tests of everything around the graph. */
  execute?: () => Promise<{ answer: unknown; head: Head }>
  /** The real graph. */
  graph?: Graph | ((streams: Streams) => Graph)
  guard?: Partial<Guard>
  /** The public keys of signed answers. */
  keys?: readonly PublicKey[]
  /** Left out: nobody can sign up. */
  signup?: SignupMode
  trustProxy?: HttpDeps['trustProxy']
  publicUrl?: string
  /** An authorization server whose tokens /mcp takes. */
  oauth?: Pick<SubjectsDeps, 'issuer'> & Partial<SubjectsDeps>
  /** How requests without a key pay. */
  pay?: (database: TestDatabase) => HttpDeps['pay']
  tls?: ListenOptions['tls']
  checkReadiness?: () => Promise<Readiness>
  isLate?: () => boolean
  readDemoKey?: HttpDeps['readDemoKey']
  accessLog?: number
  bounds?: Partial<Bounds>
  isExempt?: (address: string) => boolean
  drainMs?: number
  streams?: Partial<StreamsDeps>
  requestWithinMs?: number
}

/** Listens on a free port until the file's tests are over. Its own key has no limits. */
export async function createTestServer(options: TestServerOptions): Promise<TestServer> {
  const { database, trustProxy, tls } = options
  const access = createTestAccess(database)
  const lines: Record<string, unknown>[] = []
  const refused: Refusal[] = []
  const traffic = createTraffic((kind) => void refused.push(kind))
  const head = options.streams?.head ?? STILL
  const board = options.streams?.board ?? stillBoard
  const streams = createStreams({
    database,
    head,
    board,
    guard: access.guard,
    clock: access.clock,
    log: silentLog,
    ...options.streams,
  })
  const keep = (fields: unknown) => void lines.push(fields as Record<string, unknown>)
  const app = createHttp({
    ...(further && {
      chains: {
        path: PREFIX,
        all: new Map([
          ['default', ''],
          [further, PREFIX],
        ]),
      },
    }),
    guard: { ...access.guard, ...options.guard },
    oauth: options.oauth && {
      rootUrl: options.publicUrl ?? '',
      subjects: createSubjects({
        ...{ scope: undefined, plan: 'free', most: 10, pool: database.pool, clock: access.clock, log: silentLog },
        ...options.oauth,
      }),
    },
    pay: options.pay?.(database),
    graph: toGraph(options, streams),
    head: options.streams?.head,
    idempotency: createClaims(database.pool),
    checkReadiness: options.checkReadiness ?? createReadiness(database.pool, 50, database.schema),
    signupMode: options.signup ?? null,
    signup: options.signup
      ? createSignup({
          pool: database.pool,
          bounds: createSignupBounds(database.pool, access.clock),
          clock: access.clock,
          mode: options.signup,
        })
      : null,
    unsubscribe: createUnsubscribe({ database, secret: await readUnsubscribeSecret(database) }),
    pages: options.keys
      ? choosePages({ keys: options.keys, publicUrl: options.publicUrl, clock: access.clock })
      : PAGES,
    clock: access.clock,
    log: { ...silentLog, debug: keep, info: keep, error: keep },
    trustProxy,
    publicUrl: options.publicUrl,
    readDemoKey: options.readDemoKey,
    traffic,
    streams,
    isLate: options.isLate ?? (() => false),
    requestWithinMs: options.requestWithinMs ?? 2 * PATIENCE_MS,
    accessLog: options.accessLog ?? 1,
    ...(options.bounds?.inFlight !== undefined && { inFlight: options.bounds.inFlight }),
  })
  const { bounds = {}, isExempt = isLoopback, drainMs = 0 } = options
  const listener = createListener(further ? express() : app, {
    ...(further && { chains: new Map([[further, app]]) }),
    host: '127.0.0.1',
    port: 0,
    tls,
    traffic,
    bounds,
    isExempt,
    drainMs,
    clock: access.clock,
  })
  const url = `${await listener.start()}${PREFIX}`
  const prism = prismProgram && options.graph ? await startPrism(prismProgram, url) : null
  const stop = async () => {
    prism?.stop()
    streams.sessions.leave()
    await listener.stop()
    await streams.stop()
    await access.stop()
  }
  let stopped: Promise<void> | undefined
  const stopOnce = () => (stopped ??= stop())
  afterAll(stopOnce)
  const { authorization } = await access.knock({ plan: 'api' })
  const ask: TestServer['ask'] = async (path, init = {}) => {
    const target = URL.canParse(path) ? path : `${url}/v1${path}`
    const sent = { ...init, headers: { authorization, ...init.headers } as Record<string, string> }
    const ours = options.graph && target.startsWith(`${url}/v1/`) ? target.slice(`${url}/v1`.length) : null
    const response =
      (ours && throughClient ? await askThroughClient(url, ours, sent) : null) ??
      (ours && prism ? await prism.ask(ours, sent) : null) ??
      (await fetch(target, sent))
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
    const asked = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
    // Every answer of the real graph has to be as /openapi.json describes it.
    if (options.graph) {
      const { pathname } = new URL(target)
      const faults = faultsOf({ method: init.method ?? 'GET', path: pathname.slice(PREFIX.length) }, asked)
      if (faults.length > 0) throw new Error(`${target} is not as described: ${faults.join('; ')}`)
    }
    return asked
  }
  return {
    ...access,
    url,
    lines,
    refused,
    traffic,
    ask,
    leave: () => {
      streams.sessions.leave()
      listener.leave()
    },
    stop: stopOnce,
  }
}

/** A head that never moves. */
const STILL: HeadWatch = {
  current: () => NO_HEAD,
  version: () => 0,
  refresh: async () => NO_HEAD,
  onChange: () => () => {},
  stop: async () => {},
}

const toGraph = ({ graph, execute }: TestServerOptions, streams: Streams) =>
  typeof graph === 'function' ? graph(streams) : (graph ?? fakeGraph(execute))

const fakeGraph = (execute: TestServerOptions['execute']): Omit<Graph, 'schema'> => ({
  execute: async () => {
    if (!execute) throw new Error('this server answers no documents')
    const { answer, head } = await execute()
    return { data: { answer }, head }
  },
  ask: () => Promise.reject(new Error('this server answers no agents')),
  subscribe: () => Promise.reject(new Error('this server has no subscriptions')),
  handle: async (_request, response) => {
    response.end('{}')
    return 200
  },
})

/** Checks the one shape that every error has. */
export function expectError(asked: Asked, status: number, code: string): void {
  expect([asked.status, asked.json?.error?.code]).toEqual([status, code])
  const { error } = asked.json
  expect(Object.keys(asked.json)).toEqual(['error'])
  expect(Object.keys(error)).toEqual(['code', 'message', ...(status === 400 ? ['details'] : []), 'request_id'])
  expect(error.message).toMatch(/\S/)
  expect(error.request_id).toBe(asked.headers.get('x-request-id'))
  expect(asked.headers.get('content-type')).toMatch(/^application\/json/)
  expect(asked.headers.get('x-content-type-options')).toBe('nosniff')
  expect(asked.headers.get('access-control-allow-origin')).toBe('*')
  expect(asked.headers.get('cache-control')).toBe('no-store')
  for (const fault of error.details ?? []) {
    expect(Object.keys(fault)).toEqual(['location', 'field', 'message'])
  }
}
