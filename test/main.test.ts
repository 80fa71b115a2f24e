// The program as a process: signals, exit codes, and a first start that prints a request which works.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { programEntry } from './support/build.ts'
import { createTestDatabase } from './support/database.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-main-'))
if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
const running: ChildProcess[] = []

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts the program with arguments and an environment of only PATH and the given variables. */
function start(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...programEntry(), ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_OPTIONS: '--throw-deprecation',
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: 'still',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  const reach = (pattern: RegExp) =>
    expect.poll(() => pattern.exec(said.out)?.[1] ?? `${said.out}${said.err}`).toMatch(/^http/)
  return { child, said, ended, reach }
}

const REQUEST = /curl -H 'Authorization: (Bearer \S+)' '(http:\S+)'/
const READY = /curl -H '[^']+' '(http:\S+)'/

/** Sends the request that the program printed. */
async function paste(out: string): Promise<{ status: number; body: { data: unknown[] } }> {
  const [, authorization = '', url = ''] = REQUEST.exec(out) ?? []
  const response = await fetch(url, { headers: { authorization } })
  return { status: response.status, body: (await response.json()) as { data: unknown[] } }
}

/** Once /readyz says that the program is ready: how many tokens are unchecked, and how many are of low risk. */
async function readAnswers(out: string) {
  const [, authorization = '', url = ''] = REQUEST.exec(out) ?? []
  const ask = (path: string) => fetch(new URL(path, url), { headers: { authorization } })
  // What it said is up to half a second old.
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
  const { tokens_unchecked: unchecked } = (await (await ask('/readyz')).json()) as { tokens_unchecked: number }
  const { total } = (await (await ask('/v1/tokens?max_risk_score=29')).json()) as { total: number }
  return { unchecked, total }
}

test('the first start and a later one print a working request, give the same answers at once, share a database, and exit with 0', async () => {
  const first = start(['serve'])
  await first.reach(READY)
  const pasted = await paste(first.said.out)
  expect(pasted).toMatchObject({ status: 200 })
  expect(pasted.body.data.length).toBeGreaterThan(0)
  const answers = await readAnswers(first.said.out)
  expect(answers.unchecked).toBe(0)
  expect(statSync(join(dataDir, 'demo-key')).mode & 0o777).toBe(0o600)
  const made = await start(['keys', 'create', '--email', 'a@b.example', '--plan', 'free', '--quiet']).ended
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^assay_live_\w{36}\n$/) })
  expect(await paste(first.said.out)).toMatchObject({ status: 200 })
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
  expect(existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
  const second = start(['serve'])
  await second.reach(READY)
  expect(await paste(second.said.out)).toMatchObject({ status: 200 })
  // Nothing was still to be computed when the first start said that it is ready.
  expect(await readAnswers(second.said.out)).toEqual(answers)
  second.child.kill('SIGINT')
  expect((await second.ended).code).toBe(0)
})

test('an unreachable database, a missing certificate and a wrong role each give one sentence', async () => {
  const [database, certificate, word] = await Promise.all([
    start(['serve'], { DATABASE_URL: 'postgres://a:s3cret@127.0.0.1:1/b' }).ended,
    start(['serve'], { TLS_CERT: '/no/such/cert.pem', TLS_KEY: '/no/such/key.pem' }).ended,
    start(['serve', '--roles', 'cook']).ended,
  ])
  expect(database).toMatchObject({ code: 1, err: expect.stringMatching(/nothing listens there/) })
  expect(database.err).not.toMatch(/s3cret|\n\s+at /)
  expect(certificate).toMatchObject({
    code: 78,
    err: expect.stringMatching(/TLS_CERT: the file \/no\/such\/cert\.pem/),
  })
  expect(word.code).toBe(2)
})

test('an unreachable provider ends the program with 69 and names RPC_URL', async () => {
  const { url } = await createTestDatabase()
  const asked = await start(['index'], { DATABASE_URL: url, RPC_URL: 'http://127.0.0.1:1' }).ended
  expect(asked).toMatchObject({ code: 69, err: expect.stringMatching(/RPC_URL/) })
})
