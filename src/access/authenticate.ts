// From an Authorization header to the caller. Malformed keys are refused without a look-up; whatever is wrong with a key,
// the answer is the same. A found key is kept for a few seconds, so that a revocation takes effect everywhere soon.

import { LRUCache } from 'lru-cache'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { KeyHolder } from '../ledger/account/key.ts'
import type { Caller } from './guard.ts'
import { hashKey, isWellFormed } from './key.ts'
import type { Limiter } from './limiter.ts'

/** How long a look-up is believed. The contract allows a revoked key 5 s; the look-up itself takes some of them. */
const BELIEVED_MS = 3000
/** Keys in memory at most. */
const CACHE_SIZE = 10_000
/** Bad keys that an address may send in a minute before it is told to wait. A good key from there is served all the same. */
export const BAD_KEYS_PER_MINUTE = 120

/** Whatever stands after the scheme was sent as a key. */
const BEARER = /^bearer +(.*\S) *$/i
const CHALLENGE = 'Bearer realm="assay"'

interface Answer {
  holder: Promise<KeyHolder | null>
  askedAtMs: number
}

export interface AuthenticateDeps {
  findKeyHolder(hash: Buffer): Promise<KeyHolder | null>
  /** Counts bad keys per client address. */
  badKeys: Limiter
  clock: Clock
}

/** The function behind `Guard.authenticate`. */
export function createAuthenticate({ findKeyHolder, badKeys, clock }: AuthenticateDeps) {
  const answers = new LRUCache<string, Answer>({ max: CACHE_SIZE })

  const find = async (key: string): Promise<KeyHolder | null> => {
    const hash = hashKey(key)
    const id = hash.toString('latin1')
    const nowMs = clock.monotonicMs()
    let answer = answers.get(id)
    if (!answer || nowMs - answer.askedAtMs >= BELIEVED_MS) {
      answer = { holder: findKeyHolder(hash), askedAtMs: nowMs }
      answers.set(id, answer)
      answer.holder.catch(() => answers.delete(id))
    }
    const holder = await answer.holder
    const expired = holder?.expiresAt && holder.expiresAt <= clock.now()
    return expired ? null : holder
  }

  return async (authorization: string | undefined, clientAddress: string): Promise<Caller> => {
    const key = BEARER.exec(authorization ?? '')?.[1]
    if (key === undefined) throw unauthorized('Send your API key: Authorization: Bearer <API_KEY>', CHALLENGE)
    const holder = isWellFormed(key) ? await find(key) : null
    if (!holder) throw await refuse(badKeys, clientAddress)
    const { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay } = holder
    return { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay }
  }
}

const unauthorized = (message: string, challenge: string): AssayError =>
  new AssayError('UNAUTHORIZED', message, { headers: { 'www-authenticate': challenge } })

/** 401, or 429 for an address that has sent too many bad keys. */
async function refuse(badKeys: Limiter, clientAddress: string): Promise<AssayError> {
  try {
    await badKeys.consume(networkOf(clientAddress))
    return unauthorized('The API key is not valid.', `${CHALLENGE}, error="invalid_token"`)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const seconds = Math.max(Math.ceil(refusal.msBeforeNext / 1000), 1)
    return new AssayError('RATE_LIMITED', `Too many invalid API keys from this address: wait ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    })
  }
}

/** The address itself for IPv4; the first 64 bits for IPv6, of which one customer has them all. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!address.includes(':')) return address
  const [left = '', right = ''] = address.split('::')
  const groups = left.split(':').filter(Boolean)
  const tail = right.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Math.max(8 - groups.length - tail.length, 0) : 0
  return `${[...groups, ...Array<string>(zeros).fill('0'), ...tail].slice(0, 4).join(':')}::/64`
}
