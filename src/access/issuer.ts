// The authorization server of the operator: its metadata, its keys, and the check of a token that it signed. Whatever is
// wrong with it is a 503, never an open door.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { readBounded } from '../base/read-bounded.ts'
import { isSafeServer } from '../base/safe-server.ts'

/** How long a request waits for the authorization server. */
const WITHIN_MS = 5_000
/** Bytes of its answers that are read. */
const MOST_BYTES = 256 * 1024
/** The shortest time between two readings of its keys. */
const PAUSE_MS = 10_000
/** After this time they are read again. */
const FRESH_MS = 600_000
/** How long they are believed while it does not answer. */
const BELIEVED_MS = 3_600_000
/** Clocks differ a little. */
const TOLERANCE_S = 5
/** Signatures by a key pair: with a shared secret, each resource could make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

export interface IssuerOptions {
  issuer: string
  /** The scope that a token needs; undefined: none. */
  scope: string | undefined
  clock: Clock
  /** Told when the authorization server fails, and when it answers again. */
  outage: { fail(error: unknown): void; pass(): void }
}

export interface Issuer {
  /** The subject of a token for this audience. Throws UNAUTHORIZED, FORBIDDEN without the scope, SERVICE_UNAVAILABLE. */
  check(token: string, audience: string): Promise<string>
}

/** Creates the check. Nothing is asked before the first token. */
export function createIssuer({ issuer, scope, clock, outage }: IssuerOptions): Issuer {
  const findKey = createKeys(issuer, clock, outage)
  return {
    check: async (token, audience) => {
      const options = {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: TOLERANCE_S,
        currentDate: clock.now(),
      }
      const { payload } = await jwtVerify(token, findKey, options).catch((error: unknown) => {
        if (error instanceof AssayError) throw error
        throw new AssayError('UNAUTHORIZED', explain(error, issuer, audience), { reason: 'bad_key' })
      })
      if (scope !== undefined && !scopesOf(payload).includes(scope))
        throw new AssayError('FORBIDDEN', `The token has not the scope ${scope}: ask for it.`, { reason: 'scope' })
      return payload.sub ?? ''
    },
  }
}

/** The scopes of a token: words of one text, or a list. */
function scopesOf({ scope, scp }: Record<string, unknown>): unknown[] {
  const given = scope ?? scp
  return typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : []
}

function explain(error: unknown, issuer: string, audience: string): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired: get a new one.'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : ''
  if (claim === 'aud') return `The token is not for ${audience}: ask for one with resource=${audience}.`
  if (claim === 'iss') return `The token is not of the authorization server ${issuer}.`
  return 'The token is not valid.'
}

/**
 * Finds the key of a token. The keys are read again when they are old, and when a token names an unknown one, one
 * reading at a time. Old keys serve on while the authorization server does not answer, for an hour.
 */
function createKeys(issuer: string, clock: Clock, outage: IssuerOptions['outage']): JWTVerifyGetKey {
  let kept: { find: JWTVerifyGetKey; atMs: number } | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | undefined
  const isOlder = (atMs: number, ms: number) => clock.monotonicMs() - atMs > ms
  const load = async () => {
    askedAtMs = clock.monotonicMs()
    try {
      kept = { find: createLocalJWKSet(await readKeys(issuer)), atMs: clock.monotonicMs() }
      outage.pass()
    } catch (error) {
      outage.fail(error)
    }
  }
  const reload = async () => {
    if (!underWay && isOlder(askedAtMs, PAUSE_MS))
      underWay = load().finally(() => {
        underWay = undefined
      })
    await underWay
  }
  const current = (): JWTVerifyGetKey => {
    if (kept && !isOlder(kept.atMs, BELIEVED_MS)) return kept.find
    throw new AssayError('SERVICE_UNAVAILABLE', 'The authorization server does not answer. Try again in a moment.', {
      retryAfterSeconds: PAUSE_MS / 1000,
      reason: 'issuer',
    })
  }
  return async (header, token) => {
    if (!kept || isOlder(kept.atMs, FRESH_MS)) await reload()
    try {
      return await current()(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await reload()
      return current()(header, token)
    }
  }
}

/** RFC 8414 puts its name before the path of the issuer, OpenID Connect after it. */
function metadataUrlsOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  for (const url of metadataUrlsOf(issuer)) {
    const metadata = await ask(url, signal)
    if (metadata === null) continue
    if (metadata.issuer !== issuer) throw new Error(`the metadata at ${url} is of another issuer`)
    const { jwks_uri: address } = metadata
    if (typeof address !== 'string' || !isSafeServer(address)) throw new Error(`${url} names no https: jwks_uri`)
    const { keys } = Object(await ask(address, signal))
    return { keys }
  }
  throw new Error('it has no metadata')
}

/** The object at the address, read to its end within the bound; null: there is none. */
async function ask(url: string, signal: AbortSignal): Promise<Record<string, unknown> | null> {
  const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } })
  const text = await readBounded(response, MOST_BYTES, 'the authorization server')
  return response.status === 200 ? Object(JSON.parse(text)) : null
}
