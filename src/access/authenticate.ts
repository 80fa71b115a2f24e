// Turns an Authorization header into the caller. Malformed keys are refused without a look-up, and every invalid key
// gets the same answer. A sender of many invalid keys has to wait; its valid keys are still served.
import type { Clock } from '../base/clock.ts'
import { AssayError, type RefusalReason } from '../base/errors.ts'
import type { BadKeys } from './bad-keys.ts'
import type { Caller } from './guard.ts'
import type { Holders } from './holders.ts'
import { hashKey, isTicket, isWellFormed } from './key.ts'
import type { Sender } from './network.ts'

/** Takes everything after the scheme as the key. */
const BEARER = /^bearer +(.*\S) *$/i

export interface AuthenticateDeps {
  holders: Holders
  badKeys: BadKeys
  clock: Clock
  /** Uses a ticket up, and returns the hash of the secret that asked for it. */
  takeTicket(hash: Buffer): Promise<Buffer | null>
}

/** Creates the functions behind `Guard.authenticate` and `Guard.redeem`. */
export function createAuthenticate({ holders, badKeys, clock, takeTicket }: AuthenticateDeps) {
  const find = async (secretHash: Buffer, sender: Sender) => {
    const holder = await holders.find(secretHash, async () => (await badKeys.waitOf(sender)) > 0)
    const expired = holder?.expiresAt && holder.expiresAt <= clock.now()
    return expired ? null : holder
  }
  const admit = async (secretHash: Buffer | null, sender: Sender, what: string): Promise<Caller> => {
    const holder = secretHash && (await find(secretHash, sender))
    if (!holder) throw toRefusal(await badKeys.count(sender), what)
    const { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay, streams } = holder
    return { keyId, accountId, email, plan, requestsPerMinute, requestsPerDay, streams, secretHash }
  }

  return {
    authenticate: async (authorization: string | undefined, address: string, peer = address): Promise<Caller> => {
      const key = BEARER.exec(authorization ?? '')?.[1]
      if (key === undefined) throw unauthorized('Send your API key: Authorization: Bearer <API_KEY>', 'no_key')
      return admit(isWellFormed(key) ? hashKey(key) : null, { address, peer }, 'API key')
    },
    redeem: async (ticket: string, address: string, peer = address): Promise<Caller> => {
      const sender = { address, peer }
      // A made-up ticket with a checksum costs a statement, so a sender of many has to wait.
      const wait = await badKeys.waitOf(sender)
      if (wait > 0) throw toRefusal(wait, 'ticket')
      return admit(isTicket(ticket) ? await takeTicket(hashKey(ticket)) : null, sender, 'ticket')
    },
  }
}

const unauthorized = (message: string, reason: RefusalReason): AssayError =>
  new AssayError('UNAUTHORIZED', message, { reason })

/** 401, or 429 for a sender that has to wait. */
export const toRefusal = (seconds: number, what: string): AssayError =>
  seconds === 0
    ? unauthorized(`The ${what} is not valid.`, 'bad_key')
    : new AssayError('RATE_LIMITED', `Too many invalid ${what}s from this address: wait ${seconds} s.`, {
        retryAfterSeconds: seconds,
        reason: 'too_many_bad_keys',
      })
