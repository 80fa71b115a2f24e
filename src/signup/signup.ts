// Signing up: takes a request for a link, and the link's token. No answer tells whether an address has an account: a
// request only becomes a row, and the sender of mails looks the address up later.
import { generateKey, toSecret } from '../access/key.ts'
import type { Sender } from '../access/network.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { AssayError, type Fault, invalid } from '../base/errors.ts'
import { HOUR_SECONDS } from '../base/time.ts'
import type { Database } from '../database/client.ts'
import { isInviteOpen } from '../ledger/account/invite.ts'
import { type Confirmed, confirmSignup, insertSignupRequest } from '../ledger/account/signup.ts'
import { readEmail } from './address.ts'
import type { SignupBounds } from './bounds.ts'
import { hashToken } from './token.ts'

/** How long the key of a sign-in works: enough to make or rotate a key. */
export const SIGN_IN_HOURS = 24

export type SignupMode = Exclude<Config['SIGNUP'], 'off'>

export interface SignupDeps {
  pool: Database['pool']
  bounds: SignupBounds
  clock: Clock
  mode: SignupMode
}

/** The account of a link with the key that it gives: the only time that the key can be read. */
export interface ConfirmedKey extends Confirmed {
  key: string
}

export interface Signup {
  mode: SignupMode
  /**
   * Asks for a mail with a link. Returns the same for known and unknown addresses, and for those that got too many
   * mails. Throws INVALID_PARAMS for a text that is no address or an invite that cannot be used, and RATE_LIMITED.
   */
  request(given: { email: string; invite?: string | undefined }, sender: Sender): Promise<void>
  /** Uses a link up. Throws NOT_FOUND for one that gives nothing, FORBIDDEN without a usable invite, RATE_LIMITED. */
  confirm(token: string, sender: Sender): Promise<ConfirmedKey>
}

const fault = (field: string, text: string): Fault => ({ location: 'body', field, message: `${field} ${text}` })

/** Creates the two steps. */
export function createSignup({ pool, bounds, clock, mode }: SignupDeps): Signup {
  return {
    mode,
    request: async ({ email: text, invite }, sender) => {
      const email = readEmail(text)
      if (email === null) throw invalid([fault('email', 'must be one address, such as a@b.example, in ASCII')])
      await bounds.countRequest(sender, email)
      const now = clock.now()
      // Without SIGNUP=invite an invite is worth nothing, and made-up ones would count mails anew.
      const code = mode === 'invite' ? invite : undefined
      const inviteHash = code === undefined ? null : hashToken(code)
      if (code !== undefined && !(inviteHash && (await isInviteOpen(pool, inviteHash, now))))
        throw invalid([fault('invite', 'is unknown, used or expired: ask for another one')])
      if (await bounds.countMail(email, inviteHash)) await insertSignupRequest(pool, { email, inviteHash, now })
    },
    confirm: async (token, sender) => {
      await bounds.countConfirmation(sender)
      const hash = hashToken(token)
      const key = generateKey()
      const now = clock.now()
      const signInUntil = new Date(now.getTime() + SIGN_IN_HOURS * HOUR_SECONDS * 1_000)
      const given = { secret: toSecret(key), needsInvite: mode === 'invite', now, signInUntil }
      const confirmed = hash ? await confirmSignup(pool, { hash, ...given }) : 'gone'
      if (confirmed === 'gone')
        throw new AssayError('NOT_FOUND', 'This link was used already or has expired: ask for another one.')
      if (confirmed === 'uninvited')
        throw new AssayError('FORBIDDEN', 'A new account needs an invite that was not used yet.')
      await bounds.noteOwner(sender, confirmed.email)
      return { ...confirmed, key }
    },
  }
}
