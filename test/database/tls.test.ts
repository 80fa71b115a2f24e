// A database that uses TLS with a self-signed certificate.
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/database/client.ts'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { openLedger } from '../../src/database/open.ts'
import { isAway } from '../../src/database/transient-error.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'))
if (process.getuid?.() === 0) chmodSync(folder, 0o711)
// The path is too long for a socket, so the server listens on the loopback interface, which TLS requires.
const dataDir = join(folder, 'x'.repeat(90))
const parts = { dataDir, log: createLog({ level: 'silent', pretty: false }) }

await (await startEmbedded({ ...parts, settings: { fsync: 'off' } })).stop()
const data = join(dataDir, 'postgres', 'data')
const { uid, gid } = statSync(data)
const put = (name: string, text: string) => {
  writeFileSync(join(data, name), text, { mode: 0o600 })
  chownSync(join(data, name), uid, gid)
}
put('own.crt', CERTIFICATE)
put('own.key', PRIVATE_KEY)
const server = await startEmbedded({
  ...parts,
  settings: { fsync: 'off', ssl: 'on', ssl_cert_file: 'own.crt', ssl_key_file: 'own.key' },
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the database with these URL parameters, and closes it again. */
async function open(parameters: Record<string, string>): Promise<void> {
  const url = new URL(server.url)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const options = { ...parts, clock: systemClock, size: 1 }
  await openLedger({ ...options, databaseUrl: url.href }).then(({ close }) => close())
}

test('an untrusted certificate is reported with two remedies, and both work', async () => {
  const untrusted = /certificate is not trusted: name its authority .*sslrootcert=FILE.*sslmode=no-verify.*SELF_SIGNED/
  await expect(open({ sslmode: 'verify-full' })).rejects.toThrow(untrusted)
  await open({ sslmode: 'verify-full', sslrootcert: join(data, 'own.crt') })
  await open({ sslmode: 'no-verify' })
})

test("the deadline of a request's statement also applies over TLS, counted from the last byte received", async () => {
  const hasty = openDatabase(`${server.url}?sslmode=no-verify`, { answerWithinMs: 1_500 })
  const client = await hasty.requestPool.connect()
  for (let n = 0; n < 4; n++) await client.query('SELECT pg_sleep(.5)')
  expect(isAway(await client.query('SELECT pg_sleep(60)').catch((error: unknown) => error))).toBe(true)
  client.release()
  await hasty.close()
})
