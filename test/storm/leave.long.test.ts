// SIGTERM and SIGHUP to a real server process while clients keep asking.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'
import { connectRaw } from '../support/raw.ts'
import { seedLedger } from '../support/seed.ts'
import { type Running, startProgram } from './program.ts'

const CLIENTS = 40
const WITHIN_MS = 5_000

const database = await createTestDatabase()
await seedLedger(database.pool)
const { key } = await createKeyring(database.pool, systemClock).create({ email: 'leave@example.com', plan: 'api' })

/** Starts the role `api`; resolves with its URL once it answers. */
async function serve(environment: Record<string, string> = {}): Promise<Running & { url: string }> {
  const program = startProgram(['serve', '--roles', 'api'], {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder('leave'),
    PORT: '0',
    ACCESS_LOG: 'none',
    ...environment,
  })
  const find = () => /(https?:\/\/127\.0\.0\.1:\d+)/.exec(program.answers())?.[1] ?? program.complaints()
  await expect.poll(find).toMatch(/^http/)
  return { ...program, url: find() }
}

interface Outcome {
  /** The status of the answer, or the code of the error. */
  end: number | string
  closes?: boolean
}

/** Sends one request; resolves with the complete answer or the error. */
function ask(url: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ end: error.code ?? error.message })
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.on('error', fail)
      response.on('end', () => {
        const closes = response.headers.connection === 'close'
        resolve(response.complete ? { end: response.statusCode ?? 0, closes } : { end: 'cut' })
      })
      response.resume()
    }).on('error', fail)
  })
}

/** Asks repeatedly on one keep-alive connection until there is no answer. */
async function hammer(url: string, path: string, outcomes: Outcome[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let last: Outcome
  do {
    last = await ask(`${url}${path}`, agent)
    outcomes.push(last)
  } while (typeof last.end === 'number')
  agent.destroy()
}

test('under 40 busy clients SIGTERM cuts no answer, resets no connection and ends the server within 5 s', async () => {
  const { url, child, ended } = await serve()
  const outcomes: Outcome[] = []
  const paths = ['/v1/tokens?limit=100', '/v1/events?limit=50', '/healthz', '/']
  const clients = Array.from({ length: CLIENTS }, (_, n) => hammer(url, paths[n % paths.length] ?? '/', outcomes))
  await expect.poll(() => outcomes.length).toBeGreaterThan(500)
  const idle = await connectRaw(url)
  const before = outcomes.length
  const startedMs = performance.now()
  child.kill('SIGTERM')
  await expect.poll(() => outcomes.slice(before).some(({ closes }) => closes)).toBe(true)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  await Promise.all(clients)
  expect(await ended).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS)
  expect(await idle.closed).toBeUndefined()
  const ends = new Map<number | string, number>()
  for (const { end } of outcomes) ends.set(end, (ends.get(end) ?? 0) + 1)
  expect([...ends.keys()].sort()).toEqual([200, 'ECONNREFUSED'])
  expect(ends.get('ECONNREFUSED')).toBe(CLIENTS)
  expect(outcomes.findIndex(({ closes }) => closes)).toBeGreaterThanOrEqual(before)
})

test('SIGHUP loads a new certificate, keeps the old one if it is invalid, and does not stop the server', async () => {
  const folder = makeFolder('sighup')
  const [cert, certificateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, CERTIFICATE)
  writeFileSync(certificateKey, PRIVATE_KEY)
  const { url, child, ended, complaints } = await serve({ TLS_CERT: cert, TLS_KEY: certificateKey })
  const shakeHands = async () => {
    const socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.destroy()
  }
  await shakeHands()
  writeFileSync(cert, 'no certificate')
  child.kill('SIGHUP')
  await expect.poll(complaints).toMatch(/"reason":"[^"]+","msg":"the new certificate is not used, the old one stays"/)
  await shakeHands()
  writeFileSync(cert, `${CERTIFICATE}\n`)
  child.kill('SIGHUP')
  await expect.poll(complaints).toMatch(/the certificate was reloaded/)
  await shakeHands()
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('without TLS, SIGHUP logs that there is nothing to reload, and the server goes on', async () => {
  const { url, child, ended, complaints } = await serve()
  child.kill('SIGHUP')
  await expect.poll(complaints).toMatch(/nothing to reload: TLS_CERT and TLS_KEY are not set/)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
