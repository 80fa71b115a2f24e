// A damaged, incomplete or inaccessible data folder: the start fails with one sentence that names the file and the
// remedy.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { StartupError } from '../../../src/base/errors.ts'
import { type Embedded, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { isServing, readPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { createLog } from '../../../src/telemetry/log.ts'

const log = createLog({ level: 'silent', pretty: false })
const settings = { shared_buffers: '16MB', fsync: 'off' }
const root = process.getuid?.() === 0
const parent = mkdtempSync(join(tmpdir(), 'assay-broken-'))
if (root) chmodSync(parent, 0o711)
const running: Embedded[] = []

async function start(dataDir: string): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log, settings })
  running.push(server)
  return server
}

const whole = join(parent, 'whole')
const made = await start(whole)
await ask(made.url, 'CREATE TABLE kept AS SELECT 7 AS n')
await made.stop()
let copies = 0

/** Copies the folder of a stopped server, with owners and permissions. */
function copy(): { dataDir: string; file: (...path: string[]) => string } {
  const dataDir = join(parent, `copy-${copies++}`)
  expect(spawnSync('cp', ['-a', whole, dataDir]).status).toBe(0)
  return { dataDir, file: (...path) => join(dataDir, 'postgres', ...path) }
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}

/** The error message with which the start fails. */
async function refusalOf(dataDir: string): Promise<string> {
  const error = await start(dataDir).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartupError)
  const { message } = error as StartupError
  expect(message).not.toMatch(/[\r\n]|glibc/)
  return message
}

afterAll(async () => {
  for (const server of running) await server.stop()
  if (canMount) spawnSync('umount', ['-l', small])
  rmSync(parent, { recursive: true, force: true })
})

const PASSWORDS: [string, (file: string) => void, RegExp][] = [
  ['is missing', (file) => rmSync(file), /is missing/],
  ['is empty', (file) => writeFileSync(file, '\n'), /is empty/],
  ['holds two lines', (file) => writeFileSync(file, 'a\nb'), /is not one line of letters and digits/],
  ['is of another database', (file) => writeFileSync(file, 'another0password\n'), /does not hold the password/],
  [
    'cannot be read',
    (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    /cannot be read \(EISDIR\)/,
  ],
]
test.each(PASSWORDS)(
  'a password file that %s is reported with the way to set a new password, and no server is left running',
  async (_, spoil, fault) => {
    const { dataDir, file } = copy()
    spoil(file('password'))
    const sentence = await refusalOf(dataDir)
    expect(sentence).toContain(`The file ${file('password')} `)
    expect(sentence).toMatch(fault)
    const { pid } = readPostmaster(file('data')) ?? { pid: 0 }
    expect(pid > 0 && isServing(pid, file('data'))).toBe(false)
  },
)

test('the printed command sets a new password and loses no data', async () => {
  const { dataDir, file } = copy()
  rmSync(file('password'))
  const sentence = await refusalOf(dataDir)
  writeFileSync(file('password'), 'new0password\n', { mode: 0o600 })
  const command = /without losing data, by (.+)$/.exec(sentence)?.[1] ?? 'false'
  expect(spawnSync('sh', ['-c', command], { cwd: '/' }).status).toBe(0)
  const { url, stop } = await start(dataDir)
  expect(new URL(url).password).toBe('new0password')
  expect(await ask(url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await stop()
})

const NOT_WHOLE = /postgres\/data is not whole \(the database says: \S.+\): restore the folder above it from a backup/
const STATES: [string, string[], RegExp][] = [
  ['its PG_VERSION', ['data', 'PG_VERSION'], NOT_WHOLE],
  ['its settings', ['data', 'postgresql.conf'], NOT_WHOLE],
  ['its rules of access', ['data', 'pg_hba.conf'], NOT_WHOLE],
  ['its control file', ['data', 'global', 'pg_control'], NOT_WHOLE],
  ['its journal', ['data', 'pg_wal'], NOT_WHOLE],
  ['its tables', ['data', 'base'], NOT_WHOLE],
  ['its data', ['data'], /The folder \S+postgres\/data of the embedded database is missing. Restore it from a backup/],
]
test.each(STATES)('a database without %s is reported as incomplete, with the remedy', async (_, path, sentence) => {
  const { dataDir, file } = copy()
  rmSync(file(...path), { recursive: true })
  expect(await refusalOf(dataDir)).toMatch(sentence)
})

test('a data folder open to other users is reported with the command that closes it', async () => {
  const { dataDir, file } = copy()
  chmodSync(file('data'), 0o777)
  expect(await refusalOf(dataDir)).toContain(`close it with \`chmod 700 ${file('data')}\``)
})

test("a copied data folder without the socket's folder gets a new one", async () => {
  const { dataDir, file } = copy()
  rmSync(file('run'), { recursive: true })
  const { url, stop } = await start(dataDir)
  expect(await ask(url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await stop()
})

const small = join(parent, 'small')
mkdirSync(small, { mode: 0o711 })
const canMount =
  process.platform === 'linux' &&
  root &&
  spawnSync('mount', ['-o', 'size=20m,mode=711', '-t', 'tmpfs', 'tmpfs', small]).status === 0

test.skipIf(!canMount)(
  `a disk too full to create the database is reported, and no files are left on it${canMount ? '' : ' (skipped: no right to mount)'}`,
  async () => {
    expect(await refusalOf(join(small, 'data'))).toMatch(/^There is no space left on the disk of \S+: free some/)
    expect(readdirSync(join(small, 'data'))).toEqual([])
  },
)
