// `past`: from a program that serves a late-started index to one that serves a complete one, with an interruption on
// the way.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { openApp } from '../../src/app.ts'
import { systemClock } from '../../src/base/clock.ts'
import { runProgram } from '../../src/cli/program.ts'
import { openDatabase } from '../../src/database/client.ts'
import { findSecondDatabase } from '../../src/database/second-database.ts'
import { createContext } from '../support/context.ts'
import { makeFolder } from '../support/folder.ts'

const name = `assay_late_${randomBytes(6).toString('hex')}`
const url = Object.assign(new URL(inject('postgresUrl')), { pathname: name }).href
const admin = new pg.Client({ connectionString: inject('postgresUrl') })
const dataDir = makeFolder('past')

beforeAll(async () => {
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
})
afterAll(async () => {
  for (const one of [name, `${name}_past`, `${name}_before`])
    await admin.query(`DROP DATABASE IF EXISTS ${one} WITH (FORCE)`)
  await admin.end()
})

/** Runs a command with the real program behind it; `stop` is Ctrl-C. */
function start(args: string[], environment: Record<string, string> = {}) {
  const said: string[] = []
  const stopping = new AbortController()
  const context = {
    ...createContext({ DATABASE_URL: url, DATA_DIR: dataDir, DEMO: 'still', ...environment }, said),
    signal: stopping.signal,
    openApp,
  }
  const complaints: string[] = []
  const ended = runProgram(args, context, (line) => complaints.push(line)).then((code) => ({ code, said, complaints }))
  return { said, ended, stop: () => stopping.abort() }
}

async function ask<T>(database: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: database }).href })
  await client.connect()
  return client.query(statement).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  )
}

const hears = (said: string[], pattern: RegExp) => expect.poll(() => said.join('\n'), { interval: 20 }).toMatch(pattern)

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const beginsAt = (database: string) => ask(database, 'SELECT start_block FROM chain')

/** The number of the first block, as the program that serves tells it. */
async function readServed(page: string, key: string): Promise<number | string> {
  const answer = await fetch(`${page}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"query":"{ chain { startBlock } }"}',
  }).catch((error: Error) => error.message)
  return typeof answer === 'string' || !answer.ok ? 'nobody answers' : (await answer.json()).data.chain.startBlock
}

test('past replaces the index that is served by a longer one, goes on after an interruption, and keeps what people have', async () => {
  expect(await start(['past', '5500']).ended).toMatchObject({
    code: 1,
    complaints: [expect.stringMatching(/^Nothing is indexed in this database yet/)],
  })
  const port = await findFreePort()
  const page = `http://127.0.0.1:${port}`
  const serving = start(['serve'], { START_BLOCK: '7080', PORT: `${port}` })
  await hears(serving.said, /Page +http/)
  const late = openDatabase(url)
  const { key } = await createKeyring(late.pool, systemClock).create({ email: 'kept@example.com', plan: 'api' })
  await late.close()
  expect(await readServed(page, key)).toBe(7_080)

  const first = start(['past', '6700'])
  await hears(first.said, /^indexes from block 6700 on/m)
  await expect.poll(() => beginsAt(`${name}_past`).catch(() => [])).toEqual([{ start_block: 6_700 }])
  first.stop()
  expect(await first.ended).toMatchObject({ code: 130, complaints: [expect.stringMatching(/^Interrupted/)] })

  // A stranger is waited for, and told.
  const stranger = new pg.Client({ connectionString: url, application_name: 'a report' })
  await stranger.connect()
  const second = start(['past', '6700'])
  await hears(second.said, /^continues the index from block 6700 on/m)
  await hears(second.said, /^waits, since a report uses the database/m)
  expect(await readServed(page, key)).toBeTypeOf('number')
  await stranger.end()
  expect(await second.ended).toMatchObject({ code: 0, complaints: [] })
  expect(second.said.at(-1)).toMatch(
    new RegExp(
      `^took its place, with \\d accounts, \\d keys and 0 alerts\\. The program continues with it\\. The former index is in the database ${name}_before: remove it when all is well\\.$`,
    ),
  )
  await expect.poll(() => readServed(page, key), { interval: 100 }).toBe(6_700)
  expect(await beginsAt(name)).toEqual([{ start_block: 6_700 }])
  const secrets = 'SELECT to_jsonb(s)::text AS row FROM api_key_secret s'
  expect(await ask(name, secrets)).toEqual(await ask(`${name}_before`, secrets))
  serving.stop()
  expect(await serving.ended).toMatchObject({ code: 0 })

  expect(await start(['past', '6600']).ended).toMatchObject({
    code: 1,
    complaints: [
      `The database ${name}_before, of an earlier exchange, is still there: look whether it can go, and drop it.`,
    ],
  })
})

test.each([
  [['past', 'yesterday'], /^START must be like 90d/],
  [['past', 'head'], /^START must be like 90d/],
  [['past', '90d'], /^The demo knows no days: name a block/],
])('%j is refused with the accepted forms', async (args, complaint) => {
  expect(await start(args).ended).toMatchObject({ code: 2, complaints: [expect.stringMatching(complaint)] })
})

test('folders of the embedded database are exchanged once no server runs in them, and never onto an older one', async () => {
  const home = makeFolder('past')
  const beside = findSecondDatabase({ databaseUrl: undefined, dataDir: home })
  await beside.prepare()
  expect(statSync(join(home, 'past')).mode & 0o777).toBe(0o711)
  for (const [folder, text] of [
    ['postgres', 'late'],
    ['past/postgres', 'whole'],
  ] as const) {
    mkdirSync(join(home, folder, 'data'), { recursive: true })
    writeFileSync(join(home, folder, 'text'), text)
  }
  const data = join(home, 'postgres/data')
  const server = spawn('sleep', ['60'], { cwd: data })
  writeFileSync(join(data, 'postmaster.pid'), `${server.pid}\n`)
  expect([await beside.isInUse(), await beside.exchange()]).toEqual([true, null])
  const gone = new Promise((resolve) => server.on('close', resolve))
  server.kill()
  await gone
  expect([await beside.isInUse(), await beside.exchange()]).toEqual([
    false,
    `the folder ${join(home, 'postgres-before')}`,
  ])
  expect(readFileSync(join(home, 'postgres/text'), 'utf8')).toBe('whole')
  expect(readFileSync(join(home, 'postgres-before/text'), 'utf8')).toBe('late')
  expect(existsSync(join(home, 'past/postgres'))).toBe(false)
  await expect(beside.prepare()).rejects.toThrow(/postgres-before, of an earlier exchange, is still there/)
})
