// The TLS versions and ciphers, and the reload of a renewed certificate without a restart.
import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Log } from '../../telemetry/log.ts'

/** A certificate chain and its private key, both in PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** Only suites with forward secrecy and authenticated encryption: all of TLS 1.3, and these of TLS 1.2. */
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

/** Slower handshakes are dropped. */
const HANDSHAKE_MS = 10_000

export const TLS_OPTIONS = {
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS.join(':'),
  handshakeTimeout: HANDSHAKE_MS,
} as const

/** One year in seconds. A browser that has used HTTPS once will not use HTTP for this long. */
export const HSTS = 'max-age=31536000'

/** The options for new connections; throws if the certificate and key are invalid or do not match. */
export function toContext({ cert, key }: Certificate): SecureContextOptions {
  const options = { minVersion: TLS_OPTIONS.minVersion, ciphers: TLS_OPTIONS.ciphers, cert, key }
  createSecureContext(options)
  return options
}

export interface ReloadDeps {
  /** The certificate in use. */
  current: Certificate
  /** Reads the files; throws if they cannot be read. */
  read(): Certificate | null
  /** Uses the certificate for new connections; throws if it is invalid. */
  apply(certificate: Certificate): void
  log: Log
}

/** Checks the files for another certificate and applies it. An invalid one is logged once, and the old one stays. */
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
      log.warn({ reason: reasonOf(error) }, 'the new certificate is not used, the old one stays')
    }
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
