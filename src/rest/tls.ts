// What is spoken over TLS, and how a new certificate takes the place of the old one without a restart.
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Log } from '../telemetry/log.ts'

/** PEM, both. */
export interface Certificate {
  cert: string
  key: string
}

/** Forward secrecy and authenticated encryption, always: of TLS 1.2 those suites alone, and all of TLS 1.3. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
]

/** A handshake that takes longer is dropped. */
const HANDSHAKE_MS = 10_000

export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS.join(':'),
  handshakeTimeout: HANDSHAKE_MS,
} as const

/** A year, in seconds: a browser that came by HTTPS once does not come by HTTP again. */
export const HSTS = 'max-age=31536000'

/** What a server takes for new connections; throws when it is no certificate with its key. */
export function toContext({ cert, key }: Certificate): SecureContextOptions {
  const options = { minVersion: TLS_OPTIONS.minVersion, ciphers: TLS_OPTIONS.ciphers, cert, key }
  createSecureContext(options)
  return options
}

export interface ReloadDeps {
  /** The certificate in use. */
  current: Certificate
  /** Reads the files; throws when they can't be read. */
  read(): Certificate | null
  /** Takes it for new connections; throws when it is none. */
  apply(certificate: Certificate): void
  log: Log
}

/** Looks whether the files hold another certificate, and takes it. What is wrong with one is logged once; the old one stays. */
export function createReload({ current, read, apply, log }: ReloadDeps): () => void {
  let seen = JSON.stringify(current)
  return () => {
    try {
      const next = read()
      const found = JSON.stringify(next)
      if (found === seen) return
      seen = found
      if (!next) throw new Error('TLS_CERT and TLS_KEY are not set any more')
      apply(next)
      log.info({ valid_to: new X509Certificate(next.cert).validTo }, 'the certificate was reloaded')
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the new certificate is not taken, the old one stays')
    }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
