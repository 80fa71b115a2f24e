// `serve --roles api --workers N` as real processes: one port, exact limits, a worker that dies, an end under load.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'
import { seedLedger } from '../support/seed.ts'
import { type Running, startProgram } from './program.ts'

const CLIENTS = 40

const database = await createTestDatabase()
await seedLedger(database.pool)
const keyring = createKeyring(database.pool, systemClock)
const { key } = await keyring.create({ email: 'workers@example.com', plan: 'api' })

interface Serving extends Running {
  url: string
  metrics: string
}

/** Resolves once all workers serve. */
async function serve(workers: number, environment: Record<string, string> = {}): Promise<Serving> {
  const program = startProgram(['serve', '--roles', 'api', '--workers', String(workers)], {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder('workers'),
    PORT: '0',
    METRICS_PORT: '0',
    ACCESS_LOG: 'none',
    ...environment,
  })
  const find = (what: string) =>
    new RegExp(`${what} +(http://127\\.0\\.0\\.1:\\d+\\S*)`).exec(program.answers())?.[1] ?? program.complaints()
  await expect.poll(() => find('Metrics')).toMatch(/^http/)
  return { ...program, url: find('Page').replace(/\/$/, ''), metrics: find('Metrics') }
}

interface Outcome {
  /** The status of the answer, or the code of the error. */
  end: number | string
  left?: string | undefined
}

/** Sends one request; resolves with the whole answer or with the error. */
const ask = (url: string, agent: Agent, as = key): Promise<Outcome> =>
  new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ end: error.code ?? error.message })
    get(url, { agent, headers: { authorization: `Bearer ${as}` } }, (response) => {
      response.on('error', fail)
      response.on('end', () =>
        resolve(
          response.complete
            ? { end: response.statusCode ?? 0, left: /r=(\d+)/.exec(String(response.headers.ratelimit))?.[1] }
            : { end: 'cut' },
        ),
      )
      response.resume()
    }).on('error', fail)
  })

/** The value of a metric of each worker, by its label. */
async function readMetric({ metrics }: Serving, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(metrics)).text()
  const found: Record<string, number> = {}
  for (const [, worker = '', value] of text.matchAll(new RegExp(`^${name}{[^}]*worker="(\\d+)"[^}]*} (\\S+)$`, 'gm')))
    found[worker] = (found[worker] ?? 0) + Number(value)
  return found
}

/** The processes of the workers that have served so far. */
const readPids = ({ complaints }: Serving): number[] =>
  Array.from(complaints().matchAll(/"pid":(\d+),"msg":"a worker serves"/g), ([, pid]) => Number(pid))

async function end({ child, ended, complaints }: Serving): Promise<void> {
  child.kill('SIGTERM')
  expect([await ended, complaints()]).toEqual([0, expect.not.stringMatching(/"level":"(error|fatal)"/)])
}

test('three workers on one port share the connections and grant exactly what a limit allows', async () => {
  const serving = await serve(3)
  const free = await keyring.create({ email: 'free@example.com', plan: 'free' })
  // A connection for each request: connections are passed to the workers in turn.
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, () => ask(`${serving.url}/v1/tokens`, new Agent({ keepAlive: false }), free.key)),
  )
  const granted = outcomes.filter(({ end }) => end === 200)
  expect(outcomes.map(({ end }) => end).sort()).toEqual([...Array(10).fill(200), ...Array(50).fill(429)])
  expect(granted.map(({ left }) => Number(left)).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  const counts = await readMetric(serving, 'assay_http_request_seconds_count')
  expect(Object.keys(counts).sort()).toEqual(['1', '2', '3'])
  // A connection goes to the next worker that is free, so on a busy machine one may get fewer than its third.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(60)
  expect(Object.keys(await readMetric(serving, 'process_resident_memory_bytes')).sort()).toEqual(['0', '1', '2', '3'])
  expect(serving.answers().match(/Page/g)).toHaveLength(1)
  await end(serving)
})

test('a worker that is killed is replaced, and the others serve meanwhile', async () => {
  const serving = await serve(2)
  const [first = 0] = readPids(serving)
  process.kill(first, 'SIGKILL')
  await expect
    .poll(serving.complaints)
    .toContain(`"pid":${first},"code":null,"killer":"SIGKILL","msg":"a worker ended"`)
  for (let n = 0; n < 10; n += 1)
    expect((await ask(`${serving.url}/v1/tokens`, new Agent({ keepAlive: false }))).end).toBe(200)
  await expect.poll(() => readPids(serving).length).toBe(3)
  expect(Object.keys(await readMetric(serving, 'process_resident_memory_bytes')).sort()).toEqual(['0', '1', '2'])
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

/** Has 40 clients ask without a pause until `stop` has stopped the program; resolves with how often each outcome was seen. */
async function stopUnderLoad(serving: Serving, stop: () => Promise<void>): Promise<Record<string, number>> {
  const outcomes: Outcome[] = []
  const paths = ['/v1/tokens?limit=100', '/v1/events?limit=50', '/healthz', '/']
  const hammer = async (path: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let last: Outcome = { end: 0 }; typeof last.end === 'number'; outcomes.push(last))
      last = await ask(`${serving.url}${path}`, agent)
    agent.destroy()
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => hammer(paths[n % paths.length] ?? '/'))
  await expect.poll(() => outcomes.length).toBeGreaterThan(500)
  await stop()
  await Promise.all(clients)
  const ends: Record<string, number> = {}
  for (const { end } of outcomes) ends[end] = (ends[end] ?? 0) + 1
  return ends
}

test('under 40 busy clients SIGTERM to three workers cuts no answer and resets no connection, though the main process closes the port late', async () => {
  const serving = await serve(3)
  const ends = await stopUnderLoad(serving, async () => {
    const ended = end(serving)
    await sleep(1_000)
    serving.child.kill('SIGSTOP')
    await sleep(500)
    serving.child.kill('SIGCONT')
    await ended
  })
  expect(ends).toEqual({ 200: expect.any(Number), ECONNREFUSED: CLIENTS })
})

test('workers that cannot start end the program with one sentence each, and workers beside other roles are refused', async () => {
  const held = await serve(1)
  const taken = startProgram(['serve', '--roles', 'api', '--workers', '3'], {
    DATABASE_URL: database.url,
    PORT: new URL(held.url).port,
  })
  const mixed = startProgram(['serve', '--workers', '2'], { DATABASE_URL: database.url })
  expect([await taken.ended, await mixed.ended]).toEqual([1, 2])
  expect(
    taken
      .complaints()
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('{')),
  ).toEqual([
    expect.stringMatching(/^The server cannot listen on 127\.0\.0\.1:\d+: something else listens there: set PORT\.$/),
    'Worker 1 ended with exit code 1 while it was starting.',
  ])
  expect(mixed.complaints()).toMatch(/^--workers needs --roles api: other roles would hold up/)
  await end(held)
})
