// HTTPS as clients see it: versions, ciphers, HSTS, and a certificate that is replaced while the server runs.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { createListener } from '../../../src/rest/edge/listen.ts'
import { type Certificate, createReload } from '../../../src/rest/edge/tls.ts'
import { silentLog } from '../../support/access.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../../support/certificate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { makeFolder } from '../../support/folder.ts'
import { createTestServer } from '../../support/rest.ts'

const folder = makeFolder('tls')

/** A new certificate and its key, made by openssl. */
function makeCertificate(name: string): Certificate {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync('openssl', ['req', '-x509', ...curve, '-nodes', '-keyout', key, '-out', cert, '-subj', `/CN=${name}`], {
    stdio: 'ignore',
  })
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

const FIRST = { cert: CERTIFICATE, key: PRIVATE_KEY }
const listener = createListener(express(), { host: '127.0.0.1', port: 0, tls: FIRST })
const { port } = new URL(await listener.start())
afterAll(listener.stop)

/** What a handshake agreed on, or the code that it failed with. */
async function shakeHands(options: ConnectionOptions) {
  const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, ...options })
  try {
    await once(socket, 'secureConnect')
    const { CN: name } = socket.getPeerCertificate().subject
    return { version: socket.getProtocol(), cipher: socket.getCipher().name, name }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
  }
}

test('the server speaks TLS 1.3, and TLS 1.2 only with forward secrecy and authenticated encryption', async () => {
  expect(await shakeHands({})).toMatchObject({ version: 'TLSv1.3' })
  const old = { maxVersion: 'TLSv1.2' } as const
  expect(await shakeHands(old)).toMatchObject({
    version: 'TLSv1.2',
    cipher: expect.stringMatching(/^ECDHE-.*(GCM|CHACHA20)/),
  })
  const weak = ['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'DHE-RSA-AES128-GCM-SHA256']
  for (const ciphers of weak) expect(await shakeHands({ ...old, ciphers })).toMatch(/HANDSHAKE_FAILURE/)
  const older = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  expect(await shakeHands(older)).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/)
})

test('a renewed certificate serves new connections; an invalid one is logged once and the old one stays', async () => {
  const told: unknown[] = []
  const [second, third] = [makeCertificate('second'), makeCertificate('third')]
  let files: Certificate | null = FIRST
  const reload = createReload({
    current: FIRST,
    read: () => files,
    apply: listener.setCertificate,
    log: { ...silentLog, info: (...line: unknown[]) => told.push(line), warn: (...line: unknown[]) => told.push(line) },
  })
  const nameAfter = async (next: Certificate | null) => {
    files = next
    reload()
    reload()
    return ((await shakeHands({})) as { name: string }).name
  }
  expect(await nameAfter(FIRST)).toBe('127.0.0.1')
  expect(told).toEqual([])
  expect(await nameAfter(second)).toBe('second')
  expect(told).toEqual([[{ valid_to: expect.stringMatching(/GMT$/) }, 'the certificate was reloaded']])
  const taken = 'the new certificate is not used, the old one stays'
  expect(await nameAfter({ cert: third.cert, key: second.key })).toBe('second')
  expect(await nameAfter({ cert: 'no PEM', key: third.key })).toBe('second')
  expect(await nameAfter(null)).toBe('second')
  expect(told.slice(1)).toEqual(Array(3).fill([{ reason: expect.stringMatching(/\S/) }, taken]))
  expect(JSON.stringify(told)).not.toContain('PRIVATE KEY')
  expect(await nameAfter(third)).toBe('third')
  expect(await shakeHands({ maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' })).toMatch(/HANDSHAKE_FAILURE/)
})

test('answers over HTTPS, direct or through a trusted proxy, carry HSTS', async () => {
  const database = await createTestDatabase()
  const hstsOf = async (options: object, headers: Record<string, string> = {}) => {
    const server = await createTestServer({ database, ...options })
    const { headers: answered } = await server.ask(`${server.url}/healthz`, { headers })
    return answered.get('strict-transport-security')
  }
  const forwarded = { 'x-forwarded-proto': 'https' }
  expect(await hstsOf({ trustProxy: 1 }, forwarded)).toBe('max-age=31536000')
  expect(await hstsOf({ trustProxy: 1 })).toBeNull()
  expect(await hstsOf({}, forwarded)).toBeNull()
})
