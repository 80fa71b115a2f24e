// The report of `doctor` on an installation: its faults, and the facts of a real server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/base/config.ts'
import { type InstallationFacts, judgeInstallation } from '../../src/cli/installation.ts'
import { runProgram } from '../../src/cli/program.ts'
import { createContext } from '../support/context.ts'
import { createTestDatabase } from '../support/database.ts'

const NOW = Date.UTC(2026, 0, 31)
const SOUND: InstallationFacts = {
  node: 'v24.1.0',
  program: '1.0.0',
  memoryBytes: 4 * 2 ** 30,
  disk: { free: 40 * 2 ** 30, total: 80 * 2 ** 30 },
  dataDir: '/data',
  isEmbedded: true,
  config: readConfig({}),
  server: {
    version: '18.1',
    encoding: 'UTF8',
    isReplica: false,
    maxConnections: 100,
    connections: 6,
    fsync: true,
    fullPageWrites: true,
    synchronousCommit: 'on',
    autovacuum: true,
    sharedBuffersMb: 1_024,
    statementTimeoutMs: 0,
    databaseBytes: 3 * 2 ** 30,
    nowMs: NOW,
    askedMs: NOW - 3,
    answeredMs: NOW + 2,
  },
  blockTime: new Date(NOW - 4_000),
}
const faultsOf = (facts: InstallationFacts) =>
  judgeInstallation(facts)
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ verdict, text }) => `${verdict}: ${text}`)
const withServer = (server: Partial<InstallationFacts['server']>): InstallationFacts => ({
  ...SOUND,
  server: { ...SOUND.server, ...server },
})

describe('doctor of an installation', () => {
  test('finds nothing in a sound one', () => expect(faultsOf(SOUND)).toEqual([]))

  test.each<[string, InstallationFacts, string]>([
    [
      'a Node without fixes',
      { ...SOUND, node: 'v20.20.2' },
      'warn: Assay 1.0.0 on Node 20.20.2, which gets no more fixes: take Node 24',
    ],
    [
      'little memory',
      { ...SOUND, memoryBytes: 512 * 2 ** 20 },
      'warn: 512 MB of memory: give it 900 MB, or a database elsewhere',
    ],
    [
      'a disk that fills up',
      { ...SOUND, disk: { free: 3 * 2 ** 30, total: 2 ** 40 } },
      'warn: /data has 3.0 GB free: free some, since the database grows there',
    ],
    [
      'a full disk',
      { ...SOUND, disk: { free: 100 * 2 ** 20, total: 2 ** 40 } },
      'bad: /data has 100 MB free: free some, or set DATA_DIR to a folder on another disk',
    ],
    [
      'another encoding',
      withServer({ encoding: 'LATIN1' }),
      'bad: encoding LATIN1: names of tokens need UTF8: make a new database with ENCODING UTF8',
    ],
    ['a replica', withServer({ isReplica: true }), 'bad: a replica: name the primary in DATABASE_URL'],
    ['fsync off', withServer({ fsync: false }), 'warn: fsync off: a power cut destroys the database: switch it on'],
    [
      'full_page_writes off',
      withServer({ fullPageWrites: false }),
      'warn: full_page_writes off: a power cut can destroy the database: switch it on',
    ],
    [
      'confirmed commits that may be lost',
      withServer({ synchronousCommit: 'off' }),
      'warn: synchronous_commit off: a power cut loses keys and alerts that were confirmed: switch it on',
    ],
    [
      'autovacuum off',
      withServer({ autovacuum: false }),
      'warn: autovacuum off: tables grow without end: switch it on',
    ],
    [
      'too few connections',
      withServer({ maxConnections: 50 }),
      'warn: 6 of 50 connections are open: a process with all roles opens up to 52: raise max_connections',
    ],
    [
      'a small cache',
      withServer({ sharedBuffersMb: 16 }),
      'warn: shared_buffers 16 MB: a quarter of the memory is usual',
    ],
    [
      'a time limit for statements',
      withServer({ statementTimeoutMs: 30_000 }),
      'warn: statement_timeout 30000 ms: indexes are built for minutes: set none for this user, the program has its own for requests',
    ],
    [
      'clocks that differ',
      withServer({ nowMs: NOW + 9_002 }),
      "bad: the clock is 9.0 s from the database's: set both by NTP",
    ],
    [
      'a clock that is behind',
      { ...SOUND, blockTime: new Date(NOW + 90_002) },
      'bad: the newest block is 90 s from the future: set the clock by NTP',
    ],
    [
      'mails whose links lead nowhere',
      { ...SOUND, config: readConfig({ SMTP_URL: 'smtp://mail.example' }) },
      'warn: PUBLIC_URL is not set: links in mails lead to the address on which the API listens',
    ],
    [
      'keys in the clear',
      { ...SOUND, config: readConfig({ HOST: '0.0.0.0' }) },
      'warn: HOST is 0.0.0.0 without TLS_CERT or TRUST_PROXY: keys travel in the clear',
    ],
  ])('finds %s, and names the fix', (_, facts, line) => expect(faultsOf(facts)).toEqual([line]))

  const folder = mkdtempSync(join(tmpdir(), 'assay-installation-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('ends with 1 and a sentence when something is wrong', async () => {
    const { url, pool } = await createTestDatabase()
    await pool.query(`INSERT INTO block (number, hash, parent_hash, time, event_count, swap_count, liquidity_add_count,
      liquidity_remove_count, transfer_count, token_count, wallet_count, last_token_id, last_wallet_id, last_pool_id)
      VALUES (1, '0x1', '0x0', now() + interval '1 hour', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`)
    const said: string[] = []
    const complaints: string[] = []
    const context = createContext({ DATABASE_URL: url, DATA_DIR: folder }, said)
    expect(await runProgram(['doctor', '--sample', '0'], context, (line) => complaints.push(line))).toBe(1)
    expect(said.join('\n')).toMatch(/^bad {3}the newest block is 3\d{3} s from the future: set the clock by NTP$/m)
    expect(complaints).toEqual(['The installation has 1 fault: see above.'])
  })

  test('reads the facts of a real server, and needs no index when it compares nothing', async () => {
    const { url } = await createTestDatabase()
    const said: string[] = []
    const complaints: string[] = []
    const context = createContext({ DATABASE_URL: url, DATA_DIR: folder }, said)
    const code = await runProgram(['doctor', '--sample', '0'], context, (line) => complaints.push(line))
    expect(said.join('\n')).toMatch(/^ok {4}PostgreSQL \d\d.*, \d+ MB$/m)
    expect(said).toContain('ok    encoding UTF8')
    expect(said.join('\n')).toMatch(/^ok {4}the clock is 0\.\d s from the database's$/m)
    expect(said.filter((line) => line.startsWith('bad'))).toEqual([])
    expect([code, complaints]).toEqual([0, []])
  })
})
