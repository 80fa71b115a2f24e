// Sends the mails with links: claims a due request, looks its address up, makes a token and mails it. Several senders may
// run, in several processes. A mail is sent twice only if it was accepted and the process died before it stored that.
import type { Mailer } from '../alerts/email.ts'
import type { Clock } from '../base/clock.ts'
import { HOUR_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import {
  claimSignupRequest,
  deferSignupRequest,
  deleteSignupRequest,
  findAccountEmail,
  insertSignupLink,
  type SignupRequest,
} from '../ledger/account/signup.ts'
import { linkOf, writeSignupLetter } from './letter.ts'
import type { SignupMode } from './signup.ts'
import { drawToken } from './token.ts'

/** How long a link works, and how long a mail is tried: nobody waits longer. */
const LINK_MS = HOUR_SECONDS * 1_000
/** Longer than a delivery may take. */
const LEASE_MS = 120_000
/** The first pause between tries; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 600_000

export interface MailingDeps {
  pool: Database['pool']
  mailer: Mailer
  clock: Clock
  mode: SignupMode
  publicUrl: string
  log: { warn(fields: object, message: string): void }
}

/**
 * `run()` sends the due mails until none is left, and returns how many requests it handled. It calls back each time when
 * it has taken one.
 */
export function createMailing({ pool, mailer, clock, mode, publicUrl, log }: MailingDeps) {
  const after = (ms: number) => new Date(clock.now().getTime() + ms)

  /** Sends the mail; false if it may be tried again. */
  async function send({ id, email, inviteHash, createdAt }: SignupRequest): Promise<boolean> {
    const known = await findAccountEmail(pool, email)
    if (known === null && mode === 'invite' && inviteHash === null) return true
    const { token, hash } = drawToken()
    // An account's own address, because the given one may be spelled otherwise.
    const to = known ?? email
    await insertSignupLink(pool, { hash, email: to, inviteHash, expiresAt: after(LINK_MS) }, clock.now())
    const letter = writeSignupLetter(known === null ? 'first' : 'signIn', linkOf(publicUrl, 'token', token))
    const { status } = await mailer.send({ ...letter, to, id, date: createdAt })
    if (status === 'refused') log.warn({}, 'a mail server refused the address of a sign-up')
    return status !== 'failed'
  }

  async function handle(request: SignupRequest): Promise<void> {
    if (await send(request)) return deleteSignupRequest(pool, request.id)
    const until = after(Math.min(FIRST_PAUSE_MS * 2 ** Math.min(request.attempts - 1, 20), LONGEST_PAUSE_MS))
    if (until.getTime() - request.createdAt.getTime() > LINK_MS) {
      log.warn({ attempts: request.attempts }, 'a mail of a sign-up is given up')
      return deleteSignupRequest(pool, request.id)
    }
    log.warn({ attempts: request.attempts }, 'a mail of a sign-up could not be sent; it is tried again')
    return deferSignupRequest(pool, request.id, until)
  }

  return {
    async run(signal?: AbortSignal, onTaken: () => void = () => {}): Promise<number> {
      let handled = 0
      while (!signal?.aborted) {
        const request = await claimSignupRequest(pool, clock.now(), after(LEASE_MS))
        if (!request) break
        onTaken()
        await handle(request)
        handled += 1
      }
      return handled
    },
  }
}
