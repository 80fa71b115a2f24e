// The embedded database: started once per folder, shared by processes, found again after a kill, and private.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { StartupError } from '../../../src/base/errors.ts'
import { findBinaries, makeLinks } from '../../../src/database/embedded/binaries.ts'
import { type Embedded, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { explain } from '../../../src/database/embedded/fault.ts'
import { sizeMemory } from '../../../src/database/embedded/memory.ts'
import { placeOf } from '../../../src/database/embedded/place.ts'
import { isServing, readPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { createLog } from '../../../src/telemetry/log.ts'

const log = createLog({ level: 'silent', pretty: false })
const settings = { shared_buffers: '16MB', fsync: 'off' }
const folders: string[] = []
const root = process.getuid?.() === 0

/** A data folder that the server's user can reach, and whether a server runs there. */
function createFolder(parent = tmpdir()) {
  const dataDir = mkdtempSync(join(parent, 'assay-embedded-'))
  if (root) chmodSync(dataDir, 0o711)
  folders.push(dataDir)
  const data = join(dataDir, 'postgres', 'data')
  const pid = () => readPostmaster(data)?.pid ?? 0
  return { dataDir, data, pid, running: () => pid() > 0 && isServing(pid(), data) }
}

/** Starts another process that uses the folder; resolves once it is connected. */
async function startProcess(dataDir: string): Promise<{ process: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('../../support/embedded-user.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, url: line.toString().trim() }
}

/** The shell that started a server, and its other child, which waits for the end of the users. */
function findShells(server: number): number[] {
  const [, shell = ''] = readFileSync(`/proc/${server}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ').map(Number)
  return [Number(shell), ...children.filter((pid) => pid !== server)]
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows
}

const servers: Embedded[] = []
async function start(dataDir: string): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log, settings })
  servers.push(server)
  return server
}

afterAll(async () => {
  for (const server of servers) await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['512 MB', 2 ** 29, '128MB'],
  ['4 GB', 2 ** 32, '1024MB'],
  ['24 GB', 24 * 2 ** 30, '4096MB'],
])('a machine with %s of memory gets the shared buffers that fit it', (_, bytes, shared) => {
  expect(sizeMemory(bytes).shared_buffers).toBe(shared)
})

test('the first start creates PostgreSQL 18 with UTF-8, a later start finds the data, and stop ends the server', async () => {
  const { dataDir, running } = createFolder()
  const first = await start(dataDir)
  const [row] = await query(
    first.url,
    `SELECT current_setting('server_version') v, current_setting('server_encoding') e`,
  )
  expect(row).toMatchObject({ v: expect.stringMatching(/^18\./), e: 'UTF8' })
  await query(first.url, 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.stop()
  expect(running()).toBe(false)
  const second = await start(dataDir)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await second.stop()
  expect(running()).toBe(false)
})

test('the server listens on no network, and its folders, password and URL are closed to other users', async () => {
  const dataDir = join(createFolder().dataDir, 'new')
  const { url, stop } = await start(dataDir)
  expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
  // As root the database runs as another user, who has to pass through.
  expect(statSync(dataDir).mode & 0o777).toBe(root ? 0o711 : 0o700)
  const modeOf = (...path: string[]) => statSync(join(dataDir, 'postgres', ...path)).mode & 0o777
  expect([modeOf(), modeOf('run'), modeOf('data')]).toEqual([0o700, 0o700, 0o700])
  expect([modeOf('password'), modeOf('url')]).toEqual([0o600, 0o600])
  await stop()
})

test('two processes that start at once on a new folder share one server, and the last one to leave stops it', async () => {
  const { dataDir, running } = createFolder()
  const [here, there] = await Promise.all([start(dataDir), startProcess(dataDir)])
  expect(there.url).toBe(here.url)
  await here.stop()
  expect(running()).toBe(true)
  expect(await query(there.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  there.process.stdin?.end()
  await once(there.process, 'exit')
  expect(running()).toBe(false)
})

test('a server ends with its only process, also when that is killed, and the next start has one of its own', async () => {
  const { dataDir, pid, running } = createFolder()
  const killed = await startProcess(dataDir)
  const left = pid()
  killed.process.kill('SIGKILL')
  await expect.poll(running).toBe(false)
  const next = await start(dataDir)
  expect(pid()).not.toBe(left)
  await next.stop()
  expect(running()).toBe(false)
})

test('a killed process that started the server leaves it to the others, and takes it along if it is the last', async () => {
  const { dataDir, pid, running } = createFolder()
  const first = await startProcess(dataDir)
  const served = pid()
  const [second, third] = [await startProcess(dataDir), await startProcess(dataDir)]
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  second.process.stdin?.end()
  await once(second.process, 'exit')
  expect(await query(third.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  expect(pid()).toBe(served)
  third.process.kill('SIGKILL')
  await expect.poll(running).toBe(false)
})

test('a start right after a kill has a server that answers, and that ends with it', async () => {
  const { dataDir, running } = createFolder()
  const killed = await startProcess(dataDir)
  killed.process.kill('SIGKILL')
  const next = await startProcess(dataDir)
  await expect.poll(() => query(next.url, 'SELECT 1 AS n').catch(() => [])).toEqual([{ n: 1 }])
  next.process.stdin?.end()
  await once(next.process, 'exit')
  expect(running()).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'a server whose shell was killed too is taken over by the next start, and stopped at its end',
  async () => {
    const { dataDir, pid, running } = createFolder()
    const killed = await startProcess(dataDir)
    const left = pid()
    for (const shell of findShells(left)) process.kill(shell, 'SIGKILL')
    killed.process.kill('SIGKILL')
    await once(killed.process, 'exit')
    expect(running()).toBe(true)
    const next = await start(dataDir)
    expect(pid()).toBe(left)
    await next.stop()
    expect(running()).toBe(false)
  },
)

test('a lock file whose process id now belongs to another program does not prevent the start', async () => {
  const { dataDir, data, running } = createFolder()
  await (await start(dataDir)).stop()
  const other = spawn('sleep', ['60'], { stdio: 'ignore' })
  const lines = [`${other.pid}`, data, '1700000000', '5432', join(dataDir, 'postgres', 'run'), '', '  1  1', 'ready   ']
  writeFileSync(join(data, 'postmaster.pid'), `${lines.join('\n')}\n`)
  expect(running()).toBe(false)
  const { url, stop } = await start(dataDir)
  expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await stop()
  other.kill()
})

test('an empty lock file left by a crash is removed, and a folder of another version is refused with one sentence', async () => {
  const { dataDir, data } = createFolder()
  await (await start(dataDir)).stop()
  const lock = join(data, 'postmaster.pid')
  writeFileSync(lock, '')
  utimesSync(lock, 1_700_000_000, 1_700_000_000)
  const { url, stop } = await start(dataDir)
  expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await stop()
  writeFileSync(join(data, 'PG_VERSION'), '17\n')
  await expect(start(dataDir)).rejects.toThrow(/^\S+ was made by another version of PostgreSQL: start the version/)
})

test('a server that dies is restarted for its users, and the reason in its log is logged', async () => {
  const { dataDir, pid } = createFolder()
  const lines: string[] = []
  const { url, stop } = await startEmbedded({
    dataDir,
    settings,
    log: createLog({ level: 'info', pretty: false, write: (line) => void lines.push(line) }),
  })
  const before = pid()
  process.kill(before, 'SIGQUIT')
  await expect.poll(() => query(url, 'SELECT 1 AS n').catch(() => [])).toEqual([{ n: 1 }])
  expect(pid()).not.toBe(before)
  // The server answers before the program has joined it again.
  await expect
    .poll(() => lines.join(''))
    .toMatch(/received immediate shutdown request.*went away; it is started again.*the embedded database runs again/s)
  await stop()
})

test('a start waits for the last connection of a server that was killed, which still uses its memory', async () => {
  const { dataDir, data, pid } = createFolder()
  const { url, stop } = await start(dataDir)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const [{ pid: backend }] = (await client.query('SELECT pg_backend_pid() AS pid')).rows
  process.kill(backend, 'SIGSTOP')
  process.kill(pid(), 'SIGKILL')
  const next = start(dataDir)
  await expect
    .poll(() => readFileSync(join(data, '..', 'server.log'), 'utf8'))
    .toMatch(/pre-existing shared memory block/)
  process.kill(backend, 'SIGCONT')
  expect(await query((await next).url, 'SELECT 1 AS n')).toEqual([{ n: 1 }])
  await stop()
})

test('a data folder whose path is too long for a socket is served on the loopback interface', async () => {
  const { dataDir } = createFolder()
  const long = join(dataDir, 'x'.repeat(90))
  const { url, stop } = await start(long)
  expect(new URL(url).hostname).toBe('127.0.0.1')
  expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  await stop()
  expect(placeOf('C:\\assay\\run', 'win32').port).toBe(0)
})

test.skipIf(!root || process.platform !== 'linux')(
  'under root the server runs as an ordinary user, even below a folder that only root may enter (skipped: not root)',
  async () => {
    const closed = mkdtempSync(join(tmpdir(), 'assay-closed-'))
    folders.push(closed)
    chmodSync(closed, 0o700)
    const { dataDir, data, pid } = createFolder(closed)
    const { stop } = await start(dataDir)
    expect(statSync(`/proc/${pid()}`).uid).not.toBe(0)
    expect(statSync(data).uid).toBe(statSync(`/proc/${pid()}`).uid)
    await stop()
  },
)

test('a platform without PostgreSQL programs gets an error that names DATABASE_URL', () => {
  expect(() => findBinaries('aix', 'ppc64')).toThrow(StartupError)
  expect(() => findBinaries('aix', 'ppc64')).toThrow(/no programs for aix on ppc64.*DATABASE_URL/)
})

test('missing links between the libraries are created, and existing ones are left alone', () => {
  const { dataDir } = createFolder()
  const native = join(dataDir, 'native')
  mkdirSync(join(native, 'lib'), { recursive: true })
  writeFileSync(join(native, 'lib', 'libx.so.1.2'), 'library')
  const list = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(list))
  makeLinks(native)
  makeLinks(native)
  expect(statSync(join(native, 'lib', 'libx.so.1')).size).toBe(7)
  list.push({ source: 'native/lib/libx.so.1.2', target: 'native/gone/libx.so' })
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(list))
  expect(() => makeLinks(native)).toThrow(/cannot be made there.*DATABASE_URL/)
})

test('a data folder that cannot be created is reported with the remedy', async () => {
  const { dataDir } = createFolder()
  writeFileSync(join(dataDir, 'file'), '')
  await expect(startEmbedded({ dataDir: join(dataDir, 'file'), log })).rejects.toThrow(/DATA_DIR/)
  symlinkSync(join(dataDir, 'nowhere'), join(dataDir, 'dangling'))
  await expect(startEmbedded({ dataDir: join(dataDir, 'dangling', 'deep'), log })).rejects.toThrow(StartupError)
})

test.each([
  ['PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device', /no space left on the disk of \/d/],
  ['FATAL:  database files are incompatible with server', /another version of PostgreSQL/],
  ['initdb: error: could not change permissions: Read-only file system', /read-only/],
  ['postgres: error while loading shared libraries: libicuuc.so.60', /DATABASE_URL/],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', /left processes that still use \/d/],
  ['FATAL:  something new', /something new.*DATABASE_URL/],
])('the server output "%s" becomes one sentence', (output, sentence) => {
  const { message } = explain(new Error('it stopped'), '/d', output)
  expect(message).toMatch(sentence)
  expect(message).not.toContain('\n')
})
