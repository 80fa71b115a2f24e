// The fault of a DATABASE_URL, in one sentence without the password.
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { StartupError } from '../../src/base/errors.ts'
import { judgeVersion, openLedger } from '../../src/database/open.ts'
import { silentLog } from '../support/access.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const { url, pool } = await createTestDatabase()

/** The error message with which the database is refused. */
async function open(databaseUrl: string): Promise<string> {
  const parts = { log: silentLog, clock: systemClock, dataDir: '/nowhere', size: 1 }
  const fault = await openLedger({ databaseUrl, ...parts }).then(
    ({ close }) => close(),
    (error: unknown) => error,
  )
  expect(fault).toBeInstanceOf(StartupError)
  return (fault as StartupError).message
}

const change = (with_: (url: URL) => unknown): string => {
  const changed = new URL(url)
  with_(changed)
  return changed.href
}

test.each<[string, (url: URL) => unknown, RegExp]>([
  ['a wrong password', (it) => Object.assign(it, { password: 'wr0ng' }), /refuses the password.*28P01/],
  ['a user that is not there', (it) => Object.assign(it, { username: 'nobody_here' }), /refuses the password.*28P01/],
  ['no password', (it) => Object.assign(it, { password: '' }), /wants a password: add it/],
  [
    'a database that is not there',
    (it) => Object.assign(it, { pathname: '/nowhere' }),
    /no database of that name: create it/,
  ],
  ['TLS of a server without', (it) => it.searchParams.set('sslmode', 'verify-full'), /speaks no TLS: remove sslmode/],
])('%s is reported with the remedy', async (_, with_, sentence) => {
  const changed = change(with_)
  const message = await open(changed)
  expect(message).toMatch(sentence)
  expect(message).toMatch(/^The database at \S+ cannot be used: [^\n]*DATABASE_URL[^\n]*$/)
  expect(message).not.toContain('wr0ng')
})

test('a server that accepts connections and never answers is given up', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => mute.once('listening', resolve))
  const { port } = mute.address() as { port: number }
  const clock = createTestClock()
  const opening = openLedger({
    databaseUrl: `postgres://a:s3cret@127.0.0.1:${port}/b`,
    log: silentLog,
    dataDir: '/nowhere',
    size: 1,
    clock,
  })
  await expect(opening).rejects.toThrow(/127\.0\.0\.1:\d+\/b cannot be used: it does not answer/)
  mute.close()
})

test('a read-only server is reported', async () => {
  const name = new URL(url).pathname.slice(1)
  await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await pool.query('DELETE FROM _prisma_migrations')
  expect(await open(url)).toMatch(/can only be read: name the primary server/)
})

test('a PostgreSQL version that is too old is refused, and one newer than tested causes a warning', () => {
  expect(() => judgeVersion('13.16 (Debian 13.16-1)')).toThrow(
    /PostgreSQL 13\.16 .*version 14 or later is needed: use another server/,
  )
  expect(['14.0', '16.4 (Ubuntu)', '18.4'].map(judgeVersion)).toEqual([null, null, null])
  expect(judgeVersion('19beta1')).toMatch(/PostgreSQL 19beta1, and nothing newer than version 18/)
})
