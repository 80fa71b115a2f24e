// The role `alerts` in a process of its own: where the links of its mails lead when it isn't told. It also sends the mails
// of sign-ups.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { insertSignupRequest } from '../../src/ledger/account/signup.ts'
import { startAlerting } from '../../src/roles/alerts.ts'
import { silentLog } from '../support/access.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { createTestDatabase } from '../support/database.ts'
import { seedCaller, seedLedger } from '../support/seed.ts'
import { startSmtp } from '../support/smtp.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const owner = await seedCaller(database.pool, 'pro')
const smtp = await startSmtp()
const folder = mkdtempSync(join(tmpdir(), 'assay-alerting-'))
const [TLS_CERT, TLS_KEY] = [join(folder, 'own.crt'), join(folder, 'own.key')]
writeFileSync(TLS_CERT, CERTIFICATE)
writeFileSync(TLS_KEY, PRIVATE_KEY)
afterAll(async () => {
  await smtp.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['https://[::1]:4443', 1, { HOST: '::1', PORT: '4443', TLS_CERT, TLS_KEY }],
  ['http://10.0.0.7:4000', 1, { HOST: '10.0.0.7' }],
  ['https://assay.example', 0, { PUBLIC_URL: 'https://assay.example', TLS_CERT, TLS_KEY }],
])('they lead to %s, with so many warnings: %i', async (link, count, environment) => {
  const warnings: unknown[] = []
  smtp.received.length = 0
  const alerting = await startAlerting({
    config: readConfig({ SMTP_URL: smtp.url, ...environment }),
    log: { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) },
    clock: systemClock,
    ledger: { database, url: database.url, migrated: [], close: database.close },
    address: null,
  })
  try {
    await createAlertRows(database.prisma, systemClock).create(owner, { name: 'Any', conditions: {} }, null)
    await expect.poll(() => smtp.received.length).toBe(1)
  } finally {
    await alerting.stop()
  }
  expect(smtp.received[0]?.mail.text).toContain(`Served by ${link}\n`)
  expect(warnings).toEqual(Array.from({ length: count }, () => ({ publicUrl: link })))
})

test.each(['open', 'off'] as const)('with SIGNUP=%s it sends links only if people may sign up', async (SIGNUP) => {
  smtp.received.length = 0
  await database.pool.query('DELETE FROM signup_request')
  const now = systemClock.now()
  const request = { email: 'you@example.com', inviteHash: null, now }
  const alerting = await startAlerting({
    config: readConfig({ SIGNUP, SMTP_URL: smtp.url, PUBLIC_URL: 'https://assay.example' }),
    log: silentLog,
    clock: systemClock,
    ledger: { database, url: database.url, migrated: [], close: database.close },
    address: null,
  })
  try {
    await insertSignupRequest(database.pool, request)
    if (SIGNUP === 'open') await expect.poll(() => smtp.received.length).toBe(1)
  } finally {
    await alerting.stop()
  }
  expect(smtp.received.map(({ to }) => to)).toEqual(SIGNUP === 'open' ? [['you@example.com']] : [])
})
