// Turns a token of the operator's authorization server into the caller: each subject has an account of the operator's
// plan, opened at its first token.
import { hash } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { toPrintable } from '../base/printable.ts'
import type { Plan } from '../base/vocabulary.ts'
import type { Database } from '../database/client.ts'
import { findKeyHolder, findKeyHolders } from '../ledger/account/key.ts'
import { openSubject } from '../ledger/account/subject.ts'
import { createOutage } from '../telemetry/outage.ts'
import { toRefusal } from './authenticate.ts'
import { createBadKeys } from './bad-keys.ts'
import type { Caller } from './guard.ts'
import { createHolders } from './holders.ts'
import { createIssuer } from './issuer.ts'

/** The most characters of a subject in the name of its key. */
const NAME_LENGTH = 60
/** A caller waits for at most this long before it may ask again whether there is room for its account. */
const FULL_SECONDS = 60

export interface SubjectsDeps {
  issuer: string
  scope: string | undefined
  plan: Plan
  /** The most accounts. */
  most: number
  pool: Database['pool']
  clock: Clock
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** The callers of an authorization server. */
export interface Subjects {
  readonly issuer: string
  readonly scope: string | undefined
  /** Throws as `Guard.authenticate` does; FORBIDDEN for a token without the scope, or a subject without an account. */
  authenticate(token: string, audience: string, clientAddress: string, peer?: string): Promise<Caller>
}

/** Creates the check of tokens, with accounts for their subjects. */
export function createSubjects({ issuer, scope, plan, most, pool, clock, log }: SubjectsDeps): Subjects {
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'the authorization server does not answer: its tokens are refused'),
    () => log.info({}, 'the authorization server answers again'),
  )
  const issuing = createIssuer({ issuer, scope, clock, outage })
  const badKeys = createBadKeys(clock)
  const holders = createHolders({
    findKeyHolder: (each) => findKeyHolder(pool, each),
    findKeyHolders: (each) => findKeyHolders(pool, each),
    clock,
  })
  const open = async (subject: string, secretHash: Buffer) => {
    const email = `${secretHash.toString('hex').slice(0, 32)}@oauth.invalid`
    const name = toPrintable(subject).slice(0, NAME_LENGTH)
    const terms = { email, plan, requestsPerMinute: null, requestsPerDay: null, streams: null }
    if (!(await openSubject(pool, { ...terms, hash: secretHash, name, most, now: clock.now() })))
      throw new AssayError('SERVICE_UNAVAILABLE', 'This server has no room for another account: ask its operator.', {
        retryAfterSeconds: FULL_SECONDS,
      })
    return findKeyHolder(pool, secretHash)
  }
  return {
    issuer,
    scope,
    authenticate: async (token, audience, address, peer = address) => {
      const sender = { address, peer }
      const subject = await issuing.check(token, audience).catch(async (error: AssayError) => {
        const wait = error.code === 'UNAUTHORIZED' ? await badKeys.count(sender) : 0
        throw wait > 0 ? toRefusal(wait, 'token') : error
      })
      const secretHash = hash('sha256', JSON.stringify([issuer, subject]), 'buffer')
      const holder = (await holders.find(secretHash, async () => false)) ?? (await open(subject, secretHash))
      if (!holder) throw new AssayError('FORBIDDEN', 'The operator has closed the account of this subject.')
      const { expiresAt, ...caller } = holder
      return { ...caller, secretHash }
    },
  }
}
