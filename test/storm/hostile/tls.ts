// Attacks on the program's own HTTPS: incomplete handshakes, old ciphers, renegotiation, and a replaced certificate.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { CERTIFICATE, PRIVATE_KEY } from '../../support/certificate.ts'
import { type Attack, pause, repeat, type Target } from './attack.ts'

const placeOf = ({ server }: Target) => {
  const { hostname: host, port } = new URL(server.origin)
  return { host, port: Number(port), rejectUnauthorized: false }
}

const shake = (target: Target, options: ConnectionOptions = {}) =>
  new Promise<TLSSocket | null>((resolve) => {
    const socket = connect({ ...placeOf(target), ...options }, () => resolve(socket))
    socket.on('error', () => resolve(null))
    setTimeout(() => resolve(null), 3_000).unref()
  })

const OLD_CIPHERS = ['AES128-GCM-SHA256', 'AES256-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384']

/** Creates another certificate for the same host; null if openssl fails. */
function makeCertificate(): { cert: string; key: string } | null {
  const folder = mkdtempSync(join(tmpdir(), 'assay-certificate-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
      '-subj',
      '/CN=renewed',
      '-keyout',
      key,
      '-out',
      cert,
    ])
    return made.status === 0 ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function nameServed(target: Target): Promise<string> {
  const socket = await shake(target)
  const name = socket?.getPeerCertificate().subject?.CN ?? 'nobody'
  socket?.destroy()
  return String(name)
}

const RELOAD_WITHIN_MS = 5_000

async function changeCertificate(target: Target): Promise<void> {
  const renewed = makeCertificate()
  if (!renewed) throw new Error('openssl is needed to make a certificate')
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(join(target.stage.dataDir, 'key.pem'), key)
    writeFileSync(join(target.stage.dataDir, 'certificate.pem'), cert)
  }
  try {
    write(renewed)
    target.server.child.kill('SIGHUP')
    const untilMs = performance.now() + RELOAD_WITHIN_MS
    let name = await nameServed(target)
    while (name !== 'renewed' && performance.now() < untilMs && target.server.isAlive()) {
      await pause(100)
      name = await nameServed(target)
    }
    if (name !== 'renewed') target.tally.fault(`a new certificate and SIGHUP: ${name} is served`)
  } finally {
    write({ cert: CERTIFICATE, key: PRIVATE_KEY })
    if (target.server.isAlive()) target.server.child.kill('SIGHUP')
  }
}

export const tlsAttacks: Attack[] = [
  {
    name: 'old protocols and ciphers, missing HSTS',
    setting: 'tls',
    run: async (target) => {
      for (const ciphers of OLD_CIPHERS) {
        const socket = await shake(target, { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })
        if (socket) target.tally.fault(`${socket.getCipher().name} is accepted`)
        socket?.destroy()
      }
      const old = await shake(target, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })
      if (old) target.tally.fault(`${old.getProtocol()} is accepted`)
      old?.destroy()
      const answer = await target.client.ask({ path: '/v1/tokens' })
      if (!answer?.headers['strict-transport-security']) target.tally.fault('no Strict-Transport-Security')
    },
  },
  {
    name: '1,500 incomplete handshakes',
    setting: 'tls',
    allowed: /^(closed|open)$/,
    run: (target) =>
      repeat(target, { times: 1_500, atOnce: 30 }, async (round) => {
        const { host, port } = placeOf(target)
        await new Promise<void>((resolve) => {
          const socket = connectTcp({ host, port }, () => {
            const hello = Buffer.from('16030100c8010000c40303', 'hex')
            socket.write(
              [hello, Buffer.alloc(16_000, 'x'), Buffer.from('GET / HTTP/1.1\r\n\r\n'), hello.subarray(0, 3)][
                round % 4
              ] ?? hello,
            )
            setTimeout(() => socket.destroy(), 20)
          })
          socket.on('error', () => {})
          socket.on('close', () => resolve())
        })
      }),
  },
  {
    name: '1,000 connections without a handshake',
    setting: 'tls',
    run: async (target) => {
      const { host, port } = placeOf(target)
      const sockets = Array.from({ length: 1_000 }, () => connectTcp({ host, port }).on('error', () => {}))
      await pause(5_000, target.signal)
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'repeated renegotiation on one connection',
    setting: 'tls',
    run: (target) =>
      repeat(target, { times: 40, atOnce: 8 }, async () => {
        const socket = await shake(target, { maxVersion: 'TLSv1.2' })
        if (!socket) return
        for (let round = 0; round < 50 && !socket.destroyed; round++) {
          const isDone = await new Promise<boolean>((resolve) => {
            socket.once('close', () => resolve(false))
            socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error === null))
            setTimeout(() => resolve(false), 500)
          })
          if (!isDone) break
        }
        socket.destroy()
      }),
  },
  { name: 'a replaced certificate and SIGHUP', setting: 'tls', run: changeCertificate },
]
