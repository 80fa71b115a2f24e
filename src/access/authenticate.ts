// Turns an Authorization header into the caller. Malformed keys are refused without a look-up, and every invalid key
// gets the same answer. A sender of many invalid keys has to wait; its valid keys are still served.
import type { Clock } from '../base/clock.ts'
import { AssayError, type RefusalReason } from '../base/errors.ts'
import type { BadKeys } from './bad-keys.ts'
import type { Caller } from './guard.ts'
import type { Holders } from './holders.ts'
import { hashKey, isWellFormed } from './key.ts'
import type { Sender } from './network.ts'

/** Takes everything after the scheme as the key. */
const BEARER = /^bearer +(.*\S) *$/i

export interface AuthenticateDeps {
  holders: Holders
  badKeys: BadKeys
  clock: Clock
}

/** Creates the function behind `Guard.authenticate`. */
export function createAuthenticate({ holders, badKeys, clock }: AuthenticateDeps) {
  const find = async (secretHash: Buffer, sender: Sender) => {
    const holder = await holders.find(secretHash, async () => (await badKeys.waitOf(sender)) > 0)
    const expired = holder?.expiresAt && holder.expiresAt <= clock.now()
    return expired ? null : holder
  }

  return async (authorization: string | undefined, address: string, peer = address): Promise<Caller> => {
    const key = BEARER.exec(authorization ?? '')?.[1]
    if (key === undefined) throw unauthorized('Send your API key: Authorization: Bearer <API_KEY>', 'no_key')
    const sender = { address, peer }
    const secretHash = hashKey(key)
    const holder = isWellFormed(key) ? await find(secretHash, sender) : null
    if (!holder) throw toRefusal(await badKeys.count(sender))
    const { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay, streams } = holder
    return { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay, streams, secretHash }
  }
}

const unauthorized = (message: string, reason: RefusalReason): AssayError =>
  new AssayError('UNAUTHORIZED', message, { reason })

/** 401, or 429 for a sender that has to wait. */
const toRefusal = (seconds: number): AssayError =>
  seconds === 0
    ? unauthorized('The API key is not valid.', 'bad_key')
    : new AssayError('RATE_LIMITED', `Too many invalid API keys from this address: wait ${seconds} s.`, {
        retryAfterSeconds: seconds,
        reason: 'too_many_bad_keys',
      })
